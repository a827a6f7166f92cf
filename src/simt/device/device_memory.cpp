#include "simt/device/device_memory.hpp"

#include <cstdint>
#include <limits>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include <cuda_runtime.h>
#include <fmt/format.h>

#include "simt/device/cuda_error.hpp"
#include "simt/device/pads.hpp"
#include "simt/device/poison.hpp"
#include "simt/device/recording.hpp"
#include "simt/host/pages.hpp"
#include "simt/host/poison.hpp"
#include "simt/options.hpp"

namespace assay::simt::runtime {
namespace {

constexpr std::size_t pad_bytes = 256;  // the alignment of CUDA's memory

class DeviceMemory;

struct Registry {
  std::mutex guard;
  std::set<const DeviceMemory*> memories;
};

Registry& registry() {
  static Registry only;
  return only;
}

/// Memory that is freed goes to later buffers, and back to the GPU with the process: giving it back takes longer than a
/// small kernel.
void keep_freed_memory() {
  static const bool once = [] {
    cudaMemPool_t pool = nullptr;
    std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
    require_success(cudaDeviceGetDefaultMemPool(&pool, 0), "asking for the GPU's memory pool");
    require_success(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes), "keeping freed memory");
    return true;
  }();
  static_cast<void>(once);
}

class DeviceMemory : public Memory {
 public:
  DeviceMemory(std::string name, Rows rows) : name_(std::move(name)), bytes_(poisoned(rows)) {
    const std::string allocating = fmt::format("allocating buffer '{}'", name_);
    void* map = nullptr;
    keep_freed_memory();
    require_success(cudaMallocAsync(&map, bytes_.total, nullptr), allocating);
    bytes_.map = static_cast<std::byte*>(map);
    poison_on_device(bytes_);
    const std::lock_guard lock(registry().guard);
    registry().memories.insert(this);
  }
  ~DeviceMemory() override {
    const std::lock_guard lock(registry().guard);
    registry().memories.erase(this);
    if (Recording* const recording = Recording::current())
      recording->keep(bytes_.map);
    else
      cudaFreeAsync(bytes_.map, nullptr);
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  std::byte* data() const override { return bytes_.map + bytes_.pad; }

  void write(const std::byte* rows) override {
    const Rows& r = bytes_.rows;
    if (r.count == 0 || r.length == 0) return;
    require_success(cudaMemcpy2D(data(), r.stride, rows, r.length, r.length, r.count, cudaMemcpyHostToDevice),
                    fmt::format("writing buffer '{}'", name_));
  }

  void read(std::byte* rows) const override {
    const Rows& r = bytes_.rows;
    if (r.count == 0 || r.length == 0) return;
    require_success(cudaMemcpy2D(rows, r.length, data(), r.stride, r.length, r.count, cudaMemcpyDeviceToHost),
                    fmt::format("reading buffer '{}'", name_));
  }

  const PoisonedRows& bytes() const { return bytes_; }

  /// Throws Error if a byte outside the rows has changed.
  void require_intact(std::string_view kernel) const {
    const Rows& rows = bytes_.rows;
    std::vector<std::byte> now(bytes_.total);
    require_success(cudaMemcpy(now.data(), bytes_.map, now.size(), cudaMemcpyDeviceToHost),
                    fmt::format("copying buffer '{}'", name_));
    const auto require = [&](std::size_t from, std::size_t to, std::string_view side) {
      if (!filled_with(now.data(), from, to, bytes_.poison))
        throw Error(
            fmt::format("simt: kernel {}: a write {} of buffer '{}' ({} bytes)", kernel, side, name_, rows.extent()));
    };
    require(0, pad_bytes, "before the start");
    require(pad_bytes + rows.extent(), now.size(), "past the end");
    for (std::size_t row = 0; row + 1 < rows.count; ++row)
      require(pad_bytes + row * rows.stride + rows.length, pad_bytes + (row + 1) * rows.stride,
              "in a gap between the rows");
  }

 private:
  static PoisonedRows poisoned(Rows rows) {
    return {.map = nullptr,
            .total = round_up(rows.extent(), pad_bytes) + 2 * pad_bytes,
            .pad = pad_bytes,
            .rows = rows,
            .poison = Session::current().options().poison};
  }

  std::string name_;
  PoisonedRows bytes_;
};

}  // namespace

std::unique_ptr<Memory> device_memory(std::string name, Rows rows) {
  return std::make_unique<DeviceMemory>(std::move(name), rows);
}

void look_at_device_pads(std::string_view action) {
  const std::lock_guard lock(registry().guard);
  std::vector<PoisonedRows> all;
  for (const DeviceMemory* memory : registry().memories) all.push_back(memory->bytes());
  look_at_poison(all, action);
}

void require_intact_device_pads(std::string_view kernel) {
  if (!found_changed_poison()) return;
  const std::lock_guard lock(registry().guard);
  for (const DeviceMemory* memory : registry().memories) memory->require_intact(kernel);
}

}  // namespace assay::simt::runtime
