#include "simt/device/checked_launch.hpp"

#include <string>

#include <cuda_runtime.h>
#include <fmt/format.h>

#include "simt/device/cuda_error.hpp"
#include "simt/device/device_lost.hpp"
#include "simt/device/pads.hpp"
#include "simt/kernel_name.hpp"
#include "simt/options.hpp"

namespace assay::simt::runtime {
namespace {

std::string name_of(const void* kernel) {
  const char* mangled = nullptr;
  return cudaFuncGetName(&mangled, kernel) == cudaSuccess ? kernel_name(mangled) : "without a name";
}

}  // namespace

void before_device_launch(const void* kernel, std::size_t shared_bytes) {
  constexpr std::size_t without_asking = 48 * 1024;
  if (shared_bytes <= without_asking) return;
  require_success(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)),
      fmt::format("kernel {}: {} bytes of dynamic shared memory", name_of(kernel), shared_bytes));
}

void after_device_launch(const void* kernel) {
  const std::string name = name_of(kernel);
  require_success(cudaGetLastError(), fmt::format("launching kernel {}", name));
  try {
    const std::string running = fmt::format("running kernel {}", name);
    look_at_device_pads(running);
    require_success(cudaDeviceSynchronize(), running);
  } catch (const Error& error) {
    throw DeviceLost(error.what());
  }
  Statistics statistics;
  statistics.launches = 1;
  Session::current().add(statistics);
  require_intact_device_pads(name);
}

}  // namespace assay::simt::runtime
