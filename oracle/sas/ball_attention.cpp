#include "oracle/sas/ball_attention.hpp"

#include <cmath>
#include <limits>

#include "arith/arb.hpp"
#include "oracle/certified_value.hpp"
#include "oracle/sas/head.hpp"

namespace assay::sas {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Numbers of Arb side by side, as its inner products take them.
class ArbVector {
 public:
  explicit ArbVector(std::size_t count) : count_(static_cast<slong>(count)), x_(_arb_vec_init(count_)) {}
  explicit ArbVector(const Matrix<double>& m) : ArbVector(m.rows() * m.cols()) {
    for (std::size_t i = 0; i < m.rows(); ++i)
      for (std::size_t j = 0; j < m.cols(); ++j) arb_set_d(at(i * m.cols() + j), m(i, j));
  }
  ArbVector(const ArbVector&) = delete;
  ArbVector& operator=(const ArbVector&) = delete;
  ~ArbVector() { _arb_vec_clear(x_, count_); }

  arb_ptr at(std::size_t i) const { return x_ + i; }

 private:
  slong count_;
  arb_ptr x_;
};

/// The midpoint in two doubles, and what it and the ball leave open.
CertifiedValue value_of(arb_srcptr x) {
  const Arb ball(x);
  const DoubleDouble mid = ball.mid();
  return {mid, ball.radius() + 0x1p-105 * std::abs(mid.hi)};
}

class BallHead {
 public:
  BallHead(const Head<double>& x, std::int64_t bits)
      : x_(x), bits_(bits), q_(x.q), k_(x.k), v_(x.v), scalars_(4), w_(x.k.rows()) {}

  void write(References& out) const {
    arb_set_d(scale(), x_.scale);
    for (std::size_t t = 0; t < x_.queries(); ++t) write_row(t, out);
  }

 private:
  arb_ptr scale() const { return scalars_.at(0); }
  arb_ptr sum() const { return scalars_.at(1); }
  arb_ptr reference() const { return scalars_.at(2); }
  arb_ptr entry() const { return scalars_.at(3); }

  /// Logits of the keys of a row, in place of those weights; 0 keys where there are none.
  std::vector<std::size_t> take_logits(std::size_t t) const {
    std::vector<std::size_t> keys;
    const auto d = static_cast<slong>(x_.q.cols());
    for (const KeyRange& range : x_.reads[t]) {
      const double gate = x_.outside ? 0 : x_.gate(t, range);
      for (std::size_t j = range.begin; gate != -infinity && j < range.end; ++j) {
        arb_ptr const z = w_.at(keys.size());
        keys.push_back(j);
        arb_dot(z, nullptr, 0, q_.at(t * x_.q.cols()), 1, k_.at(j * x_.k.cols()), 1, d, bits_);
        arb_mul(z, z, scale(), bits_);
        arb_set_d(entry(), gate);
        if (gate != 0) arb_add(z, z, entry(), bits_);
      }
    }
    return keys;
  }

  void write_row(std::size_t t, References& out) const {
    const std::vector<std::size_t> keys = take_logits(t);
    Reference& lse = out.at("lse");
    if (keys.empty()) {
      lse.hi[x_.index[t]] = -infinity;
      return;
    }
    std::size_t largest = 0;
    for (std::size_t i = 1; i < keys.size(); ++i)
      if (arf_cmp(arb_midref(w_.at(i)), arb_midref(w_.at(largest))) > 0) largest = i;
    arb_set(reference(), w_.at(largest));
    arb_zero(sum());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      arb_sub(w_.at(i), w_.at(i), reference(), bits_);
      arb_exp(w_.at(i), w_.at(i), bits_);
      arb_add(sum(), sum(), w_.at(i), bits_);
    }
    if (x_.outside) take_gates(t);
    write_means(t, keys, out.at("o"));
    arb_log(entry(), sum(), bits_);
    arb_add(entry(), entry(), reference(), bits_);
    set(lse, x_.index[t], value_of(entry()));
  }

  void take_gates(std::size_t t) const {
    std::size_t i = 0;
    for (const KeyRange& range : x_.reads[t]) {
      arb_set_d(entry(), x_.gate(t, range));
      arb_exp(entry(), entry(), bits_);
      for (std::size_t j = range.begin; j < range.end; ++j, ++i) arb_mul(w_.at(i), w_.at(i), entry(), bits_);
    }
  }

  /// Neighbouring keys are rows of v one after another: one inner product a run of them.
  void write_means(std::size_t t, const std::vector<std::size_t>& keys, Reference& o) const {
    const std::size_t dv = x_.v.cols();
    for (std::size_t column = 0; column < dv; ++column) {
      arb_zero(entry());
      for (std::size_t first = 0, end = 0; first < keys.size(); first = end) {
        for (end = first + 1; end < keys.size() && keys[end] == keys[end - 1] + 1;) ++end;
        arb_dot(entry(), entry(), 0, w_.at(first), 1, v_.at(keys[first] * dv + column), static_cast<slong>(dv),
                static_cast<slong>(end - first), bits_);
      }
      arb_div(entry(), entry(), sum(), bits_);
      set(o, x_.index[t] * dv + column, value_of(entry()));
    }
  }

  const Head<double>& x_;
  slong bits_;
  ArbVector q_, k_, v_, scalars_, w_;
};

}  // namespace

References attention_in_balls(const Case& c, std::int64_t bits) {
  References out = empty_references(c);
  for_each_head(c, [&](std::int64_t n, std::int64_t h, std::int64_t g) {
    const Head<double> x = head_of<double>(c, n, h, g);
    BallHead(x, bits).write(out);
  });
  return out;
}

}  // namespace assay::sas
