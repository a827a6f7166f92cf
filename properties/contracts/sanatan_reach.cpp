#include <algorithm>
#include <cmath>
#include <iterator>

#include "problem/operators/sanatan.hpp"
#include "properties/contracts/sanatan_question.hpp"
#include "properties/contracts/sanatan_sums.hpp"
#include "properties/contracts/sites.hpp"

namespace assay {
namespace {

using namespace sanatan_probes;

int output_bits(const Kernel& kernel) { return float_format(kernel.contract.output).precision; }

/// The final S, or z, after tokens that add nothing.
Terms kept(const Kernel& kernel, bool of_S, const Terms& numbers) {
  Question question(kernel, {static_cast<std::int64_t>(numbers.size()), several_chunks(kernel), 1, 1}, 1);
  for (std::size_t n = 0; n < numbers.size(); ++n)
    of_S ? question.set_S0(n, 0, 0, numbers[n]) : question.set_z0(n, 0, numbers[n]);
  question.ask();
  Terms seen;
  for (std::size_t n = 0; n < numbers.size(); ++n) seen.push_back(of_S ? question.S(n, 0, 0) : question.z(n, 0));
  return seen;
}

/// o of numerators that are sums of three values of 8 bits, or, where a step takes one token, of three features.
Terms returned(const Kernel& kernel, const Terms& numbers) {
  const bool one = kernel.limits.one_token;
  Question question(kernel, {static_cast<std::int64_t>(numbers.size()), one ? 1 : 3, 1, 1}, large_eps);
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    for (std::int64_t i = 0; i < 3; ++i) {
      const double piece = pieces(numbers[n])[i];
      question.set_q(n, one ? 0 : 2, one ? i : 0, 1);
      if (one) {
        question.set_S0(n, i, 0, piece);
      } else {
        question.set_k(n, i, 0, 1);
        question.set_v(n, i, 0, piece);
      }
    }
  }
  question.ask();
  Terms seen;
  for (std::size_t n = 0; n < numbers.size(); ++n) seen.push_back(question.o(n, one ? 0 : 2, 0) * large_eps);
  return seen;
}

std::int64_t rows_before_a_nan(const Kernel& kernel) {
  const std::int64_t T = several_chunks(kernel) / 2 * 2 - 2;  // the last token ends a chunk
  Question question(kernel, {1, T, 1, 1}, 1);
  question.set_v(0, T - 1, 0, std::nan(""));
  question.ask();
  std::int64_t rows = 0;
  for (std::int64_t t = 0; t + 1 < T; ++t) rows += std::isnan(question.o(0, t, 0));
  return rows;
}

double negative_normaliser(const Kernel& kernel) {
  Question question(kernel, {}, 0.5);
  question.set_q(0, 0, 0, 1);
  question.set_k(0, 0, 0, -1);
  question.set_v(0, 0, 0, 1);
  question.ask();
  return question.o(0, 0, 0);
}

/// Sizes that all sites of a kernel share.
struct Setting {
  const Kernel& kernel;
  std::int64_t d;
  const Contract& contract = kernel.contract;
  bool by_keys = contract.algorithm == Algorithm::chunk || contract.algorithm == Algorithm::parallel;
  bool stateful = kernel.limits.initial_state;
  std::int64_t tile = kernel.limits.one_token ? 1 : std::max<std::int64_t>(contract.chunk, 16);
  std::size_t width = static_cast<std::size_t>(kernel.limits.channels.front() * d);
  int bits = output_bits(kernel);
  Format in = contract.input;

