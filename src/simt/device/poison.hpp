#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

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

/// Whether a byte around or between the rows of any of them has changed. Not by two OS threads at once. Throws Error.
bool poison_changed(std::span<const PoisonedRows> memories);

}  // namespace assay::simt::runtime
