#include "simt/host/host_memory.hpp"

#include <cstring>
#include <utility>

#include "simt/host/pages.hpp"
#include "simt/host/poison.hpp"
#include "simt/host/regions.hpp"
#include "simt/options.hpp"

namespace assay::simt::runtime {
namespace {

constexpr std::size_t alignment = 16;         // of vector loads and asynchronous copies
constexpr std::size_t guard_bytes = 1 << 20;  // address space, not memory: an index that is far off faults too

class HostMemory : public Memory {
 public:
  HostMemory(std::string name, Rows rows)
      : rows_(rows), bytes_(rows.extent()), map_bytes_(round_up(bytes_ + 1, page_bytes()) + 2 * guard_bytes) {
    const std::uint32_t poison = Session::current().options().poison;
    map_ = map_pages(map_bytes_);
    std::byte* const first = map_ + guard_bytes;
    std::byte* const last = map_ + map_bytes_ - guard_bytes;
    fill_with(first, static_cast<std::size_t>(last - first), poison);
    forbid_pages(map_, guard_bytes);
    forbid_pages(last, guard_bytes);
    data_ = last - round_up(bytes_, alignment);
    const bool gaps = rows.stride > rows.length;
    add_region({.name = std::move(name),
                .data = data_,
                .bytes = bytes_,
                .pad_begin = first,
                .pad_end = last,
                .guard_bytes = guard_bytes,
                .row_bytes = gaps ? rows.length : 0,
                .stride_bytes = gaps ? rows.stride : 0,
                .poison = poison});
  }
  ~HostMemory() override {
    remove_region(data_);
    unmap_pages(map_, map_bytes_);
  }
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  std::byte* data() const override { return data_; }

  void write(const std::byte* rows) override {
    for (std::size_t i = 0; i < rows_.count && rows_.length > 0; ++i)
      std::memcpy(data_ + i * rows_.stride, rows + i * rows_.length, rows_.length);
    mark_initialised(data_);
  }

  void read(std::byte* rows) const override {
    for (std::size_t i = 0; i < rows_.count && rows_.length > 0; ++i)
      std::memcpy(rows + i * rows_.length, data_ + i * rows_.stride, rows_.length);
  }

 private:
  Rows rows_;
  std::size_t bytes_;
  std::size_t map_bytes_;
  std::byte* map_ = nullptr;
  std::byte* data_ = nullptr;
};

}  // namespace

std::unique_ptr<Memory> host_memory(std::string name, Rows rows) {
  return std::make_unique<HostMemory>(std::move(name), rows);
}

}  // namespace assay::simt::runtime
