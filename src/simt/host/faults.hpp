#pragma once

namespace assay::simt::runtime {

/// Turns memory and arithmetic faults of kernels on this OS thread into failures of their block. Faults outside
/// kernels go to whoever handled them before.
void catch_faults();

}  // namespace assay::simt::runtime