  /// Without a state there are two tiles; the second is one addition.
  Keys keys() const { return {stateful ? tile : 2 * tile, stateful}; }
  std::int64_t later_tiles() const { return keys().tokens / tile - 1; }
};

std::vector<SumSite> read_sites(const Setting& x) {
  return {{.name = "S over features",
           .terms = x.width,
           .precision = x.bits,
           .a = {Format::f32, &Contract::state_operand},
           .b = {x.in, &Contract::features},
           .kind = "features",
           .height = &Contract::read_height,
           .sums = asked(x.kernel, read_S, x.d)},
          {.name = "z over features",
           .terms = x.width,
           .precision = std::min(x.bits, x.kernel.limits.one_token ? 6 : 22),
           .a = {x.in, &Contract::features},
           .b = {Format::f32, &Contract::state},
           .by_tiles = false,
           .kind = "features",
           .height = &Contract::read_height,
           .sums = asked(x.kernel, read_z, x.d)}};
}

/// The state itself is the first term; adding to it is no part of the contribution's own sum.
std::vector<SumSite> update_sites(const Setting& x) {
  const Keys keys{x.tile, true};
  std::int64_t Contract::*const height = x.by_keys ? &Contract::update_height : nullptr;
  return {{.name = "the update of S",
           .terms = keys.terms(),
           .a = {x.in},
           .b = {x.in, &Contract::features},
           .kind = "update",
           .height = height,
           .probed = 1,
           .later = 1,
           .sums = asked(x.kernel, update_of_S, keys)},
          {.name = "the update of z",
           .terms = keys.terms(),
           .a = {x.in, &Contract::features},
           .multiplies = false,
           .by_tiles = false,
           .kind = "update",
           .height = height,
           .probed = 1,
           .later = 1,
           .sums = asked(x.kernel, update_of_z, keys)}};
}

SumSite value_site(const Setting& x) {
  return {.name = "values over keys",
          .terms = x.keys().terms(),
          .precision = x.bits,
          .a = {x.in},
          .b = {Format::f32, &Contract::weights},
          .kind = "keys",
          .height = x.by_keys ? &Contract::value_height : nullptr,
          .probed = x.stateful ? 1u : 0u,
          .later = x.later_tiles(),
          .sums = asked(x.kernel, values_over_keys, x.keys())};
}

std::vector<SumSite> score_sites(const Setting& x) {
  return {{.name = "scores over features",
           .terms = x.width,
           .precision = std::min(x.bits, float_format(x.contract.weights).precision),
           .a = {x.in, &Contract::features},
           .b = {x.in, &Contract::features},
           .height = &Contract::score_height,
           .sums = asked(x.kernel, scores, x.d)},
          {.name = "weights over keys",
           .terms = x.keys().terms(),
           .precision = std::min(x.bits, 22),
           .multiplies = false,
           .by_tiles = false,
           .kind = "keys",
           .height = &Contract::value_height,
           .probed = x.keys().terms(),
           .later = x.later_tiles(),
           .sums = asked(x.kernel, weights_over_keys, x.keys())}};
}

std::vector<SumSite> sums_of(const Kernel& kernel, std::int64_t d) {
  const Setting x{kernel, d};
  std::vector<SumSite> sites = {value_site(x)};
  const auto append = [&](std::vector<SumSite> more) { std::ranges::move(more, std::back_inserter(sites)); };
  if (x.stateful) append(read_sites(x));
  if (x.stateful) append(update_sites(x));
  if (x.by_keys) append(score_sites(x));
  return sites;
}

}  // namespace

std::optional<Reach> sanatan_reach(const Kernel& kernel, std::int64_t d) {
  if (kernel.op != &operators::sanatan_feature_attention()) return std::nullopt;
  const Keys keys{several_chunks(kernel), false};
  Reach reach{.sums = sums_of(kernel, d),
              .chunks = {.name = "values over keys of several chunks",
                         .terms = keys.terms(),
                         .precision = output_bits(kernel),
                         .sums = asked(kernel, values_over_keys, keys)},
              .output = [&kernel](const Terms& x) { return returned(kernel, x); },
              .negative_normaliser = [&kernel] { return negative_normaliser(kernel); }};
  if (kernel.limits.final_state)
    reach.kept = {{"S as it is kept", [&kernel](const Terms& x) { return kept(kernel, true, x); }},
                  {"z as it is kept", [&kernel](const Terms& x) { return kept(kernel, false, x); }}};
  if (!kernel.limits.one_token) reach.rows_before_a_nan = [&kernel] { return rows_before_a_nan(kernel); };
  return reach;
}

}  // namespace assay
