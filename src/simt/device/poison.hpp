#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "simt/buffer.hpp"

namespace assay::simt::runtime {

/// Memory of the GPU: a pad, rows in units of bytes, and a pad to the end. Around and between the rows lies the poison,
/// the same words as fill_with (simt/host/poison.hpp) writes.
struct PoisonedRows {
  std::byte* map;
  std::size_t total;  ///< bytes; a multiple of 4
  std::size_t pad;    ///< bytes before the first row
  Rows rows;
  std::uint32_t poison;
};

/// Fills all of it, rows too. Throws Error.
void poison_on_device(const PoisonedRows& memory);

/// Starts to look at the bytes around and between the rows. Not by two OS threads at once. Throws Error with the
/// action: what failed may have been started earlier.
void look_at_poison(std::span<const PoisonedRows> memories, std::string_view action);

/// Whether one of them has changed: what look_at_poison found, once the GPU has been waited for.
bool found_changed_poison();

}  // namespace assay::simt::runtime
