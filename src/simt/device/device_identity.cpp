#include "simt/device/device_identity.hpp"

#include <fstream>
#include <sstream>

#include <cuda_runtime.h>
#include <fmt/format.h>

#include "simt/device/cuda_error.hpp"

namespace assay::simt {
namespace {

/// 13000 is "13.0".
std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

/// "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build": the word with two points.
std::string kernel_module() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  std::istringstream words(line);
  for (std::string word; words >> word;)
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
      return word + ", ";
  return "";
}

std::string driver_text() {
  int driver = 0, toolkit = 0;
  runtime::require_success(cudaDriverGetVersion(&driver), "asking for the driver's version");
  runtime::require_success(cudaRuntimeGetVersion(&toolkit), "asking for the runtime's version");
  return fmt::format("{}CUDA {}, runtime {}", kernel_module(), version_text(driver), version_text(toolkit));
}

}  // namespace

std::optional<DeviceIdentity> device_identity() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return std::nullopt;
  cudaDeviceProp properties;
  runtime::require_success(cudaGetDeviceProperties(&properties, 0), "asking for the device's name");
  return DeviceIdentity{fmt::format("{}, sm_{}{}", properties.name, properties.major, properties.minor), driver_text()};
}

}  // namespace assay::simt
