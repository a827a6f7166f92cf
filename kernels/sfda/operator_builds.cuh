#pragma once

#include <vector>

#include "kernels/operator_builds.hpp"
#include "kernels/sfda/delta_rule.cuh"
#include "problem/operators/sfda.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

/// What the operators differ in, for every kernel of the delta rule: calls add_builds<Number, decays>(builds) for each
/// that the unit has.
template <class AddBuilds>
std::vector<Build> for_every_operator(const Limits& limits, AddBuilds add_builds) {
  std::vector<Build> all;
  const auto append = [&]<Name name, template <class> class Number, Decays decays>(const Operator& op) {
    if constexpr (only_kernel.empty() || only_kernel.substr(0, only_kernel.find('/')) == name.view()) {
      OperatorBuilds builds(op, limits);
      add_builds.template operator()<Number, decays>(builds);
      all.insert(all.end(), builds.all().begin(), builds.all().end());
    }
  };
  append.template operator()<"delta.attention", Real, Decays::none>(operators::delta_attention());
  append.template operator()<"gated_delta.attention", Real, Decays::of_heads>(operators::gated_delta_attention());
  append.template operator()<"kda.attention", Real, Decays::of_dimensions>(operators::kda_attention());
  append.template operator()<"sfda.attention", Complex, Decays::with_phases>(operators::sfda_attention());
  return all;
}

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
