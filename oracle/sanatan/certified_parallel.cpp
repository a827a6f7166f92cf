#include "oracle/sanatan/certified_parallel.hpp"

#include <algorithm>
#include <cmath>

#include "arith/integer_power.hpp"
#include "arith/windowed_sums.hpp"
#include "oracle/certified_quotient.hpp"
#include "oracle/certified_value.hpp"
#include "oracle/row_products.hpp"
#include "oracle/sanatan/certified_features.hpp"

namespace assay::sanatan {
namespace {

constexpr double u = 0x1p-53, u2 = 0x1p-106;
constexpr std::size_t tile = 128;

/// Entries f(i, j).
template <class F>
Matrix<double> matrix_of(std::size_t rows, std::size_t cols, const F& f) {
  Matrix<double> m(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) m(i, j) = f(i, j);
  return m;
}

ScaledRows scaled(const Matrix<double>& m) { return {m.rows(), m.cols(), std::span(&m(0, 0), m.rows() * m.cols())}; }

/// Keys begin ... begin + count of a head: the high and the low words of their features apart, and their values with a
/// column of ones.
class KeyTile {
 public:
  KeyTile(const LaneArray& phi_k, const Matrix<double>& v, std::size_t begin)
      : KeyTile(begin,
                matrix_of(std::min(tile, phi_k.rows() - begin), v.cols() + 1,
                          [&](std::size_t j, std::size_t i) { return i < v.cols() ? v(begin + j, i) : 1; }),
                phi_k) {}

  std::size_t begin() const { return begin_; }
  std::size_t count() const { return values_.rows(); }
  const ScaledRows& high() const { return high_; }
  const BlockedRows& low() const { return low_; }
  const ScaledRows& values() const { return values_; }
  const BlockedRows& magnitudes() const { return magnitudes_; }  ///< |v| [column, key]

  /// Of s_tj in units of |φ_q| ≤ 1, for the low words alone: their products with the high words of φ_q are summed in
  /// double, and those with the low words are left out.
  double low_radius(std::size_t j) const { return low_radius_[j]; }

  /// What a radius of the sums over the values is in units of, for column i.
  double scale(std::size_t i) const { return scale_[i]; }

 private:
  KeyTile(std::size_t begin, const Matrix<double>& v, const LaneArray& phi_k)
      : begin_(begin),
        high_(scaled(matrix_of(phi_k.lanes(), v.rows(),
                               [&](std::size_t f, std::size_t j) { return phi_k.at(begin + j, f).hi; }))),
        low_(matrix_of(v.rows(), phi_k.lanes(),
                       [&](std::size_t j, std::size_t f) { return phi_k.at(begin + j, f).lo; })),
        values_(scaled(v)),
        magnitudes_(matrix_of(v.cols(), v.rows(), [&](std::size_t i, std::size_t j) { return std::abs(v(j, i)); })) {
    for (std::size_t j = 0; j < v.rows(); ++j) {
      double sum = 0;
      for (std::size_t f = 0; f < phi_k.lanes(); ++f) sum += std::abs(phi_k.at(begin + j, f).lo);
      low_radius_.push_back(static_cast<double>(low_.blocks() + 4) * u * sum);
    }
    for (std::size_t i = 0; i < v.cols(); ++i) {
      bool empty = true;
      for (std::size_t j = 0; j < v.rows(); ++j) empty = empty && v(j, i) == 0;
      scale_.push_back(empty ? 0 : values_.scale(i));
    }
  }

  std::size_t begin_;
  ScaledRows high_;  ///< [feature, key]
  BlockedRows low_;  ///< [key, feature]
  ScaledRows values_;
  BlockedRows magnitudes_;
  std::vector<double> low_radius_, scale_;
};

/// max(s, 0)^p: p - 1 products of 4u², and p |s|^(p-1) |δs| at its largest.
CertifiedValue weight(CertifiedValue s, int p, bool clip) {
  if (clip && s.value.hi < 0) s.value = DoubleDouble(0);
  const double size = std::abs(s.value.hi) + s.radius, steepest = integer_power(size, p - 1);
  return {integer_power(s.value, p), p * steepest * s.radius * (1 + 0x1p-40) + 4 * p * u2 * steepest * size};
}

/// N and D of the causal double sum of one head, D the last column (certificate.md C4).
class DoubleSum {
 public:
  DoubleSum(const Head<double>& x, const CertifiedFeatures& q, const CertifiedFeatures& k, int p)
      : x_(x),
        q_(q.phi),
        q_high_(matrix_of(x.T, x.width(), [&](std::size_t t, std::size_t f) { return q.phi.at(t, f).hi; })),
        p_(p),
        first_value_(x.dv + 1, 0),
        sums_(x.T, x.dv + 1),
        radii_(x.T, x.dv + 1) {
    // |φ| ≤ 1 for computed features; given ones have radius 0.
    const std::vector<double> e_q = q.radius_by_feature(), e_k = k.radius_by_feature();
    for (std::size_t f = 0; f < x.width(); ++f) feature_radius_ += e_q[f] + e_k[f] + e_q[f] * e_k[f];
    for (std::size_t i = 0; i < x.dv; ++i)
      while (first_value_[i] < x.T && x.v(first_value_[i], i) == 0) ++first_value_[i];
    for (std::size_t begin = 0; begin < x.T; begin += tile) {
      const KeyTile keys(k.phi, x.v, begin);
      for (std::size_t first = begin; first < x.T; first += tile) add(keys, {first, std::min(first + tile, x.T)});
    }
  }

