#include "simt/host/dynamic_shared.hpp"

#include "simt/host/pages.hpp"
#include "simt/host/poison.hpp"

namespace assay::simt::runtime {

DynamicShared::~DynamicShared() { unmap_pages(map_, map_bytes_); }

void DynamicShared::reserve(std::size_t bytes) {
  if (data_ != nullptr && bytes == bytes_) return;
  unmap_pages(map_, map_bytes_);
  map_ = nullptr;
  const std::size_t used = round_up(bytes, alignment);
  map_bytes_ = round_up(used, page_bytes()) + page_bytes();
  map_ = map_pages(map_bytes_);
  std::byte* const guard = map_ + map_bytes_ - page_bytes();
  forbid_pages(guard, page_bytes());
  data_ = guard - used;
  bytes_ = bytes;
}

void DynamicShared::fill(std::uint32_t poison) { fill_with(data_, round_up(bytes_, alignment), poison); }

bool DynamicShared::intact(std::uint32_t poison) const {
  return filled_with(data_, bytes_, round_up(bytes_, alignment), poison);
}

bool DynamicShared::overrun_at(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  return at >= map_ + map_bytes_ - page_bytes() && at < map_ + map_bytes_;
}

}  // namespace assay::simt::runtime
