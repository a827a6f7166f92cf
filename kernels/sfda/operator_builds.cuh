#pragma once

#include <vector>

#include "kernels/build.hpp"
#include "kernels/sfda/delta_rule.cuh"
#include "problem/operators/sfda.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

/// What the operators differ in, for every kernel of the delta rule: calls
/// builds_of<Number, decays>(op) for each, which returns builds.
template <class BuildsOf>
std::vector<Build> for_every_operator(BuildsOf builds_of) {
  std::vector<Build> all;
  const auto append = [&all](const std::vector<Build>& builds) { all.insert(all.end(), builds.begin(), builds.end()); };
  append(builds_of.template operator()<Real, Decays::none>(operators::delta_attention()));
  append(builds_of.template operator()<Real, Decays::of_heads>(operators::gated_delta_attention()));
  append(builds_of.template operator()<Real, Decays::of_dimensions>(operators::kda_attention()));
  append(builds_of.template operator()<Complex, Decays::with_phases>(operators::sfda_attention()));
  return all;
}

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
