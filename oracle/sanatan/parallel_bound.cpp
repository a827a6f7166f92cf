#include "oracle/sanatan/parallel_bound.hpp"

#include <algorithm>
#include <cmath>

#include "arith/integer_power.hpp"

namespace assay::sanatan {
namespace {

constexpr std::size_t keys_at_once = 128;

/// A weight (s/c)^p with the parts of its error in the sense of ScoreBound; or sums of such.
struct WeightBound {
  double value = 0;
  double size = 0;  ///< |w| + |δw|
  double deterministic = 0, variance = 0, row = 0, one_sided = 0;

  /// Both factors of a product lose `operand` of themselves on their way into it.
  WeightBound in_product(double operand) const {
    WeightBound w = *this;
    const double rounding = 2 * operand * size;
    w.deterministic += rounding;
    w.variance += rounding * rounding / 2;
    return w;
  }
};

/// |δ w| ≤ p (|s| + |δs|)^(p-1) |δs| / c^p; one rounding for the division by c and one a product come on top, of
/// numbers that may be subnormal. Clipped at 0 for four channels.
WeightBound weight_bound(const ScoreBound& s, const ParallelBound& b) {
  const double size = (std::abs(s.value) + s.deterministic) / b.scale;
  const double steepest = integer_power(size, b.power - 1), slope = b.power * steepest / b.scale;
  const bool scaled = b.power > 1 || b.scale != 1;
  const double floor = scaled ? b.power * integer_power(1 + size, b.power - 1) * b.units.eta : 0;
  const double roundings = (scaled ? 2.0 * b.power : 0.0) * b.units.u + b.units.weights;
  const double rounded = roundings * steepest * size;
  const double clipped = b.head.channels == 4 ? std::max(s.value, 0.0) : s.value;
  WeightBound w{.value = integer_power(clipped / b.scale, b.power),
                .deterministic = slope * s.deterministic + (1 + roundings) * rounded + floor,
                .variance = slope * slope * s.variance + rounded * rounded,
                .row = slope * s.row,
                .one_sided = slope * s.one_sided + floor};
  w.size = std::abs(w.value) + w.deterministic;
  return w;
}

/// Sums of numbers of type T over the keys of one row: a weight's parts times |v|.
template <class T>
struct KeySums {
  T value{}, size{}, deterministic{}, variance{}, row{}, one_sided{};
  T values{};  ///< |v|

  void add(const WeightBound& w, T v) {
    const T y = absolute(v);
    value = multiply_add(w.value, v, value);
    size = multiply_add(w.size, y, size);
    deterministic = multiply_add(w.deterministic, y, deterministic);
    variance = multiply_add(w.variance, y * y, variance);
    row = multiply_add(w.row, y, row);
    one_sided = multiply_add(w.one_sided, y, one_sided);
    values += y;
  }
};

KeySums<double> column(const KeySums<Columns>& s, std::size_t i) {
  return {s.value[i], s.size[i], s.deterministic[i], s.variance[i], s.row[i], s.one_sided[i], s.values[i]};
}

/// Sums over the keys of one row.
struct RowSums {
  std::vector<KeySums<Columns>> N;
  KeySums<double> D;

  /// Takes in the keys from `first` on that have these scores with row t.
  void add(const ParallelBound& b, std::size_t t, std::size_t first, std::span<const double> scores) {
    std::vector<WeightBound> weights;
    for (std::size_t j = 0; j < scores.size(); ++j) {
      const WeightBound w = weight_bound(score_bound(scores[j], b.q_norms[t], b.k_norms[first + j], b.score_units), b);
      D.add(w, 1.0);  // sums weights as they are
      weights.push_back(w.in_product(b.units.operand));
    }
    for (std::size_t block = 0; block < N.size(); ++block) {
      const std::span values = std::span(b.v[block]).subspan(first);
      KeySums<Columns> sums = N[block];
      for (std::size_t j = 0; j < weights.size(); ++j) sums.add(weights[j], values[j]);
      N[block] = sums;
    }
  }

  ReadoutBound bound(const ParallelBound& b, double keys) const {
    ReadoutBound all;
    for (std::size_t i = 0; i < b.head.dv; ++i)
      append(all, column(N[i / columns_a_block], i % columns_a_block), b, keys, b.units.truncation);
    append(all, D, b, keys, 0);
    return all;
  }

 private:
  void append(ReadoutBound& all, const KeySums<double>& sum, const ParallelBound& b, double keys,
              double truncation) const {
    const double u = b.units.u, eta = b.units.eta;
    const double tiles = std::ceil(keys / static_cast<double>(std::max<std::int64_t>(b.contract.chunk, 1)));
    const double height = b.contract.value_height > 0 ? static_cast<double>(b.contract.value_height) + tiles - 1 : keys;
    const double floor = b.units.small * (keys + D.size + sum.values), truncated = truncation * sum.size;
    const double rounded = height * u * (1 + height * u) * sum.size + keys * eta;
    const double deterministic = (sum.deterministic + floor + rounded + truncated) * enlarged(keys);
    const double spread = sum.variance + sum.row * sum.row + height * (u * sum.size) * (u * sum.size);
    const double second_order = (height + static_cast<double>(b.contract.score_height)) * u * deterministic;
    const double one_sided = sum.one_sided + floor + truncated + keys * eta + second_order;
    all.value.push_back(sum.value);
    all.deterministic.push_back(deterministic);
    all.statistical.push_back(std::min(deterministic, (8 * std::sqrt(spread) + one_sided) * enlarged(keys)));
  }
};

}  // namespace

ParallelBound::ParallelBound(const Head<double>& head, const FeatureError& q, const FeatureError& k,
                             const Contract& contract, int power, double scale, const RoundingUnits& units)
    : head(head),
      contract(contract),
      units(units),
      score_units(static_cast<double>(contract.score_height), head.width(), units),
      q(q.phi),
      k(k.phi),
      q_norms(token_norms(q, head.channels, units.operand)),
      k_norms(token_norms(k, head.channels, units.operand)),
      v(column_blocks(head.dv)),
      power(power),
      scale(scale) {
  for (std::size_t j = 0; j < head.T; ++j) {
    const std::vector<Columns> row = in_blocks(head.v.row(j));
    for (std::size_t b = 0; b < v.size(); ++b) v[b].push_back(row[b]);
  }
}

std::vector<ReadoutBound> ParallelBound::read(RowRange rows, std::size_t begin) const {
  std::vector<RowSums> sums(rows.count(), RowSums{std::vector<KeySums<Columns>>(v.size()), {}});
  for (std::size_t first = begin; first < rows.end; first += keys_at_once) {
    const RowRange keys = {first, std::min(first + keys_at_once, rows.end)};
    const Matrix<double> scores = row_products(q, rows, k, keys);
    for (std::size_t t = std::max(rows.first, first); t < rows.end; ++t)
      sums[t - rows.first].add(*this, t, first, scores.row(t - rows.first).first(std::min(keys.end, t + 1) - first));
  }
  std::vector<ReadoutBound> bounds;
  for (std::size_t t = rows.first; t < rows.end; ++t)
    bounds.push_back(sums[t - rows.first].bound(*this, static_cast<double>(t + 1 - begin)));
  return bounds;
}

}  // namespace assay::sanatan
