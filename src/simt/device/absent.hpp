#pragma once

namespace assay::simt {

/// Throws Error: what was asked for needs a program with a device machine.
[[noreturn]] void no_device_machine();

}  // namespace assay::simt
