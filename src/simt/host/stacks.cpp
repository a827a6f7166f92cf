#include "simt/host/stacks.hpp"

#include "simt/host/pages.hpp"

namespace assay::simt::runtime {
namespace {

// More than the frame of any kernel, which may be stepped over; an odd number of pages, or else all stacks of a power
// of two would fall on the same sets of a cache.
std::size_t guard_bytes() { return 17 * page_bytes(); }

}  // namespace

Stacks::~Stacks() { unmap_pages(map_, count_ * (bytes_ + guard_bytes())); }

void Stacks::reserve(std::size_t count, std::size_t bytes) {
  bytes = round_up(bytes, page_bytes());
  if (count <= count_ && bytes == bytes_) return;
  unmap_pages(map_, count_ * (bytes_ + guard_bytes()));
  map_ = nullptr;
  count_ = 0;
  map_ = map_pages(count * (bytes + guard_bytes()));
  count_ = count;
  bytes_ = bytes;
  for (std::size_t i = 0; i < count; ++i) forbid_pages(low(i) - guard_bytes(), guard_bytes());
}

std::byte* Stacks::low(std::size_t index) const { return map_ + index * (bytes_ + guard_bytes()) + guard_bytes(); }

const std::byte* Stacks::end() const { return map_ + count_ * (bytes_ + guard_bytes()); }

bool Stacks::overflowed_at(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  if (at < begin() || at >= end()) return false;
  return static_cast<std::size_t>(at - begin()) % (bytes_ + guard_bytes()) < guard_bytes();
}

}  // namespace assay::simt::runtime
