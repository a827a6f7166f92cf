#include "oracle/sas/gradients_certified.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "arith/dd_elementary.hpp"
#include "oracle/sas/certified_slab.hpp"
#include "oracle/sas/end_to_end.hpp"
#include "oracle/sas/gradient_head.hpp"
#include "oracle/sas/gradients_exactness.hpp"

namespace assay::sas {
namespace {

constexpr double u2 = 0x1p-106;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest_exponent = 700;
constexpr std::size_t tile_rows = 128;

struct KeyTile {
  std::size_t begin, count;
  Slab keys, values;  ///< [feature, key], [column, key]
  Slab by_key;        ///< [key, feature]

  KeyTile(const Head<double>& x, std::size_t begin)
      : begin(begin),
        count(std::min(tile_rows, x.k.rows() - begin)),
        keys(x.k, begin, count, true),
        values(x.v, begin, count, true),
        by_key(x.k, begin, count, false) {}
};

struct QueryTile {
  std::size_t begin, count;
  Slab queries, d_outputs;  ///< [query, feature], [query, column]

  QueryTile(const GradientHead<double>& x, std::size_t begin)
      : begin(begin),
        count(std::min(tile_rows, x.forward.queries() - begin)),
        queries(x.forward.q, begin, count, false),
        d_outputs(x.d_output, begin, count, false) {}
};

/// Rows begin ... begin + count - 1, times a factor that leaves them doubles.
LaneArray scaled_rows(const Matrix<double>& m, std::size_t begin, std::size_t count, double factor) {
  LaneArray a(count, m.cols());
  for (std::size_t t = 0; t < count; ++t)
    for (std::size_t i = 0; i < m.cols(); ++i) a.hi(t)[i] = factor * m(begin + t, i);
  return a;
}

/// One query head.
class CertifiedHead {
 public:
  CertifiedHead(const GradientHead<double>& x, const std::vector<KeyTile>& tiles) : x_(x), tiles_(tiles) {}

  /// dq / scale to `dq`; dk / scale, dv and d log g added to theirs.
  void add(Sums& dq, Sums& dk, Sums& dv, Sums& d_gates) const {
    for (std::size_t begin = 0; begin < x_.forward.queries(); begin += tile_rows) {
      const QueryTile queries(x_, begin);
      for (const KeyTile& keys : tiles_)
        if (meet(queries, keys)) add_pair(queries, keys, dq, dk, dv, d_gates);
    }
  }

 private:
  /// Of the queries and gradients of outputs of a tile with the keys and values of another.
  struct Products {
    RowSums scores, along;
  };

  /// Calls use(range, first, end) for the parts of a tile that a query reads, counted from the tile's first key.
  template <class Use>
  void for_each_part(std::size_t t, const KeyTile& tile, Use use) const {
    if (x_.lse[t] == -infinity) return;
    for (const KeyRange& range : x_.forward.reads[t]) {
      const std::size_t begin = std::max(range.begin, tile.begin), end = std::min(range.end, tile.begin + tile.count);
      if (begin < end && (x_.forward.outside || x_.forward.gate(t, range) != -infinity))
        use(range, begin - tile.begin, end - tile.begin);
    }
  }

  bool meet(const QueryTile& queries, const KeyTile& keys) const {
    bool any = false;
    for (std::size_t t = queries.begin; t < queries.begin + queries.count; ++t)
      for_each_part(t, keys, [&](const KeyRange&, std::size_t, std::size_t) { any = true; });
    return any;
  }

  void add_pair(const QueryTile& queries, const KeyTile& keys, Sums& dq, Sums& dk, Sums& dv, Sums& d_gates) const {
    PairValues weights(queries.count, keys.count), logits(queries.count, keys.count);
    const Products products{
        relative_sums(scaled_rows(x_.forward.q, queries.begin, queries.count, x_.forward.scale), keys.keys, lanes_),
        relative_sums(scaled_rows(x_.d_output, queries.begin, queries.count, 1), keys.values, lanes_)};
    for (std::size_t i = 0; i < queries.count; ++i) recompute(i, queries, keys, products, weights, logits, d_gates);
    add_rows(dq, queries.begin, logits, keys.by_key, lanes_);
    add_rows(dk, keys.begin, transposed(logits), queries.queries, lanes_);
    add_rows(dv, keys.begin, transposed(weights), queries.d_outputs, lanes_);
  }

  /// Δ: products of floats have 48 bits.
  CertifiedValue delta(std::size_t t) const {
    CertifiedValue sum;
    double size = 0;
    for (std::size_t i = 0; i < x_.o.cols(); ++i) {
      const double term = x_.d_output(t, i) * x_.o(t, i);
      sum.value = sum.value + DoubleDouble(term);
      size += std::abs(term);
    }
    sum.radius = 4 * static_cast<double>(x_.o.cols()) * u2 * size;
    if (!x_.delta_error.empty()) sum.radius += x_.delta_error[t];
    return sum;
  }

