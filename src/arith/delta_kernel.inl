// The delta rule on lanes, one register of them at a time; see delta_scan.hpp, and bounds.md, section 5, for the
// windows. Included by lane_kernels.inl, whose windowed sums it uses.

struct VectorPair {
  Vector hi;
  Vector lo;
};

/// A complex number, or a real one, whose im is never looked at.
template <class T>
struct Parts {
  T re;
  T im;
};

[[gnu::always_inline]] inline VectorPair two_sum(Vector a, Vector b) {
  const Vector s = a + b, b_part = s - a;
  return {s, (a - (s - b_part)) + (b - b_part)};
}

/// a x, a double, leaves the sum.
[[gnu::always_inline]] inline VectorSum subtract_product(VectorSum sum, Vector a, VectorPair x) {
  const Vector h = fnma(a, x.hi, sum.h);
  return {h, sum.l + fnma(a, x.lo, fnma(a, x.hi, sum.h - h))};
}
[[gnu::always_inline]] inline VectorSum add_product(VectorSum sum, Vector a, VectorPair x) {
  return add_product<true>(sum, a, a, x.hi, x.lo);
}

/// a x as the first sum in its window, both pairs; a.lo x.lo is left out.
[[gnu::always_inline]] inline VectorSum product_in(Vector window, VectorPair a, VectorPair x) {
  const Vector h = fma(a.hi, x.hi, window);
  return {h, fma(a.hi, x.lo, fma(a.lo, x.hi, fma(a.hi, x.hi, window - h)))};
}
[[gnu::always_inline]] inline VectorSum add_product(VectorSum sum, VectorPair a, VectorPair x) {
  const VectorSum product = product_in(sum.h, a, x);
  return {product.h, sum.l + product.l};
}
[[gnu::always_inline]] inline VectorSum subtract_product(VectorSum sum, VectorPair a, VectorPair x) {
  const Vector h = fnma(a.hi, x.hi, sum.h);
  return {h, sum.l + fnma(a.hi, x.lo, fnma(a.lo, x.hi, fnma(a.hi, x.hi, sum.h - h)))};
}

/// x in another window, |l| at most half a unit of it and a little.
[[gnu::always_inline]] inline VectorSum entered(VectorPair x, Vector window) {
  const Vector h = window + (x.hi + x.lo);
  return {h, (x.hi - (h - window)) + x.lo};
}

[[gnu::always_inline]] inline VectorPair left(VectorSum sum, Vector window) { return {sum.h - window, sum.l}; }

/// l carried into h, as far as it reaches h's unit.
[[gnu::always_inline]] inline VectorSum carried(VectorSum sum) {
  const Vector h = sum.h + sum.l;
  return {h, sum.l - (h - sum.h)};
}

/// S* k for one register's lanes: two sums that take turns, so that neither waits for its own last term.
template <bool Complex>
class InnerProduct {
 public:
  explicit InnerProduct(Vector width) : window_(broadcast(1.5) * width) {
    const VectorSum empty{window_, broadcast(0)};
    for (auto& sum : sums_) sum = {empty, empty};
  }

  /// Adds conj(s) k to the sum whose turn it is.
  [[gnu::always_inline]] void add(std::size_t turn, const Parts<VectorPair>& s, const Parts<Vector>& k) {
    Parts<VectorSum>& sum = sums_[turn];
    sum.re = add_product(sum.re, k.re, s.re);
    if constexpr (Complex) {
      sum.re = add_product(sum.re, k.im, s.im);
      sum.im = subtract_product(add_product(sum.im, k.im, s.re), k.re, s.im);
    }
  }

  [[gnu::always_inline]] void carry() {
    for (auto& sum : sums_) {
      sum.re = carried(sum.re);
      if constexpr (Complex) sum.im = carried(sum.im);
    }
  }

  Parts<VectorPair> value() const { return {total(&Parts<VectorSum>::re), total(&Parts<VectorSum>::im)}; }

 private:
  VectorPair total(VectorSum Parts<VectorSum>::*part) const {
    const VectorSum &a = sums_[0].*part, &b = sums_[1].*part;
    return two_sum((a.h - window_) + (b.h - window_), a.l + b.l);
  }

