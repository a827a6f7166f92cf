#include <algorithm>
#include <cmath>

#include "arith/float_format.hpp"
#include "arith/rounding.hpp"
#include "problem/operators/sas.hpp"
#include "properties/contracts/sites.hpp"
#include "properties/contracts/softmax_question.hpp"
#include "properties/contracts/softmax_sums.hpp"

namespace assay {
namespace {

using namespace softmax_probes;

/// Of the logarithm and the quotient, by which a sum is seen where the weights are no powers of two.
constexpr int quotient_bits = 22;

/// How far a weight of few bits is off: an exp that errs by less than a unit gives it as it is.
double weight_error(const Kernel& kernel) {
  return std::floor(kernel.contract.elementary_ulp.at("exp")) * float32_format.unit_roundoff();
}

/// Two tiles, the second of which is one addition.
std::int64_t keys_of(const Kernel& kernel) { return 2 * kernel.contract.chunk; }

SumSite value_site(const Kernel& kernel) {
  return {.name = "values over keys",
          .terms = static_cast<std::size_t>(keys_of(kernel)),
          .precision = std::min(float_format(kernel.contract.output).precision, quotient_bits),
          .a = {kernel.contract.input},
          .b = {.kept = &Contract::weights, .at_most_one = true},
          .height = &Contract::value_height,
          .b_error = weight_error(kernel),
          .later = 1,
          .sums = asked(kernel, values_over_keys, keys_of(kernel))};
}

std::vector<SumSite> sums_of(const Kernel& kernel, std::int64_t d) {
  const Operand features{kernel.contract.input, &Contract::features};
  return {{.name = "scores over features",
           .terms = static_cast<std::size_t>(d),
           .a = features,
           .b = features,
           .height = &Contract::score_height,
           .sums = asked(kernel, scores, d)},
          value_site(kernel),
          {.name = "weights over keys",
           .terms = static_cast<std::size_t>(tile),
           .multiplies = false,
           .any_sign = false,
           .by_tiles = false,
           .height = &Contract::value_height,
           .probed = static_cast<std::size_t>(tile),
           .sums = asked(kernel, weights_over_keys, tile)}};
}

/// o of four keys of one weight, whose values are pieces of four times a number.
Terms returned(const Kernel& kernel, const Terms& numbers) {
  Question question(kernel, {1, 4, 1, std::ssize(numbers)});
  for (std::int64_t j = 0; j < std::ssize(numbers); ++j)
    for (std::int64_t i = 0; i < 3; ++i) question.set_v(0, i, j, pieces(4 * numbers[j])[i]);
  question.ask();
  Terms seen;
  for (std::int64_t j = 0; j < std::ssize(numbers); ++j) seen.push_back(question.o(0, 3, j));
  return seen;
}

/// Rows before a NaN in the value, or the key, of the last token.
std::int64_t rows_before_a_nan(const Kernel& kernel, bool in_key) {
  const std::int64_t T = keys_of(kernel);
  Question question(kernel, {1, T, 1, 1});
  in_key ? question.set_k(0, T - 1, 0, std::nan("")) : question.set_v(0, T - 1, 0, std::nan(""));
  question.ask();
  std::int64_t rows = 0;
  for (std::int64_t t = 0; t + 1 < T; ++t) rows += std::isnan(question.o(0, t, 0));
  return rows;
}

/// Of the weights 1 and 1 - 2^-10, which bf16 rounds to 1.
bool wide_normaliser(const Kernel& kernel) {
  Question question(kernel, {1, 2, 3, 1});
  for (std::int64_t m = 0; m < 3; ++m) {
    question.set_q(0, 1, m, 1);
    question.set_k(0, 0, m, pieces(logit_of(1 - 0x1p-10))[m]);
  }
  question.ask();
  return std::exp(question.lse(0, 1)) < 2 - 0x1p-11;
}

/// Whether L of one key is not its logit, for one of 1 ... 64.
bool base_two(const Kernel& kernel) {
  Terms logits;
  std::vector<Terms> rows;
  for (int i = 1; i <= 64; ++i) logits.push_back(i), rows.push_back({static_cast<double>(i)});
  return scores(kernel, 1, {1}, rows) != logits;
}

bool flushes_subnormals(const Kernel& kernel) {
  Question question(kernel, {});
  question.set_v(0, 0, 0, 0x1p-130);
  question.ask();
  return question.o(0, 0, 0) == 0;
}

}  // namespace

std::optional<Reach> softmax_reach(const Kernel& kernel, std::int64_t d) {
  const TensorSpec* const o = kernel.op->find("o");
  if (o == nullptr || o->role != Role::output || kernel.op->find("lse") == nullptr) return std::nullopt;
  Reach reach{.sums = sums_of(kernel, d),
              .chunks = value_site(kernel),
              .output = [&kernel](const Terms& x) { return returned(kernel, x); },
              .wide_normaliser = [&kernel] { return wide_normaliser(kernel); },
              .base_two = [&kernel] { return base_two(kernel); },
              .flushes_subnormals = [&kernel] { return flushes_subnormals(kernel); }};
  if (!has_rows_of_tokens(*kernel.op)) return reach;
  reach.rows_before_a_nan = [&kernel] { return rows_before_a_nan(kernel, false); };
  reach.rows_before_a_nan_key = [&kernel] { return rows_before_a_nan(kernel, true); };
  return reach;
}

}  // namespace assay
