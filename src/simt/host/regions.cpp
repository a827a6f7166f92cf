#include "simt/host/regions.hpp"

#include <map>
#include <mutex>

#include <fmt/format.h>

#include "simt/host/poison.hpp"
#include "simt/options.hpp"

namespace assay::simt::runtime {
namespace {

struct Registry {
  std::mutex guard;
  std::map<const std::byte*, Region> regions;
};

Registry& registry() {
  static Registry only;
  return only;
}

/// Name of the side on which bytes that no kernel may write were written; empty if none.
std::string_view damage(const Region& region) {
  const auto offset = [&](const std::byte* at) { return static_cast<std::size_t>(at - region.pad_begin); };
  const auto intact = [&](std::size_t from, std::size_t to) {
    return filled_with(region.pad_begin, from, to, region.poison);
  };
  const std::size_t begin = offset(region.data);
  if (!intact(0, begin)) return "before the start";
  if (!intact(begin + region.bytes, offset(region.pad_end))) return "past the end";
  for (std::size_t row = 0; region.stride_bytes != 0 && row < region.bytes; row += region.stride_bytes)
    if (!intact(begin + std::min(row + region.row_bytes, region.bytes),
                begin + std::min(row + region.stride_bytes, region.bytes)))
      return "in a gap between the rows";
  return {};
}

}  // namespace

void add_region(const Region& region) {
  const std::lock_guard lock(registry().guard);
  registry().regions[region.data] = region;
}

void remove_region(const std::byte* data) {
  const std::lock_guard lock(registry().guard);
  registry().regions.erase(data);
}

void mark_initialised(const std::byte* data) {
  const std::lock_guard lock(registry().guard);
  registry().regions.at(data).initialised = true;
}

std::optional<Region> region_around(const void* address) {
  const std::lock_guard lock(registry().guard);
  const auto* at = static_cast<const std::byte*>(address);
  for (const auto& [data, region] : registry().regions)
    if (at >= region.pad_begin - region.guard_bytes && at < region.pad_end + region.guard_bytes) return region;
  return std::nullopt;
}

std::vector<Region> all_regions() {
  const std::lock_guard lock(registry().guard);
  std::vector<Region> all;
  for (const auto& [data, region] : registry().regions) all.push_back(region);
  return all;
}

void require_intact_pads(std::string_view kernel) {
  const std::lock_guard lock(registry().guard);
  for (auto& [data, region] : registry().regions) {
    if (region.owner != std::this_thread::get_id()) continue;
    const std::string_view side = damage(region);
    if (side.empty()) continue;
    region.owner = {};  // said once
    throw Error(
        fmt::format("simt: kernel {}: a write {} of buffer '{}' ({} bytes)", kernel, side, region.name, region.bytes));
  }
}

}  // namespace assay::simt::runtime
