#include "oracle/sas/gates_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <iterator>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "arith/dd_elementary.hpp"
#include "arith/field_exponential.hpp"
#include "arith/inexact_flag.hpp"
#include "arith/multiprecision.hpp"
#include "oracle/certified_value.hpp"
#include "oracle/defined_value.hpp"
#include "oracle/over_field.hpp"
#include "oracle/plain_arithmetic.hpp"
#include "oracle/sas/block_rows.hpp"
#include "oracle/sas/gates.hpp"

namespace assay::sas {
namespace {

namespace bound = double_double_bound;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// e^x rounds to 0 in float32 from here on down, and so does every number below a quarter of the least.
constexpr double vanishes = -105;

/// -inf for every log-gate and L.
References no_gates(const Case& c) {
  References out = empty_references(c);
  for (auto& [name, reference] : out) std::ranges::fill(reference.hi, -infinity);
  return out;
}

/// log sum e^x of such x <= 0 that one of them is 0; those of -inf are left out. On exact inputs powers that vanish
/// beside 1 are none.
CertifiedValue log_sum_of(std::span<const DoubleDouble> x, bool exact) {
  DoubleDouble sum(0);
  double radius = 0;
  std::size_t terms = 0;
  for (const DoubleDouble& one : x) {
    if (one.hi == -infinity || (exact && one.hi <= vanishes)) continue;
    ++terms;
    const DoubleDouble power = exp(one);
    sum = sum + power;
    radius += one.hi == 0 ? 0 : bound::exp * power.hi + bound::exp_absolute;
    radius += bound::sum * sum.hi;
  }
  if (terms == 1) return {DoubleDouble(0), 0};
  const DoubleDouble logarithm = log(sum);
  return {logarithm, exact ? infinity : radius / (sum.hi - radius) + bound::log * logarithm.hi + bound::log_absolute};
}

/// x - total, for an exact x.
CertifiedValue less(const DoubleDouble& x, const CertifiedValue& total) {
  const DoubleDouble difference = x - total.value;
  const bool is_whole = total.value.hi == 0 && total.radius == 0;
  return {difference, is_whole ? 0 : total.radius + bound::sum * std::abs(difference.hi)};
}

CertifiedValue sigmoid_gate(double s, bool exact) {
  const DoubleDouble x[] = {DoubleDouble(0), DoubleDouble(-std::abs(s))};
  return less(DoubleDouble(std::min(s, 0.0)), log_sum_of(x, exact));
}

/// LSE of a row's scores, and its log-gates; nothing where a score has no power, and over a field where powers sum to
/// 0.
template <class Z>
struct DefinedRow {
  std::optional<Z> lse;
  std::vector<std::optional<Z>> log_gates;
};

/// What a formula gives, or nothing where its denominator is 0.
template <class Formula>
auto unless_zero(Formula formula) -> std::optional<decltype(formula())> {
  try {
    return formula();
  } catch (const ZeroDenominator&) {
    return std::nullopt;
  }
}

/// Whether a score is a number: over a field each is.
template <class Z>
bool has_power(const Z& score) {
  using std::isinf;
  if constexpr (std::same_as<Z, PowerOf<Z>>)
    return !isinf(score);
  else
    return true;
}

template <class Z>
DefinedRow<Z> defined_row(const std::vector<Z>& s, Normalisation rule) {
  DefinedRow<Z> row;
  row.log_gates.resize(s.size());
  std::vector<Z> powers;
  std::ranges::copy_if(s, std::back_inserter(powers), has_power<Z>);
  if (powers.empty()) return row;
  row.lse = unless_zero([&] { return log_sum_exp(std::span<const Z>(powers)); });
  // A softmax is of all scores of a row, the other rules are of each alone.
  std::vector<Z> softmax;
  if (rule == Normalisation::softmax && row.lse) softmax = log_gates(std::span<const Z>(powers), rule);
  for (std::size_t m = 0, of_powers = 0; m < s.size(); ++m) {
    if (!has_power(s[m])) continue;
    if (rule != Normalisation::softmax)
      row.log_gates[m] = unless_zero([&] { return log_gates(std::span<const Z>(&s[m], 1), rule).front(); });
    else if (row.lse)
      row.log_gates[m] = softmax[of_powers];
    ++of_powers;
  }
  return row;
}

template <class F>
Tensors over(const Case& c) {
  Tensors out = empty_outputs(c, c.element);
  for_each_block_row(c, [&](const BlockRow& at) {
    std::vector<Logarithm<F>> s;
    for (const F& score : history_of<F>(c, "scores", at)) s.push_back({field_exp_of_signed(score)});
    const DefinedRow<Logarithm<F>> row = defined_row(s, normalisation_of(c));
    if (row.lse) out.at("lse").as<F>()[at.row] = row.lse->power;
    for (std::size_t m = 0; m < at.history; ++m)
      if (row.log_gates[m]) out.at("log_gate").as<F>()[first_of(c, at) + m] = row.log_gates[m]->power;
  });
  return out;
}

/// One case in float32, its sums in one order.
class PlainGates {
 public:
  PlainGates(const Contract& contract, Draw& draw) : contract_(contract), draw_(draw), run_(draw.bits()) {}

