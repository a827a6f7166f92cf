#pragma once

#include "cli/command.hpp"

namespace assay::cli {

/// Times the kernels of the context, which are device builds, and writes and prints what was found. Throws Stop where
/// one fails.
void bench_on_device(const Output& output, const Context& context);

}  // namespace assay::cli
