#include "oracle/sas/score_gradients_oracle.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arith/dd_elementary.hpp"
#include "arith/inexact_flag.hpp"
#include "arith/multiprecision.hpp"
#include "oracle/certified_value.hpp"
#include "oracle/defined_value.hpp"
#include "oracle/exact_value.hpp"
#include "oracle/over_field.hpp"
#include "oracle/plain_arithmetic.hpp"
#include "oracle/sas/block_rows.hpp"
#include "oracle/sas/score_gradients.hpp"

namespace assay::sas {
namespace {

namespace bound = double_double_bound;

bool is_straight_through(const Case& c) { return c.parameter("form") == 1; }

/// ds of a row; over a field a log-gate stands for its gate.
template <class K>
std::vector<K> defined_row(const Case& c, const BlockRow& at) {
  using std::exp;
  std::vector<K> g = history_of<K>(c, "log_gate", at), a = history_of<K>(c, "d_gate", at);
  if constexpr (!FieldElement<K>)
    for (K& gate : g) gate = exp(gate);
  if (is_straight_through(c))
    for (std::size_t m = 0; m < a.size(); ++m) a[m] = g[m] * a[m];
  return score_gradients_of_log_gates<K>(g, a, normalisation_of(c));
}

template <class F>
Tensors over(const Case& c) {
  Tensors out = empty_outputs(c, c.element);
  for_each_block_row(c, [&](const BlockRow& at) {
    std::ranges::copy(defined_row<F>(c, at),
                      out.at("d_scores").as<F>().begin() + static_cast<std::ptrdiff_t>(first_of(c, at)));
  });
  return out;
}

/// Rows in the arithmetic K, each number stored by the `set` of it.
template <class K>
References rows_in(const Case& c) {
  References out = empty_references(c);
  for_each_block_row(c, [&](const BlockRow& at) {
    const std::vector<K> row = defined_row<K>(c, at);
    for (std::size_t m = 0; m < row.size(); ++m) set(out.at("d_scores"), first_of(c, at) + m, row[m]);
  });
  return out;
}

CertifiedValue gate_of(double log_gate) {
  const DoubleDouble g = exp(DoubleDouble(log_gate));
  return {g, log_gate == 0 || std::isinf(log_gate) ? 0 : bound::exp * g.hi + bound::exp_absolute};
}

bool is_exactly(const CertifiedValue& x, double number) {
  return x.radius == 0 && x.value.hi == number && x.value.lo == 0;
}

/// g x; exact where g is 1 or 0.
CertifiedValue product(const CertifiedValue& g, const CertifiedValue& x) {
  if (is_exactly(g, 1)) return x;
  if (is_exactly(g, 0)) return g;
  const DoubleDouble value = g.value * x.value;
  return {value, std::abs(g.value.hi) * x.radius + std::abs(x.value.hi) * g.radius + g.radius * x.radius +
                     bound::product * std::abs(value.hi) + bound::underflow};
}

/// a + b; exact where one is 0.
CertifiedValue sum(const CertifiedValue& a, const CertifiedValue& b) {
  if (is_exactly(a, 0)) return b;
  if (is_exactly(b, 0)) return a;
  const DoubleDouble x = a.value + b.value;
  return {x, a.radius + b.radius + bound::sum * std::abs(x.hi)};
}

CertifiedValue negative(const CertifiedValue& x) { return {-x.value, x.radius}; }

std::vector<CertifiedValue> certified_row(const Case& c, const BlockRow& at) {
  std::vector<CertifiedValue> g, a;
  for (const double log_gate : history_of<double>(c, "log_gate", at)) g.push_back(gate_of(log_gate));
  for (const double given : history_of<double>(c, "d_gate", at)) {
    const CertifiedValue of_gate{DoubleDouble(given), 0};
    a.push_back(is_straight_through(c) ? product(g[a.size()], of_gate) : of_gate);
  }
  if (normalisation_of(c) == Normalisation::raw) return a;
  CertifiedValue total{DoubleDouble(0), 0};
  for (const CertifiedValue& one : a) total = sum(total, one);
  std::vector<CertifiedValue> row;
  for (std::size_t m = 0; m < a.size(); ++m)
    row.push_back(sum(negative(product(g[m], normalisation_of(c) == Normalisation::softmax ? total : a[m])), a[m]));
  return row;
}

/// ds of a row in float32, its sum in one order.
std::vector<float> plain_row(const Case& c, const BlockRow& at, const Contract& contract, Draw& draw,
                             std::uint64_t run) {
  std::vector<float> g = history_of<float>(c, "log_gate", at), a = history_of<float>(c, "d_gate", at);
  for (float& x : g) x = x == 0 ? 1 : plain::elementary(contract, "exp", x, std::exp(static_cast<double>(x)), run);
  if (is_straight_through(c))
    for (std::size_t m = 0; m < a.size(); ++m) a[m] *= g[m];
  if (normalisation_of(c) == Normalisation::raw) return a;
  float total = 0;
  for (const std::size_t m : plain::shuffled(a.size(), draw)) total += a[m];
  std::vector<float> row;
  for (std::size_t m = 0; m < a.size(); ++m)
    row.push_back(std::fma(-g[m], normalisation_of(c) == Normalisation::softmax ? total : a[m], a[m]));
  return row;
}

}  // namespace

References certified_score_gradients(const Case& c) {
  if (c.standard == Standard::exact) return rows_in<FlaggedNumber>(c);
  References out = empty_references(c);
  for_each_block_row(c, [&](const BlockRow& at) {
    const std::vector<CertifiedValue> row = certified_row(c, at);
    for (std::size_t m = 0; m < row.size(); ++m) set(out.at("d_scores"), first_of(c, at) + m, row[m]);
  });
  return out;
}

References score_gradients_by_definition(const Case& c) { return rows_in<Mpfr50>(c); }

Tensors plain_score_gradients(const Case& c, const Contract& contract, std::uint64_t order) {
  Tensors out = empty_outputs(c, contract.output);
  Draw draw(order, "order of sums", 0);
  const std::uint64_t run = draw.bits();
  for_each_block_row(c, [&](const BlockRow& at) {
    std::ranges::copy(plain_row(c, at, contract, draw, run),
                      out.at("d_scores").as<float>().begin() + static_cast<std::ptrdiff_t>(first_of(c, at)));
  });
  return out;
}

Tensors score_gradients_over_field(const Case& c) {
  return over_element(c, [&]<class F>() { return over<F>(c); });
}

std::string rounding_of_score_gradients(const Case& c, const Contract& contract) {
  std::string found;
  for_each_block_row(c, [&](const BlockRow& at) {
    for (const double log_gate : history_of<double>(c, "log_gate", at))
      if (exp(FlaggedNumber(log_gate)).inexact()) found = fmt::format("log-gate {}: its exp rounds", log_gate);
    FlaggedNumber total(0.0);
    for (const FlaggedNumber& given : history_of<FlaggedNumber>(c, "d_gate", at)) total += given;
    if (total.summed(float_format(contract.accumulate)).inexact())
      found = fmt::format("the sum of gradients {} took a rounding", total.value());
    for (const FlaggedNumber& ds : defined_row<FlaggedNumber>(c, at))
      if (ds.rounded(float32_format).inexact()) found = fmt::format("ds = {} took a rounding", ds.value());
  });
  return found;
}

}  // namespace assay::sas