  CertifiedValue at(std::size_t t, std::size_t i) const { return {sums_(t, i), radii_(t, i)}; }

 private:
  /// s_tj for the keys of the tile that row t sees, from the sums of the high words and what the low words add.
  std::vector<CertifiedValue> scores(const KeyTile& keys, RowRange rows, std::size_t t, const RowSums& high,
                                     const Matrix<double>& low) const {
    const std::size_t i = t - rows.first;
    std::vector<CertifiedValue> s(std::min(keys.count(), t + 1 - keys.begin()));
    for (std::size_t j = 0; j < s.size(); ++j) {
      const DoubleDouble sum = high.sums.at(i, j) + DoubleDouble(low(i, j));
      s[j] = {sum,
              high.radius[i] * keys.high().scale(j) + keys.low_radius(j) + 4 * u2 * std::abs(sum.hi) + feature_radius_};
    }
    return s;
  }

  void add(const KeyTile& keys, RowRange rows) {
    const RowRange tile_keys = {0, keys.count()}, columns = {0, x_.dv + 1};
    const RowSums high = weighted_sums_of_rows(FeatureRows(q_).part(rows.first, rows.count()), keys.high(), lanes_);
    const Matrix<double> low = row_products(q_high_, rows, keys.low(), tile_keys);
    LaneArray weights(rows.count(), keys.count());
    Matrix<double> weight_radii(rows.count(), keys.count());
    for (std::size_t t = rows.first; t < rows.end; ++t) {
      const std::vector<CertifiedValue> s = scores(keys, rows, t, high, low);
      for (std::size_t j = 0; j < s.size(); ++j) {
        const CertifiedValue w = weight(s[j], p_, x_.channels == 4);
        weights.set(t - rows.first, j, w.value);
        weight_radii(t - rows.first, j) = w.radius;
      }
    }
    add(keys, rows, weighted_sums_of_rows(weights, keys.values(), lanes_));
    const Matrix<double> propagated =
        row_products(BlockedRows(weight_radii), {0, rows.count()}, keys.magnitudes(), columns);
    for (std::size_t t = rows.first; t < rows.end; ++t)
      for (std::size_t i = 0; i < columns.end; ++i) radii_(t, i) += propagated(t - rows.first, i);
  }

  /// Before the first value other than 0 the sum is exactly 0.
  void add(const KeyTile& keys, RowRange rows, const RowSums& parts) {
    for (std::size_t t = rows.first; t < rows.end; ++t)
      for (std::size_t i = 0; i <= x_.dv; ++i) {
        const std::size_t r = t - rows.first;
        sums_(t, i) = sums_(t, i) + parts.sums.at(r, i);
        if (t >= first_value_[i]) radii_(t, i) += parts.radius[r] * keys.scale(i) + 4 * u2 * std::abs(sums_(t, i).hi);
      }
  }

  const Head<double>& x_;
  const LaneArray& q_;
  BlockedRows q_high_;
  int p_;
  LaneArithmetic lanes_;
  double feature_radius_ = 0;             ///< of a score
  std::vector<std::size_t> first_value_;  ///< of each column, the first token that adds anything but 0
  Matrix<DoubleDouble> sums_;
  Matrix<double> radii_;
};

}  // namespace

void certify_parallel(const Case& c, std::int64_t n, std::int64_t h, References& out) {
  const Head<double> x = head_of<double>(c, n, h);
  const int p = static_cast<int>(c.parameter("p"));
  const CertifiedFeatures q = certified_features(c, x, Side::query), k = certified_features(c, x, Side::key);
  const DoubleSum sum(x, q, k, p);
  const DoubleDouble eps_raw =
      integer_power(DoubleDouble(c.parameter("normaliser")), p) * DoubleDouble(c.parameter("eps"));
  for (std::size_t t = 0; t < x.T; ++t)
    for (std::size_t i = 0; i < x.dv; ++i)
      set(out.at("o"), row_offset(c, n, t, h, x.dv) + i, quotient(sum.at(t, i), sum.at(t, x.dv), eps_raw));
}

}  // namespace assay::sanatan