  Vector window_;
  Parts<VectorSum> sums_[2];
};

/// One register's lanes of a block.
template <bool Complex>
class DeltaLanes {
 public:
  DeltaLanes(const DeltaBlock& b, std::size_t lane)
      : b_(b),
        lane_(lane),
        first_(lane / lane_multiple * b.features * lane_multiple + lane % lane_multiple),
        width_(load(b.width + lane)),
        largest_width_(load(b.largest_width + lane)),
        start_radius_(load(b.start_radius + lane)) {}

  void run() {
    for (std::size_t t = 0; t < b_.steps; ++t) step(t);
    store(b_.width + lane_, width_);
    store(b_.largest_width + lane_, largest_width_);
    store(b_.added_radius + lane_, added_radius_);
  }

 private:
  struct Carried {
    Parts<VectorPair> prediction;  ///< S'* k
    Vector norm;                   ///< |S'|, less its low parts
  };

  void step(std::size_t t) {
    const DeltaStep& x = b_.step[t];
    const Vector carried_width = at_least_least(broadcast(x.decay_width) * width_);
    const Carried c = carry(t, carried_width);
    const Parts<VectorPair> change = change_of(t, c.prediction);

    const Vector change_size = size(change) + broadcast(x.beta_size / 4) * size(c.prediction);
    const Vector norm = fma(broadcast(0x1p-40), carried_width,
                            fma(broadcast(x.key_norm), change_size, c.norm * broadcast(1 + 0x1p-30)));
    width_ = at_least_least(broadcast(2) * binade(broadcast(2 + 0x1p-5) * norm));
    largest_width_ = max(largest_width_, width_);

    const Parts<VectorPair> o = update(t, change);
    added_radius_ = fma(broadcast(x.transition_norm), added_radius_,
                        fma(broadcast(x.carried_rounding), carried_width, broadcast(x.state_rounding) * width_));
    const Vector radius = fma(broadcast(x.growth), start_radius_, added_radius_);
    put_output(t, o, fma(broadcast(x.query_norm), radius, broadcast(x.dot_rounding) * width_));
  }

  /// S' = Lambda S.
  Carried carry(std::size_t t, Vector width) {
    const Vector window = broadcast(1.5) * width;
    InnerProduct<Complex> prediction(broadcast(b_.step[t].key_width) * width);
    Vector square[2] = {broadcast(0), broadcast(0)};
    for (std::size_t group = 0; group < b_.features; group += delta_features) {
      for (std::size_t f = group; f < group + delta_features; f += 2) {
#pragma GCC unroll 2
        for (std::size_t turn = 0; turn < 2; ++turn) {
          const Parts<VectorPair> s = scaled(state(f + turn), lambda(t, f + turn), window);
          put_state(f + turn, s);
          prediction.add(turn, s, row(b_.k, t, f + turn));
          square[turn] = fma(s.re.hi, s.re.hi, square[turn]);
          if constexpr (Complex) square[turn] = fma(s.im.hi, s.im.hi, square[turn]);
        }
      }
      prediction.carry();
    }
    return {prediction.value(), sqrt(square[0] + square[1])};
  }

  /// S = S' + k w*, o = S* q.
  Parts<VectorPair> update(std::size_t t, const Parts<VectorPair>& w) {
    const Vector window = broadcast(1.5) * width_;
    InnerProduct<Complex> output(broadcast(b_.step[t].query_width) * width_);
    for (std::size_t group = 0; group < b_.features; group += delta_features) {
      for (std::size_t f = group; f < group + delta_features; f += 2) {
#pragma GCC unroll 2
        for (std::size_t turn = 0; turn < 2; ++turn) {
          const Parts<VectorPair> s = corrected(state(f + turn), row(b_.k, t, f + turn), w, window);
          put_state(f + turn, s);
          output.add(turn, s, row(b_.q, t, f + turn));
        }
      }
      output.carry();
    }
    return output.value();
  }

  [[gnu::always_inline]] static Parts<VectorPair> scaled(const Parts<VectorPair>& s, const Parts<VectorPair>& a,
                                                         Vector window) {
    VectorSum re = product_in(window, a.re, s.re), im{};
    if constexpr (Complex) {
      re = subtract_product(re, a.im, s.im);
      im = add_product(product_in(window, a.re, s.im), a.im, s.re);
    }
    return {left(re, window), left(im, window)};
  }

