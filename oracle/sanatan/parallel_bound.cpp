#include "oracle/sanatan/parallel_bound.hpp"

#include <algorithm>
#include <cmath>

#include "arith/integer_power.hpp"

namespace assay::sanatan {
namespace {

/// A weight (s/c)^p, clipped at 0 for four channels, with the parts of its error in the sense of ScoreBound.
struct WeightBound {
  double value, deterministic, own, row, one_sided;
};

/// |δ w| ≤ p (|s| + |δs|)^(p-1) |δs| / c^p; one rounding for the division by c and one a product come on top, of
/// numbers that may be subnormal.
WeightBound weight_bound(const ScoreBound& s, const ParallelBound& b) {
  const double size = std::abs(s.value) + s.deterministic;
  const double slope = b.power * integer_power(size / b.scale, b.power - 1) / b.scale;
  const double largest = integer_power(size / b.scale, b.power);
  const bool scaled = b.power > 1 || b.scale != 1;
  const double floor = scaled ? b.power * integer_power(1 + size / b.scale, b.power - 1) * b.units.eta : 0;
  const double roundings = (scaled ? 2.0 * b.power : 0.0) * b.units.u + b.units.weights;
  const double clipped = b.head.channels == 4 ? std::max(s.value, 0.0) : s.value;
  return {.value = integer_power(clipped / b.scale, b.power),
          .deterministic = slope * s.deterministic + roundings * (1 + roundings) * largest + floor,
          .own = std::hypot(slope * s.own, roundings * largest),
          .row = slope * s.row,
          .one_sided = slope * s.one_sided + floor};
}

/// Sums over the keys of one row, a column of N each and D last.
struct ColumnSums {
  std::vector<double> value, worst, variance, row, one_sided, absolute;

  explicit ColumnSums(std::size_t columns)
      : value(columns, 0.0),
        worst(columns, 0.0),
        variance(columns, 0.0),
        row(columns, 0.0),
        one_sided(columns, 0.0),
        absolute(columns, 0.0) {}

  /// The weight times v, whose operands' roundings add `operands` to the weight's error.
  void add(const WeightBound& weight, std::span<const double> v, double operands, double small) {
    const WeightBound w = weight;  // A copy, which no store below can change, lets the loop run on vectors.
    const double size = std::abs(w.value) + w.deterministic;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double y = std::abs(v[i]), floor = small * (1 + size + y);
      value[i] += w.value * v[i];
      absolute[i] += size * y;
      worst[i] += (w.deterministic + operands) * y + floor;
      variance[i] += (w.own * w.own + operands * operands / 2) * y * y;
      row[i] += w.row * y;
      one_sided[i] += w.one_sided * y + floor;
    }
  }

  void add_last(const WeightBound& w, double small) {
    const double size = std::abs(w.value) + w.deterministic, floor = small * (2 + size);
    value.back() += w.value;
    absolute.back() += size;
    worst.back() += w.deterministic + floor;
    variance.back() += w.own * w.own;
    row.back() += w.row;
    one_sided.back() += w.one_sided + floor;
  }
};

}  // namespace

ParallelBound::ParallelBound(const Head<double>& head, const FeatureError& q, const FeatureError& k,
                             const Contract& contract, int power, double scale, const RoundingUnits& units)
    : head(head),
      q(q),
      k(k),
      contract(contract),
      units(units),
      q_norms(token_norms(q, head.channels, units.operand)),
      k_norms(token_norms(k, head.channels, units.operand)),
      power(power),
      scale(scale) {}

ReadoutBound ParallelBound::read(std::size_t t, std::size_t begin) const {
  const std::size_t columns = head.dv + 1;
  ColumnSums sums(columns);
  for (std::size_t j = begin; j <= t; ++j) {
    const ScoreBound s = score_bound(score_of(q.phi.row(t), k.phi.row(j)), q_norms[t], k_norms[j],
                                     static_cast<double>(contract.score_height), head.width(), units);
    const WeightBound w = weight_bound(s, *this);
    sums.add(w, head.v.row(j), 2 * units.operand * (std::abs(w.value) + w.deterministic), units.small);
    // D sums weights as they are.
    sums.add_last(w, units.small);
  }
  const double keys = static_cast<double>(t + 1 - begin);
  const double tiles = std::ceil(keys / static_cast<double>(std::max<std::int64_t>(contract.chunk, 1)));
  const double height = contract.value_height > 0 ? static_cast<double>(contract.value_height) + tiles - 1 : keys;
  ReadoutBound bound{sums.value, std::vector<double>(columns), std::vector<double>(columns)};
  for (std::size_t i = 0; i < columns; ++i) {
    const double truncated = i + 1 < columns ? units.truncation * sums.absolute[i] : 0;
    const double rounded = height * units.u * (1 + height * units.u) * sums.absolute[i] + keys * units.eta;
    bound.deterministic[i] = (sums.worst[i] + rounded + truncated) * enlarged(keys);
    const double spread = sums.variance[i] + sums.row[i] * sums.row[i] +
                          height * (units.u * sums.absolute[i]) * (units.u * sums.absolute[i]);
    const double second_order =
        (height + static_cast<double>(contract.score_height)) * units.u * bound.deterministic[i];
    bound.statistical[i] = std::min(
        bound.deterministic[i],
        (8 * std::sqrt(spread) + sums.one_sided[i] + truncated + keys * units.eta + second_order) * enlarged(keys));
  }
  return bound;
}

}  // namespace assay::sanatan
