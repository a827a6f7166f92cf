#pragma once

#include <string_view>

#include "simt/machine_name.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {

// A mutant's unit finds a file of this name that chooses its base (scripts/mutants.py): compiling all others is most of
// the time that a mutant costs.

/// The one kernel that is compiled, "<operator>/<algorithm>.<format>"; empty: every one.
constexpr std::string_view only_kernel = "";

/// Whether it is compiled over prime fields, besides floats.
constexpr bool over_fields = true;

}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
