#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "kernels/build.hpp"
#include "kernels/only_kernel.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {

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

  /// The same, of float formats only.
  template <Name algorithm, template <class> class Kernel, class E>
  void add_real(const Contract& contract) {
    if constexpr (only_kernel.empty() || only_kernel.substr(only_kernel.find('/') + 1) == algorithm.view())
      all_.push_back(real_build<Kernel, E>(std::string(algorithm.view()), op_, contract, limits_));
  }

  const std::vector<Build>& all() const { return all_; }

 private:
  const Operator& op_;
  const Limits& limits_;
  std::vector<Build> all_;
};

}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
