#pragma once

#include "kernels/build.hpp"
#include "simt/buffer.hpp"

namespace assay {

/// Runs one build on one case: inputs in guarded memory, outputs filled with poison before the launch.
/// Throws KernelError where the machine found a broken rule.
Run run_build(const Build& build, simt::Machine machine, const Case& c, const Execution& execution);

}  // namespace assay