  /// C5 and C6: P f and dS of one query and a tile of keys.
  void recompute(std::size_t i, const QueryTile& queries, const KeyTile& keys, const Products& products,
                 PairValues& weights, PairValues& logits, Sums& d_gates) const {
    const Head<double>& x = x_.forward;
    const std::size_t t = queries.begin + i;
    LaneArray exponents(1, keys.count);
    std::fill_n(exponents.hi(), exponents.padded_size(), -infinity);
    bool any = false;
    for_each_part(t, keys, [&](const KeyRange&, std::size_t, std::size_t) { any = true; });
    if (!any) return;
    const auto& [scores, along] = products;
    std::vector<double> radii(keys.count, 0);
    for_each_part(t, keys, [&](const KeyRange& range, std::size_t first, std::size_t end) {
      const double log_gate = x.outside ? 0 : x.gate(t, range);
      for (std::size_t j = first; j < end; ++j) {
        DoubleDouble z = scores.sums.at(i, j);
        radii[j] = scores.radius[i] * keys.keys.scale[j];
        if (log_gate != 0) {
          z = z + log_gate;
          radii[j] += 4 * u2 * std::abs(z.hi);
        }
        z = z + -x_.lse[t];
        radii[j] += 4 * u2 * std::abs(z.hi);
        if (!x_.lse_error.empty()) radii[j] += x_.lse_error[t];
        if (z.hi > largest_exponent) {
          z = DoubleDouble(largest_exponent);
          radii[j] = infinity;
        }
        exponents.set(0, j, z);
      }
    });
    const LaneArray powers = lanes_.exp(exponents);
    const CertifiedValue of_row = delta(t);
    for_each_part(t, keys, [&](const KeyRange& range, std::size_t first, std::size_t end) {
      const bool gated = x.outside && range.gated;
      const DoubleDouble factor = gated ? exp(DoubleDouble(x.gate(t, range))) : DoubleDouble(1);
      const double of_factor = gated ? double_double_bound::exp * factor.hi + 2 * double_double_bound::exp_absolute : 0;
      for (std::size_t j = first; j < end; ++j) {
        const DoubleDouble p = powers.at(0, j);
        const double r_p = radius_of_power(exponents.at(0, j).hi, p.hi, radii[j]);
        CertifiedValue a{along.sums.at(i, j), along.radius[i] * keys.values.scale[j]};
        CertifiedValue w{p, r_p};
        if (gated) {
          a = product(a, {factor, of_factor});
          w = product(w, {factor, of_factor});
        }
        const DoubleDouble e = a.value - of_row.value;
        const CertifiedValue ds =
            product({p, r_p}, {e, a.radius + of_row.radius + 4 * u2 * (std::abs(e.hi) + std::abs(a.value.hi))});
        weights.set(i, j, w);
        logits.set(i, j, ds);
        if (!range.gated || d_gates.cols() == 0) continue;
        const CertifiedValue term = x.outside ? product({p, r_p}, a) : ds;
        CertifiedValue& sum = d_gates(t, range.block);
        sum.value = sum.value + term.value;
        sum.radius += term.radius + 4 * u2 * std::abs(sum.value.hi);
      }
    });
  }

  static double radius_of_power(double exponent, double power, double radius) {
    const double moved =
        radius < 0x1p-20 ? power * radius * (1 + radius) : std::exp(std::min(exponent + radius, 709.0));
    return moved * (1 + 0x1p-40) + double_double_bound::exp * power + 2 * double_double_bound::exp_absolute;
  }

  static CertifiedValue product(const CertifiedValue& a, const CertifiedValue& b) {
    const DoubleDouble value = a.value * b.value;
    const double size_a = std::abs(a.value.hi) * (1 + 0x1p-50), size_b = std::abs(b.value.hi) * (1 + 0x1p-50);
    if (size_a + a.radius == 0 || size_b + b.radius == 0) return {};
    return {value,
            size_a * b.radius + size_b * a.radius + a.radius * b.radius + 4 * u2 * std::abs(value.hi) + 0x1p-1060};
  }

  const GradientHead<double>& x_;
  const std::vector<KeyTile>& tiles_;
  LaneArithmetic lanes_;
};

/// The gradients of sequence n and head h of keys.
class CertifiedGroup {
 public:
  CertifiedGroup(const Case& c, std::int64_t n, std::int64_t h, const References* forward = nullptr)
      : c_(c), n_(n), h_(h) {
    for (std::int64_t g = 0; g < c.sizes[Axis::group]; ++g) {
      heads_.push_back(gradient_head_of<double>(c, n, h, g));
      if (forward != nullptr) take_forward(heads_.back(), *forward);
    }
  }

