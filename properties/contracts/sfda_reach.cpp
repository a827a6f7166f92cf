#include <algorithm>
#include <cmath>

#include "arith/rounding.hpp"
#include "properties/contracts/sfda_question.hpp"
#include "properties/contracts/sfda_sums.hpp"
#include "properties/contracts/sites.hpp"

namespace assay {
namespace {

using namespace sfda_probes;

/// Bits that are left of a number which a product takes as a factor.
int factor_bits(const Contract& contract, Format kept) {
  const int bits = float_format(kept).precision;
  if (contract.product == Product::tf32) return std::min(bits, 11);
  return contract.product == Product::three_tf32 ? std::min(bits, 22) : bits;
}

/// Sizes that all sites of a kernel share.
struct Setting {
  const Kernel& kernel;
  std::int64_t d;
  const Contract& contract = kernel.contract;
  bool by_chunks = contract.algorithm == Algorithm::chunk;
  std::int64_t tokens = kernel.limits.one_token ? 1 : d;
  std::int64_t planes = planes_of(kernel), value_planes = value_planes_of(kernel);
  int bits = float_format(contract.output).precision;
  Format in = contract.input;

  std::size_t terms(std::int64_t a_plane, std::int64_t more = 0) const {
    return static_cast<std::size_t>(planes * a_plane + more);
  }
};

std::vector<SumSite> state_sites(const Setting& x) {
  return {{.name = "S over dimensions",
           .terms = x.terms(x.d),
           .precision = x.bits,
           .a = {Format::f32, &Contract::state_operand},
           .b = {x.in, &Contract::features},
           .by_tiles = x.by_chunks,
           .height = &Contract::read_height,
           .sums = asked(x.kernel, read, x.d)},
          {.name = "the prediction over dimensions",
           .terms = x.terms(x.d - 1),
           .precision = x.by_chunks ? factor_bits(x.contract, x.contract.features) : 24,
           .a = {Format::f32, &Contract::state_operand},
           .b = {x.in, &Contract::features},
           .by_tiles = x.by_chunks,
           .height = &Contract::read_height,
           .sums = asked(x.kernel, predicted, x.d)},
          {.name = "the update of S",
           .terms = static_cast<std::size_t>(x.value_planes * x.tokens + 1),
           .a = {x.in, &Contract::features},
           .b = {x.in, &Contract::features},
           .by_tiles = x.by_chunks,
           .height = x.by_chunks ? &Contract::update_height : nullptr,
           .later = 1,
           .sums = asked(x.kernel, updates, Writes{x.d, x.tokens, largest_chunk, true})}};
}

std::vector<SumSite> chunk_sites(const Setting& x) {
  const int weights = std::min(x.bits, factor_bits(x.contract, x.contract.weights));
  return {{.name = "values over tokens",
           .terms = x.terms(x.tokens, 1),
           .precision = x.bits,
           .a = {x.in, &Contract::features},
           .b = {x.in, &Contract::weights},
           .height = &Contract::value_height,
           .sums = asked(x.kernel, values_over_tokens, x.d)},
          {.name = "scores within a block",
           .terms = x.terms(x.d),
           .precision = weights,
           .a = {x.in},
           .b = {x.in},
           .by_tiles = false,
           .height = &Contract::score_height,
           .sums = asked(x.kernel, scores, x.d, Queries{1, block_tokens})},
          {.name = "scores between blocks",
           .terms = x.terms(x.d),
           .precision = weights,
           .a = {x.in, &Contract::features},
           .b = {x.in, &Contract::features},
           .height = &Contract::score_height,
           .sums = asked(x.kernel, scores, x.d, Queries{block_tokens, 4 * block_tokens})}};
}

std::vector<SumSite> sums_of(const Setting& x) {
  std::vector<SumSite> sites = state_sites(x);
  if (x.by_chunks) std::ranges::move(chunk_sites(x), std::back_inserter(sites));
  return sites;
}

/// Two chunks, where there are any; the contract's own number of tokens each.
SumSite several_chunks(const Kernel& kernel) {
  const std::int64_t chunk = std::max<std::int64_t>(kernel.contract.chunk, block_tokens);
  const std::int64_t tokens = kernel.limits.one_token ? 1 : 2 * chunk;
  return {.name = "the update of S over several chunks",
          .terms = static_cast<std::size_t>(value_planes_of(kernel) * tokens),
          .sums = asked(kernel, updates, Writes{kernel.limits.feature, tokens, chunk, false})};
}

/// The final S after tokens that write nothing.
Terms kept(const Kernel& kernel, const Terms& numbers) {
  const std::int64_t n = std::ssize(numbers);
  Question question(kernel, {n, kernel.limits.one_token ? 1 : 2 * block_tokens + 2, 1, 1}, block_tokens);
  for (std::int64_t i = 0; i < n; ++i) question.set_S0(i, {0, 0}, 0, numbers[i]);
  question.ask();
  Terms seen;
  for (std::int64_t i = 0; i < n; ++i) seen.push_back(question.S(i, 0, 0));
  return seen;
}

/// o of a state of three entries of 8 bits, which add up to a number.
Terms returned(const Kernel& kernel, const Terms& numbers) {
  std::vector<Terms> rows;
  const std::int64_t d = 3, planes = planes_of(kernel);
  for (const double x : numbers) {
    const std::array<double, 3> parts = pieces(x);
    rows.emplace_back(planes * d, 0.0);
    std::ranges::copy(parts, rows.back().begin());
  }
  return read(kernel, d, Terms(planes * d, 1.0), rows);
}

/// Rows of one chunk before a NaN in its last token's value, or its key.
std::int64_t rows_before_a_nan(const Kernel& kernel, bool in_key) {
  const std::int64_t T = 2 * block_tokens;
  Question question(kernel, {1, T, 1, 1}, T);
  in_key ? question.set_k(0, T - 1, {0, 0}, std::nan("")) : question.set_v(0, T - 1, {0, 0}, std::nan(""));
  question.ask();
  std::int64_t rows = 0;
  for (std::int64_t t = 0; t + 1 < T; ++t) rows += std::isnan(question.o(0, t, 0));
  return rows;
}

}  // namespace

std::optional<Reach> sfda_reach(const Kernel& kernel, std::int64_t d) {
  if (kernel.op->find("beta") == nullptr) return std::nullopt;
  Reach reach{.sums = sums_of({kernel, d}),
              .chunks = several_chunks(kernel),
              .kept = {{"S as it is kept", [&kernel](const Terms& x) { return kept(kernel, x); }}},
              .output = [&kernel](const Terms& x) { return returned(kernel, x); }};
  if (kernel.limits.one_token) return reach;
  reach.rows_before_a_nan = [&kernel] { return rows_before_a_nan(kernel, false); };
  reach.rows_before_a_nan_key = [&kernel] { return rows_before_a_nan(kernel, true); };
  return reach;
}

}  // namespace assay