  /// log sum e^x.
  float log_sum(const std::vector<float>& x) {
    float sum = 0;
    for (const std::size_t i : plain::shuffled(x.size(), draw_))
      sum += x[i] == 0 ? 1 : elementary("exp", x[i], std::exp(static_cast<double>(x[i])));
    return sum == 1 ? 0 : elementary("log", sum, std::log(static_cast<double>(sum)));
  }

 private:
  float elementary(const char* function, double x, double y) const {
    return plain::elementary(contract_, function, x, y, run_);
  }

  const Contract& contract_;
  Draw& draw_;
  std::uint64_t run_;
};

}  // namespace

References certified_gates(const Case& c) {
  References out = no_gates(c);
  const bool exact = c.standard == Standard::exact;
  for_each_block_row(c, [&](const BlockRow& at) {
    const std::vector<double> s = history_of<double>(c, "scores", at);
    const double m = s.empty() ? -infinity : std::ranges::max(s);
    if (m == -infinity) return;
    std::vector<DoubleDouble> x;
    for (const double score : s) x.push_back(score == -infinity ? DoubleDouble(score) : two_sum(score, -m));
    const CertifiedValue total = log_sum_of(x, exact);
    set(out.at("lse"), at.row, less(DoubleDouble(m), {-total.value, total.radius}));
    for (std::size_t i = 0; i < s.size(); ++i) {
      if (s[i] == -infinity) continue;
      set(out.at("log_gate"), first_of(c, at) + i,
          normalisation_of(c) == Normalisation::raw       ? CertifiedValue{DoubleDouble(s[i]), 0}
          : normalisation_of(c) == Normalisation::sigmoid ? sigmoid_gate(s[i], exact)
                                                          : less(x[i], total));
    }
  });
  return out;
}

References gates_by_definition(const Case& c) {
  References out = no_gates(c);
  for_each_block_row(c, [&](const BlockRow& at) {
    const DefinedRow<Mpfr50> row = defined_row(history_of<Mpfr50>(c, "scores", at), normalisation_of(c));
    if (row.lse) set(out.at("lse"), at.row, *row.lse);
    for (std::size_t m = 0; m < at.history; ++m)
      if (row.log_gates[m]) set(out.at("log_gate"), first_of(c, at) + m, *row.log_gates[m]);
  });
  return out;
}

Tensors plain_gates(const Case& c, const Contract& contract, std::uint64_t order) {
  Tensors out = empty_outputs(c, contract.output);
  for (auto& [name, tensor] : out) std::ranges::fill(tensor.as<float>(), -std::numeric_limits<float>::infinity());
  Draw draw(order, "order of sums", 0);
  PlainGates gates(contract, draw);
  for_each_block_row(c, [&](const BlockRow& at) {
    const std::vector<float> s = history_of<float>(c, "scores", at);
    const float m = s.empty() ? -std::numeric_limits<float>::infinity() : std::ranges::max(s);
    if (std::isinf(m)) return;
    std::vector<float> x;
    for (const float score : s) x.push_back(score - m);
    const float total = gates.log_sum(x);
    out.at("lse").as<float>()[at.row] = m + total;
    for (std::size_t i = 0; i < s.size(); ++i)
      out.at("log_gate").as<float>()[first_of(c, at) + i] =
          normalisation_of(c) == Normalisation::raw       ? s[i]
          : normalisation_of(c) == Normalisation::sigmoid ? std::min(s[i], 0.0f) - gates.log_sum({0, -std::abs(s[i])})
                                                          : x[i] - total;
  });
  return out;
}

Tensors gates_over_field(const Case& c) {
  return over_element(c, [&]<class F>() { return over<F>(c); });
}

std::string rounding_of_gates(const Case& c, const Contract&) {
  std::string found;
  const auto require_apart = [&](double s, double of) {
    if (s != -infinity && s - of > vanishes) found = fmt::format("scores {} and {}: both have a power", s, of);
  };
  for_each_block_row(c, [&](const BlockRow& at) {
    const std::vector<double> s = history_of<double>(c, "scores", at);
    if (s.empty() || !found.empty()) return;
    const auto largest = std::ranges::max_element(s);
    for (auto one = s.begin(); one != s.end(); ++one) {
      if (one != largest) require_apart(*one, *largest);
      if (normalisation_of(c) == Normalisation::sigmoid) require_apart(-std::abs(*one), 0);
      if (std::isfinite(*one) && (FlaggedNumber(*one) - FlaggedNumber(*largest)).rounded(float32_format).inexact())
        found = fmt::format("{} less {} takes a rounding", *one, *largest);
    }
  });
  return found;
}

}  // namespace assay::sas