  void write(References& out) const {
    const Head<double>& first = heads_.front().forward;
    const std::size_t n = first.queries();
    const auto blocks = static_cast<std::size_t>(c_.op->uses(Axis::slot) ? c_.sizes[Axis::block] : 0);
    std::vector<KeyTile> tiles;
    for (std::size_t begin = 0; begin < n; begin += tile_rows) tiles.emplace_back(first, begin);
    Sums dk(n, first.k.cols()), dv(n, first.v.cols()), d_gates(n, blocks);
    for (const GradientHead<double>& head : heads_) {
      Sums dq(n, first.q.cols());
      CertifiedHead(head, tiles).add(dq, dk, dv, d_gates);
      for (std::size_t t = 0; t < n; ++t)
        write_row(out.at("dq"), head.forward.index[t], dq.row(t), first.scale,
                  [&](std::size_t f) { return query_has_support(head, t, f); });
    }
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t row = pair_index(c_, n_, j, h_);
      write_row(out.at("dk"), row, dk.row(j), first.scale, [&](std::size_t f) { return key_has_support(j, f); });
      write_row(out.at("dv"), row, dv.row(j), 1, [&](std::size_t i) { return value_has_support(j, i); });
      for (std::size_t m = 0; m < blocks; ++m) set(out.at("d_log_gate"), row * blocks + m, d_gates(j, m));
    }
  }

 private:
  /// A computed 0 without a term other than 0 is exactly that.
  template <class Support>
  static void write_row(Reference& out, std::size_t row, std::span<const CertifiedValue> sums, double factor,
                        Support has_support) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (sums[i].value.hi == 0 && !has_support(i)) continue;
      const DoubleDouble value = sums[i].value * factor;
      set(out, row * sums.size() + i, {value, sums[i].radius * std::abs(factor) + 4 * u2 * std::abs(value.hi)});
    }
  }

  /// C8: o and L of the certified forward in place of the stored ones.
  static void take_forward(GradientHead<double>& x, const References& forward) {
    const Reference &o = forward.at("o"), &lse = forward.at("lse");
    const std::size_t dv = x.o.cols();
    for (std::size_t t = 0; t < x.lse.size(); ++t) {
      const std::size_t row = x.forward.index[t];
      x.lse[t] = lse.hi[row];
      x.lse_error.push_back(std::abs(lse.lo[row]) + lse.radius[row]);
      double error = 0;
      for (std::size_t i = 0; i < dv; ++i) {
        const std::size_t at = row * dv + i;
        x.o(t, i) = o.hi[at];
        error += std::abs(x.d_output(t, i)) * (std::abs(o.lo[at]) + o.radius[at] + 0x1p-52 * std::abs(o.hi[at]));
      }
      x.delta_error.push_back(error * (1 + 0x1p-40));
    }
  }

  static bool is_lost(const GradientHead<double>& x, std::size_t t) {
    return x.lse[t] == -infinity || std::ranges::all_of(x.d_output.row(t), [](double d) { return d == 0; });
  }

  static bool reads(const GradientHead<double>& x, std::size_t t, std::size_t j) {
    return std::ranges::any_of(x.forward.reads[t],
                               [&](const KeyRange& range) { return range.begin <= j && j < range.end; });
  }

  static bool query_has_support(const GradientHead<double>& x, std::size_t t, std::size_t f) {
    if (is_lost(x, t)) return false;
    for (const KeyRange& range : x.forward.reads[t])
      for (std::size_t j = range.begin; j < range.end; ++j)
        if (x.forward.k(j, f) != 0) return true;
    return false;
  }

  bool key_has_support(std::size_t j, std::size_t f) const {
    for (const GradientHead<double>& x : heads_)
      for (std::size_t t = j; t < x.forward.queries(); ++t)
        if (x.forward.q(t, f) != 0 && !is_lost(x, t) && reads(x, t, j)) return true;
    return false;
  }

  bool value_has_support(std::size_t j, std::size_t i) const {
    for (const GradientHead<double>& x : heads_)
      for (std::size_t t = j; t < x.forward.queries(); ++t)
        if (x.d_output(t, i) != 0 && !is_lost(x, t) && reads(x, t, j)) return true;
    return false;
  }

  const Case& c_;
  std::int64_t n_, h_;
  std::vector<GradientHead<double>> heads_;
};

References gradients_of_heads(const Case& c, const References* forward) {
  References out = empty_references(c);
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h)
      if (length_of(c, n) > 0) CertifiedGroup(c, n, h, forward).write(out);
  return out;
}

}  // namespace

References certified_gradients(const Case& c) {
  return c.standard == Standard::exact ? gradients_of_winners(c) : gradients_of_heads(c, nullptr);
}

References end_to_end_gradients(const Case& c, const References& forward) { return gradients_of_heads(c, &forward); }

}  // namespace assay::sas
