#include "simt/device/device_memory.hpp"

#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include <cuda_runtime.h>
#include <fmt/format.h>

#include "simt/device/cuda_error.hpp"
#include "simt/device/pads.hpp"
#include "simt/device/recording.hpp"
#include "simt/host/pages.hpp"
#include "simt/host/poison.hpp"

namespace assay::simt::runtime {
namespace {

constexpr std::size_t pad_bytes = 256;  // the alignment that cudaMalloc gives

class DeviceMemory;

struct Registry {
  std::mutex guard;
  std::set<const DeviceMemory*> memories;
};

Registry& registry() {
  static Registry only;
  return only;
}

class DeviceMemory : public Memory {
 public:
  DeviceMemory(std::string name, Rows rows)
      : name_(std::move(name)),
        rows_(rows),
        total_(round_up(rows.extent(), pad_bytes) + 2 * pad_bytes),
        poison_(Session::current().options().poison) {
    void* map = nullptr;
    require_success(cudaMalloc(&map, total_), fmt::format("allocating buffer '{}'", name_));
    map_ = static_cast<std::byte*>(map);
    std::vector<std::byte> fill(total_);
    fill_with(fill.data(), fill.size(), poison_);
    copy(map_, fill.data(), total_, cudaMemcpyHostToDevice);
    const std::lock_guard lock(registry().guard);
    registry().memories.insert(this);
  }
  ~DeviceMemory() override {
    const std::lock_guard lock(registry().guard);
    registry().memories.erase(this);
    if (Recording* const recording = Recording::current())
      recording->keep(map_);
    else
      cudaFree(map_);
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  std::byte* data() const override { return map_ + pad_bytes; }

  void write(const std::byte* rows) override {
    if (rows_.count == 0 || rows_.length == 0) return;
    require_success(
        cudaMemcpy2D(data(), rows_.stride, rows, rows_.length, rows_.length, rows_.count, cudaMemcpyHostToDevice),
        fmt::format("writing buffer '{}'", name_));
  }

  void read(std::byte* rows) const override {
    if (rows_.count == 0 || rows_.length == 0) return;
    require_success(
        cudaMemcpy2D(rows, rows_.length, data(), rows_.stride, rows_.length, rows_.count, cudaMemcpyDeviceToHost),
        fmt::format("reading buffer '{}'", name_));
  }

  /// Throws Error if a byte outside the rows has changed.
  void require_intact(std::string_view kernel) const {
    const auto now = std::make_unique_for_overwrite<std::byte[]>(total_);  // little of it is looked at
    const auto require = [&](std::size_t from, std::size_t to, std::string_view side) {
      if (from == to) return;
      copy(now.get() + from, map_ + from, to - from, cudaMemcpyDeviceToHost);
      if (!filled_with(now.get(), from, to, poison_))
        throw Error(
            fmt::format("simt: kernel {}: a write {} of buffer '{}' ({} bytes)", kernel, side, name_, rows_.extent()));
    };
    require(0, pad_bytes, "before the start");
    require(pad_bytes + rows_.extent(), total_, "past the end");
    for (std::size_t row = 0; row + 1 < rows_.count; ++row)
      require(pad_bytes + row * rows_.stride + rows_.length, pad_bytes + (row + 1) * rows_.stride,
              "in a gap between the rows");
  }

 private:
  void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind direction) const {
    require_success(cudaMemcpy(to, from, bytes, direction), fmt::format("copying buffer '{}'", name_));
  }

  std::string name_;
  Rows rows_;
  std::size_t total_;
  std::uint32_t poison_;
  std::byte* map_ = nullptr;
};

}  // namespace

std::unique_ptr<Memory> device_memory(std::string name, Rows rows) {
  return std::make_unique<DeviceMemory>(std::move(name), rows);
}

void require_intact_device_pads(std::string_view kernel) {
  const std::lock_guard lock(registry().guard);
  for (const DeviceMemory* memory : registry().memories) memory->require_intact(kernel);
}

}  // namespace assay::simt::runtime