  [[gnu::always_inline]] static Parts<VectorPair> corrected(const Parts<VectorPair>& s, const Parts<Vector>& k,
                                                            const Parts<VectorPair>& w, Vector window) {
    VectorSum re = add_product(entered(s.re, window), k.re, w.re), im{};
    if constexpr (Complex) {
      re = add_product(re, k.im, w.im);
      im = subtract_product(add_product(entered(s.im, window), k.im, w.re), k.re, w.im);
    }
    return {left(re, window), left(im, window)};
  }

  /// w = beta (v - prediction).
  Parts<VectorPair> change_of(std::size_t t, const Parts<VectorPair>& prediction) const {
    const auto part = [&](const double* v, const VectorPair& predicted) -> VectorPair {
      const Vector beta = broadcast(b_.step[t].beta), zero = broadcast(0);
      const VectorPair rest = two_sum(load(v + t * b_.lanes + lane_), zero - predicted.hi);
      const Vector hi = beta * rest.hi;
      return {hi, fma(beta, rest.lo - predicted.lo, fma(beta, rest.hi, zero - hi))};
    };
    Parts<VectorPair> w{part(b_.v.re, prediction.re), {}};
    if constexpr (Complex) w.im = part(b_.v.im, prediction.im);
    return w;
  }

  [[gnu::always_inline]] static Vector size(const Parts<VectorPair>& x) {
    return Complex ? abs(x.re.hi) + abs(x.im.hi) : abs(x.re.hi);
  }

  /// A width that is not 0 is least_delta_width or more.
  static Vector at_least_least(Vector width) {
    const Vector least = broadcast(least_delta_width);
    return max(width, min(width * broadcast(0x1p100 / least_delta_width), least));
  }

  [[gnu::always_inline]] Parts<Vector> row(const ConstPlanes& rows, std::size_t t, std::size_t f) const {
    const std::size_t at = t * b_.features + f;
    return {broadcast(rows.re[at]), broadcast(Complex ? rows.im[at] : 0)};
  }
  [[gnu::always_inline]] Parts<VectorPair> lambda(std::size_t t, std::size_t f) const {
    const Parts<Vector> hi = row(b_.lambda_hi, t, f), lo = row(b_.lambda_lo, t, f);
    return {{hi.re, lo.re}, {hi.im, lo.im}};
  }
  [[gnu::always_inline]] Parts<VectorPair> state(std::size_t f) const {
    const std::size_t at = first_ + f * lane_multiple;
    Parts<VectorPair> s{{load(b_.state_hi.re + at), load(b_.state_lo.re + at)}, {}};
    if constexpr (Complex) s.im = {load(b_.state_hi.im + at), load(b_.state_lo.im + at)};
    return s;
  }
  [[gnu::always_inline]] void put_state(std::size_t f, const Parts<VectorPair>& s) {
    put(b_.state_hi, first_ + f * lane_multiple, {s.re.hi, s.im.hi});
    put(b_.state_lo, first_ + f * lane_multiple, {s.re.lo, s.im.lo});
  }
  void put_output(std::size_t t, const Parts<VectorPair>& o, Vector radius) {
    const std::size_t at = t * b_.lanes + lane_;
    put(b_.output_hi, at, {o.re.hi, o.im.hi});
    put(b_.output_lo, at, {o.re.lo, o.im.lo});
    store(b_.output_radius + at, radius);
  }
  [[gnu::always_inline]] static void put(const Planes& planes, std::size_t at, const Parts<Vector>& x) {
    store(planes.re + at, x.re);
    if constexpr (Complex) store(planes.im + at, x.im);
  }

  const DeltaBlock& b_;
  std::size_t lane_, first_;
  Vector width_, largest_width_, start_radius_;
  Vector added_radius_ = broadcast(0);
};

void delta_block(const DeltaBlock& block) {
  for (std::size_t lane = 0; lane < block.lanes; lane += Vector::width)
    block.v.im == nullptr ? DeltaLanes<false>(block, lane).run() : DeltaLanes<true>(block, lane).run();
}
