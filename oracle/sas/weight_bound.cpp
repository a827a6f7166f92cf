#include "oracle/sas/weight_bound.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "oracle/operand_fit.hpp"

namespace assay::sas {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The largest power of two that divides x; infinite for 0.
double unit_of(double x) {
  if (x == 0) return infinity;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(x), &exponent);
  return std::ldexp(1.0, exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(std::ldexp(fraction, 53))));
}

bool is_power_of_two(double x) { return unit_of(x) == std::abs(x); }

}  // namespace

double elementary_unit(const Contract& contract, const RoundingUnits& units, std::string_view function) {
  const auto ulps = contract.elementary_ulp.find(function);
  return ulps == contract.elementary_ulp.end() ? 0 : 2 * units.u * ulps->second;
}

/// A logit with its error in the parts of KeyBound.
struct WeightBounds::Logit {
  double value, worst, variance, one_sided;
};

WeightBounds::WeightBounds(const Head<double>& x, const Contract& contract, const RoundingUnits& units)
    : x_(x),
      contract_(contract),
      units_(units),
      exp_unit_(elementary_unit(contract, units_, "exp")),
      exact_scale_(is_power_of_two(x.scale)),
      q_(x.q),
      k_(x.k),
      of_q_(tokens_of(x.q)),
      of_k_(tokens_of(x.k)) {}

std::vector<WeightBounds::Token> WeightBounds::tokens_of(const Matrix<double>& m) const {
  std::vector<Token> tokens;
  for (std::size_t t = 0; t < m.rows(); ++t) {
    Token token{0, 0, infinity, 0};
    for (const double x : m.row(t)) {
      token.norm += x * x;
      token.largest = std::max(token.largest, std::abs(x));
      token.unit = std::min(token.unit, unit_of(x));
      if (!fits_one_word(contract_, x)) token.operand = units_.operand;
    }
    token.norm = std::sqrt(token.norm);
    tokens.push_back(token);
  }
  return tokens;
}

/// B1.
WeightBounds::Logit WeightBounds::logit(const Token& q, const Token& k, double dot, double log_gate) const {
  const double u = units_.u, h = static_cast<double>(contract_.score_height), scale = std::abs(x_.scale);
  const double size = scale * q.norm * k.norm, z = x_.scale * dot, logit = z + log_gate;
  const bool exact = q.operand + k.operand == 0 && q.norm * k.norm <= q.unit * k.unit / u;
  const double summed = exact ? 0 : h * u * (1 + h * u) * size;
  const double of_scale = exact_scale_ ? 0 : u * std::abs(z), of_gate = log_gate == 0 ? 0 : u * std::abs(logit);
  const double floor =
      scale * (static_cast<double>(x_.q.cols()) * units_.eta + units_.small * (q.norm + k.norm)) + units_.eta;
  const double truncated = (exact ? 0 : units_.truncation) * size + floor;
  const double of_key = k.operand * size;
  // The roundings of q are shared by all keys of the row: 8 deviations of each add up.
  const double of_query = std::min(q.operand * size, 8 * q.operand * scale * q.largest * k.norm);
  const double operands = (q.operand + k.operand + q.operand * k.operand) * size;
  const double worst = (summed + truncated + operands + of_scale + of_gate) * (1 + 4 * u);
  const double deviation = exact ? 0 : std::sqrt(h) * u * size;
  return {logit, worst, deviation * deviation + of_key * of_key + of_scale * of_scale + of_gate * of_gate,
          truncated + of_query + 4 * u * worst};
}

double WeightBounds::tiles_of(const std::vector<KeyRange>& ranges) const {
  const auto chunk = static_cast<std::size_t>(std::max<std::int64_t>(contract_.chunk, 1));
  if (contract_.algorithm == Algorithm::decode)
    return std::ceil(static_cast<double>(ranges.back().end) / static_cast<double>(chunk));
  std::size_t tiles = 0;
  for (const KeyRange& range : ranges) tiles += (range.end - range.begin + chunk - 1) / chunk;
  return static_cast<double>(tiles);
}

/// How often at most a tile raises the largest logit; decode brings every split to one reference, once.
double WeightBounds::rescalings(const std::vector<KeyRange>& ranges, const RowBound& row) const {
  if (contract_.algorithm == Algorithm::decode) return 1;
  const auto chunk = static_cast<std::size_t>(std::max<std::int64_t>(contract_.chunk, 1));
  double count = -1, largest = -infinity;
  std::size_t at = 0;
  for (const KeyRange& range : ranges)
    for (std::size_t begin = range.begin; begin < range.end; begin += chunk) {
      double of_tile = -infinity;
      for (std::size_t j = begin; j < std::min(begin + chunk, range.end); ++j)
        of_tile = std::max(of_tile, row.keys[at++].logit);
      if (of_tile == -infinity || of_tile < largest - 2 * row.logit_error) continue;
      largest = std::max(largest, of_tile);
      ++count;
    }
  return std::max(count, 0.0);
}

