#include "oracle/sanatan/certified_parallel.hpp"

#include <algorithm>
#include <cmath>

#include "arith/integer_power.hpp"
#include "arith/windowed_sums.hpp"
#include "oracle/sanatan/certified_features.hpp"
#include "oracle/sanatan/certified_quotient.hpp"

namespace assay::sanatan {
namespace {

constexpr double u2 = 0x1p-106;
constexpr std::size_t tile = 128;

/// Keys begin ... begin + count: Φ_k transposed and cut into high and low words, and the values with a column of ones.
class KeyTile {
 public:
  KeyTile(const LaneArray& phi_k, const Matrix<double>& v, std::size_t begin)
      : begin_(begin),
        count_(std::min(tile, phi_k.rows() - begin)),
        high_(phi_k.lanes(), count_, transposed(phi_k, begin, count_, true)),
        low_(phi_k.lanes(), count_, transposed(phi_k, begin, count_, false)),
        values_(count_, v.cols() + 1, with_ones(v, begin, count_)) {}

  std::size_t begin() const { return begin_; }
  std::size_t count() const { return count_; }
  const ScaledRows& values() const { return values_; }

  /// Whether column i of the values is all 0; its scale says nothing then.
  bool empty(std::size_t i) const {
    for (std::size_t j = 0; j < count_; ++j)
      if (values_.row(j)[i] != 0) return false;
    return true;
  }

  /// s_tj for the tile's keys, and one radius for all of them.
  std::vector<CertifiedValue> scores(const LaneArray& phi_q_row, const LaneArithmetic& lanes) const {
    const RowSums high = weighted_sum_of_rows(phi_q_row, high_, lanes),
                  low = weighted_sum_of_rows(phi_q_row, low_, lanes);
    std::vector<CertifiedValue> s(count_);
    for (std::size_t j = 0; j < count_; ++j) {
      const DoubleDouble sum = high.sums.at(0, j) + low.sums.at(0, j);
      s[j] = {sum, high.radius * high_.scale(j) + low.radius * low_.scale(j) + 4 * u2 * std::abs(sum.hi)};
    }
    return s;
  }

 private:
  static std::vector<double> transposed(const LaneArray& phi, std::size_t begin, std::size_t count, bool high) {
    std::vector<double> rows(phi.lanes() * count);
    for (std::size_t f = 0; f < phi.lanes(); ++f)
      for (std::size_t j = 0; j < count; ++j) {
        const DoubleDouble x = phi.at(begin + j, f);
        rows[f * count + j] = high ? x.hi : x.lo;
      }
    return rows;
  }

  static std::vector<double> with_ones(const Matrix<double>& v, std::size_t begin, std::size_t count) {
    std::vector<double> rows;
    for (std::size_t j = begin; j < begin + count; ++j) {
      rows.insert(rows.end(), v.row(j).begin(), v.row(j).end());
      rows.push_back(1);
    }
    return rows;
  }

  std::size_t begin_, count_;
  ScaledRows high_, low_, values_;
};

/// max(s, 0)^p: p - 1 products of 4u², and p |s|^(p-1) |δs| at its largest.
CertifiedValue weight(CertifiedValue s, int p, bool clip) {
  if (clip && s.value.hi < 0) s.value = DoubleDouble(0);
  const double size = std::abs(s.value.hi) + s.radius;
  return {integer_power(s.value, p),
          p * std::pow(size, p - 1) * s.radius * (1 + 0x1p-40) + 4 * p * u2 * std::pow(size, p)};
}

}  // namespace

void certify_parallel(const Case& c, std::int64_t n, std::int64_t h, References& out) {
  const Head<double> x = head_of<double>(c, n, h);
  const CertifiedFeatures q = certified_features(c, x, Side::query), k = certified_features(c, x, Side::key);
  const int p = static_cast<int>(c.parameter("p"));
  const LaneArithmetic lanes;
  // |φ| ≤ 1 for computed features; given ones have radius 0.
  double feature_part = 0;
  const std::vector<double> e_q = q.radius_by_feature(), e_k = k.radius_by_feature();
  for (std::size_t f = 0; f < x.width(); ++f) feature_part += e_q[f] + e_k[f] + e_q[f] * e_k[f];
  Matrix<DoubleDouble> sums(x.T, x.dv + 1);
  Matrix<double> radii(x.T, x.dv + 1);
  Matrix<char> met(x.T, x.dv + 1);  // whether anything but 0 has been added: before that the sum is exactly 0
  for (std::size_t begin = 0; begin < x.T; begin += tile) {
    const KeyTile keys(k.phi, x.v, begin);
    for (std::size_t t = begin; t < x.T; ++t) {
      LaneArray row(1, x.width());
      for (std::size_t f = 0; f < x.width(); ++f) row.set(0, f, q.phi.at(t, f));
      std::vector<CertifiedValue> s = keys.scores(row, lanes);
      LaneArray weights(1, keys.count());
      const std::size_t seen = std::min(keys.count(), t + 1 - begin);
      for (std::size_t j = 0; j < seen; ++j) {
        s[j].radius += feature_part;
        const CertifiedValue w = weight(s[j], p, x.channels == 4);
        weights.set(0, j, w.value);
        for (std::size_t i = 0; i < x.dv; ++i) radii(t, i) += w.radius * std::abs(x.v(begin + j, i));
        radii(t, x.dv) += w.radius;
      }
      for (std::size_t j = 0; j < seen; ++j)
        for (std::size_t i = 0; i <= x.dv; ++i) met(t, i) = met(t, i) || i == x.dv || x.v(begin + j, i) != 0;
      const RowSums part = weighted_sum_of_rows(weights, keys.values(), lanes);
      for (std::size_t i = 0; i <= x.dv; ++i) {
        sums(t, i) = sums(t, i) + part.sums.at(0, i);
        if (met(t, i))
          radii(t, i) += part.radius * (keys.empty(i) ? 0 : keys.values().scale(i)) + 4 * u2 * std::abs(sums(t, i).hi);
      }
    }
  }
  const DoubleDouble eps_raw =
      integer_power(DoubleDouble(c.parameter("normaliser")), p) * DoubleDouble(c.parameter("eps"));
  for (std::size_t t = 0; t < x.T; ++t)
    for (std::size_t i = 0; i < x.dv; ++i)
      set(out.at("o"), row_offset(c, n, t, h, x.dv) + i,
          quotient({sums(t, i), radii(t, i)}, {sums(t, x.dv), radii(t, x.dv)}, eps_raw));
}

}  // namespace assay::sanatan
