#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "simt/host/shadow_cell.hpp"

namespace assay::simt::runtime {

/// Global memory that kernels may use, among bytes that they may not: pads around it, gaps between its rows.
struct Region {
  std::string name;
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::byte* pad_begin = nullptr;  ///< readable bytes before `data` and after `data + bytes`
  std::byte* pad_end = nullptr;
  std::size_t guard_bytes = 0;  ///< unreadable bytes before and after the pads
  std::size_t row_bytes = 0;    ///< rows of row_bytes, stride_bytes apart; both 0: no gaps
  std::size_t stride_bytes = 0;
  std::uint32_t poison = 0;  ///< what pads and gaps were filled with
  bool initialised = false;  ///< by the host; else byte by byte by kernels
  std::thread::id owner = std::this_thread::get_id();
  std::shared_ptr<Shadow> shadow = std::make_shared<Shadow>();

  bool in_gap(std::size_t offset) const { return stride_bytes != 0 && offset % stride_bytes >= row_bytes; }
};

/// Regions known to the machine, by address. Safe to call from several OS threads.
void add_region(const Region& region);
void remove_region(const std::byte* data);
void mark_initialised(const std::byte* data);

/// The region whose data, pads or guard pages hold the address.
std::optional<Region> region_around(const void* address);

/// A copy of every region, by address.
std::vector<Region> all_regions();

/// Throws Error if a pad or gap of a region of this OS thread has changed.
void require_intact_pads(std::string_view kernel);

}  // namespace assay::simt::runtime
