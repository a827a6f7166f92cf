#include "run/truth.hpp"

namespace assay {
namespace {

/// Of P: NUMERICS 6.
constexpr double most_radius = 0x1p-10;
constexpr std::int64_t longest_refined = 1024;

bool has_coarse_radius(const Truth& truth) {
  for (const auto& [output, want] : truth.want) {
    const std::vector<double>& likely = truth.allowed.at(output).statistical;
    for (std::size_t i = 0; i < want.radius.size(); ++i)
      if (want.radius[i] > most_radius * likely[i]) return true;
  }
  return false;
}

bool is_short(const Case& c) {
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    if (c.tokens_of(n).second - c.tokens_of(n).first > longest_refined) return false;
  return true;
}

}  // namespace

Truth truth_for(const Case& c, const Kernel& kernel, const Oracle& oracle, bool with_sums) {
  Truth truth{.want = oracle.evaluate(c)};
  truth.allowed = oracle.bound(c, kernel.contract, truth.want);
  if (oracle.refined && has_coarse_radius(truth) && is_short(c)) truth.want = oracle.refined(c, truth.want);
  keep_what_is_returned(truth.want, kernel, with_sums);
  return truth;
}

}  // namespace assay
