#include <algorithm>
#include <cmath>

#include "arith/rounding.hpp"
#include "problem/operators/sas_gradients.hpp"
#include "properties/contracts/sites.hpp"
#include "properties/contracts/softmax_gradient_sums.hpp"
#include "properties/contracts/softmax_question.hpp"

namespace assay {
namespace {

using namespace softmax_probes;

/// What a power in float32 shows of its logit.
constexpr int power_bits = 20;

/// A sum over two tiles, the second of which is one addition.
SumSite gradient_site(std::string_view name, const Kernel& kernel, decltype(value_gradients) sums) {
  return {.name = name,
          .terms = static_cast<std::size_t>(two_tiles),
          .precision = float_format(kernel.contract.output).precision,
          .a = {kernel.contract.input, &Contract::features},
          .b = {.kept = &Contract::weights},
          .height = &Contract::value_height,
          .later = 1,
          .sums = asked(kernel, sums)};
}

std::vector<SumSite> sums_of(const Kernel& kernel, std::int64_t d) {
  const auto terms = static_cast<std::size_t>(d);
  const Format in = kernel.contract.input;
  const Operand features{in, &Contract::features};
  const int bits = float_format(kernel.contract.output).precision;
  std::vector<SumSite> sites = {{.name = "scores over features",
                                 .terms = terms,
                                 .precision = std::min(bits, power_bits),
                                 .a = features,
                                 .b = features,
                                 .height = &Contract::score_height,
                                 .sums = asked(kernel, recomputed_scores, d)},
                                {.name = "<do, v> over columns",
                                 .terms = terms,
                                 .precision = bits,
                                 .a = features,
                                 .b = features,
                                 .height = &Contract::score_height,
                                 .sums = asked(kernel, values_along, d)},
                                {.name = "<do, o> over columns",
                                 .terms = terms,
                                 .precision = bits,
                                 .a = {in},
                                 .b = {in},
                                 .by_tiles = false,
                                 .height = &Contract::read_height,
                                 .sums = asked(kernel, deltas, d)},
                                gradient_site("dv over queries", kernel, value_gradients),
                                gradient_site("dk over queries", kernel, key_gradients),
                                gradient_site("dq over keys", kernel, query_gradients)};
  if (kernel.op->uses(Axis::slot))
    sites.push_back({.name = "d log g over keys",
                     .terms = static_cast<std::size_t>(tile),
                     .multiplies = false,
                     .by_tiles = false,
                     .height = &Contract::update_height,
                     .probed = static_cast<std::size_t>(tile),
                     .sums = asked(kernel, gate_gradients)});
  return sites;
}

/// dv of one key of three queries, whose do are pieces of a number.
Terms returned(const Kernel& kernel, const Terms& numbers) {
  Question question(kernel, {1, 3, 1, std::ssize(numbers)});
  for (std::int64_t j = 0; j < std::ssize(numbers); ++j)
    for (std::int64_t t = 0; t < 3; ++t) question.set_do(0, t, j, pieces(numbers[j])[t]);
  question.ask();
  Terms seen;
  for (std::int64_t j = 0; j < std::ssize(numbers); ++j) seen.push_back(question.dv(0, 0, j));
  return seen;
}

/// Rows of dq before a NaN in the last token's key.
std::int64_t rows_before_a_nan(const Kernel& kernel) {
  Question question(kernel, {1, two_tiles, 1, 1});
  question.set_k(0, two_tiles - 1, 0, std::nan(""));
  question.ask();
  std::int64_t rows = 0;
  for (std::int64_t t = 0; t + 1 < two_tiles; ++t) rows += std::isnan(question.dq(0, t, 0));
  return rows;
}

bool flushes_subnormals(const Kernel& kernel) {
  Question question(kernel, {});
  question.set_do(0, 0, 0, 0x1p-130);
  question.ask();
  return question.dv(0, 0, 0) == 0;
}

}  // namespace

std::optional<Reach> softmax_gradient_reach(const Kernel& kernel, std::int64_t d) {
  if (!operators::is_backward(*kernel.op)) return std::nullopt;
  return Reach{.sums = sums_of(kernel, d),
               .chunks = gradient_site("dv over queries", kernel, value_gradients),
               .output = [&kernel](const Terms& x) { return returned(kernel, x); },
               .rows_before_a_nan = [&kernel] { return rows_before_a_nan(kernel); },
               .rows_before_a_nan_key = [&kernel] { return rows_before_a_nan(kernel); },
               .flushes_subnormals = [&kernel] { return flushes_subnormals(kernel); }};
}

}  // namespace assay