double WeightBounds::base_error(double logit, double largest, double rescaled) const {
  return contract_.base_two ? (2 + rescaled) * units_.u * (std::abs(logit) + std::abs(largest)) : 0;
}

double WeightBounds::of_weight() const {
  return contract_.wide_normaliser || contract_.divides_weights ? 0 : units_.weights;
}

double WeightBounds::narrowed(const KeyBound& key) const {
  return (units_.weights + (contract_.divides_weights ? units_.u : 0)) * (1 + key.worst);
}

/// The keys that a query reads, with their shares of a row with this L.
std::vector<WeightBounds::Logit> WeightBounds::take_keys(std::size_t t, double L, RowBound& row) const {
  std::vector<Logit> logits;
  const auto chunk = static_cast<std::size_t>(std::max<std::int64_t>(contract_.chunk, 1));
  for (std::size_t first_tile = 0; const KeyRange& range : x_.reads[t]) {
    const double gate = x_.gate(t, range);
    const Matrix<double> dots = row_products(q_, {t, t + 1}, k_, {range.begin, range.end});
    for (std::size_t j = range.begin; j < range.end; ++j) {
      logits.push_back(logit(of_q_[t], of_k_[j], dots(0, j - range.begin), x_.outside ? 0 : gate));
      const double x = logits.back().value;
      row.keys.push_back(
          {.key = j, .tile = first_tile + (j - range.begin) / chunk, .logit = x, .share = std::exp(x - L)});
      if (x_.outside) row.keys.back().factor = std::exp(gate);
      // Its own block has the factor 1, exactly.
      if (x_.outside) row.keys.back().of_factor = (gate == 0 ? 0 : exp_unit_ + units_.u) + of_weight();
    }
    first_tile += (range.end - range.begin + chunk - 1) / chunk;
  }
  return logits;
}

RowBound WeightBounds::recomputed(std::size_t t, double L) const {
  RowBound row;
  if (!std::isfinite(L)) return row;
  const std::vector<Logit> logits = take_keys(t, L, row);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const Logit& x = logits[i];
    KeyBound& key = row.keys[i];
    if (x.value == -infinity) continue;
    const double of_difference = units_.u * (std::abs(x.value - L) + x.worst);
    const double of_base = base_error(x.value, L, 0), worst = x.worst + of_difference + of_base + exp_unit_;
    key.worst = std::expm1(std::min(worst, 700.0));
    key.deviation = std::sqrt(x.variance + of_difference * of_difference);
    key.one_sided = x.one_sided + of_base + exp_unit_ + (key.worst - worst);
  }
  return row;
}

RowBound WeightBounds::of(std::size_t t, double L) const {
  const std::vector<KeyRange>& ranges = x_.reads[t];
  RowBound row;
  if (ranges.empty() || !std::isfinite(L)) return row;
  const double u = units_.u;
  const std::vector<Logit> logits = take_keys(t, L, row);
  row.largest_logit = -infinity;
  double second = -infinity;
  for (const Logit& x : logits) {
    if (x.value == -infinity) continue;
    second = std::max(second, std::min(row.largest_logit, x.value));
    row.largest_logit = std::max(row.largest_logit, x.value);
    row.logit_error = std::max(row.logit_error, x.worst);
  }
  // In base two a power of the largest logit is not 1 but for a rounding.
  const bool has_winner = !contract_.base_two && second < row.largest_logit - 2 * row.logit_error;
  const double rescaled = rescalings(ranges, row), of_exp = (1 + rescaled) * exp_unit_;
  row.height = static_cast<double>(contract_.value_height) + tiles_of(ranges) - 1 + rescaled;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const Logit& x = logits[i];
    KeyBound& key = row.keys[i];
    if (x.value == -infinity) continue;
    if (has_winner && x.value == row.largest_logit) {  // its weight is e^0 = 1
      key.worst = std::expm1(std::min(x.worst, 700.0));
      key.deviation = std::sqrt(x.variance);
      key.one_sided = x.one_sided + (key.worst - x.worst);
      const bool is_rounded = contract_.divides_weights || (contract_.wide_normaliser && key.factor != 1);
      if (is_rounded) key.narrowed = narrowed(key);
      row.worst = std::max(row.worst, x.worst);
      continue;
    }
    const double below = row.largest_logit - x.value + 2 * row.logit_error;
    const double products = rescaled * u, of_base = base_error(x.value, row.largest_logit, rescaled);
    const double worst = x.worst + u * below + of_exp + products + of_base + of_weight();
    key.worst = std::expm1(std::min(worst, 700.0));
    key.deviation = std::sqrt(x.variance + u * below * u * below + products * products + of_weight() * of_weight());
    key.one_sided = x.one_sided + of_exp + of_base + (key.worst - worst);
    if (contract_.wide_normaliser || contract_.divides_weights) key.narrowed = narrowed(key);
    row.worst = std::max(row.worst, worst);
  }
  return row;
}

}  // namespace assay::sas
