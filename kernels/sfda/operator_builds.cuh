#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "kernels/build.hpp"
#include "kernels/only_kernel.hpp"
#include "kernels/sfda/delta_rule.cuh"
#include "problem/operators/sfda.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

/// A text as an argument of a template.
template <std::size_t size>
struct Name {
  char text[size];

  constexpr Name(const char (&literal)[size]) { std::ranges::copy(literal, text); }
  constexpr std::string_view view() const { return {text, size - 1}; }
};

/// Builds of one operator's kernels.
class OperatorBuilds {
 public:
  OperatorBuilds(const Operator& op, const Limits& limits) : op_(op), limits_(limits) {}

  /// Adds "<operator>/<algorithm>" from Kernel<E>, where the unit has it.
  template <Name algorithm, template <class> class Kernel, class E>
  void add(const Contract& contract) {
    if constexpr (only_kernel.empty() || only_kernel.substr(only_kernel.find('/') + 1) == algorithm.view()) {
      const std::string name(algorithm.view());
      if constexpr (over_fields)
        all_.push_back(build<Kernel, E>(name, op_, contract, limits_));
      else
        all_.push_back(real_build<Kernel, E>(name, op_, contract, limits_));
    }
  }

  const std::vector<Build>& all() const { return all_; }

 private:
  const Operator& op_;
  const Limits& limits_;
  std::vector<Build> all_;
};

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
