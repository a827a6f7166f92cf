#include "simt/device/description.hpp"

#include <fstream>
#include <regex>

#include <cuda_runtime.h>
#include <fmt/format.h>

#include "simt/device/cuda_error.hpp"

namespace assay::simt {
namespace {

/// "580.95.05" from what the kernel module says of itself.
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  std::smatch version;
  return std::regex_search(line, version, std::regex("[0-9]+\\.[0-9.]+")) ? version.str() : "unknown driver";
}

}  // namespace

DeviceDescription describe_device() {
  int device = 0;
  runtime::require_success(cudaGetDevice(&device), "asking for a GPU");
  cudaDeviceProp properties{};
  runtime::require_success(cudaGetDeviceProperties(&properties, device), "describing the GPU");
  return {properties.name,
          fmt::format("{}, CUDA {}.{}", driver_version(), CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10),
          properties.multiProcessorCount, properties.l2CacheSize};
}

void start_device() { runtime::require_success(cudaSetDevice(0), "asking for a GPU"); }

}  // namespace assay::simt
