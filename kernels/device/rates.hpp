#pragma once

#include "problem/device_rates.hpp"

namespace assay::kernels {

// Without a device machine in the program both throw simt::Error.

/// Measures the GPU. Throws simt::Error.
DeviceRates measure_device_rates();

/// Launches a kernel of one thread that does nothing.
void launch_empty_kernel();

}  // namespace assay::kernels
