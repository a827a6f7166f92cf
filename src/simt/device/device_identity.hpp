#pragma once

#include <optional>
#include <string>

namespace assay::simt {

/// The GPU that launches run on.
struct DeviceIdentity {
  std::string name;    ///< "NVIDIA H200, sm_90"
  std::string driver;  ///< "580.65.06, CUDA 13.0, runtime 13.0"
};

/// Nothing where there is no GPU, or no device machine in this program. Starts CUDA: no fork may follow.
std::optional<DeviceIdentity> device_identity();

}  // namespace assay::simt
