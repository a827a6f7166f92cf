#pragma once

#include <stdexcept>

#include "kernels/build.hpp"
#include "simt/buffer.hpp"

namespace assay {

/// A kernel took its GPU with it: this process can run nothing more there.
struct KernelLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs one build on one case: inputs in guarded memory, outputs filled with poison before the launch.
/// Throws KernelError where the machine found a broken rule, KernelLost where it ended.
Run run_build(const Build& build, simt::Machine machine, const Case& c, const Execution& execution);

}  // namespace assay
