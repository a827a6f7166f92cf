#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::simt::runtime {

enum class AccessKind : std::uint8_t { read, write, atomic };

/// When a thread touched a cell, as far as order can be told from it.
struct Stamp {
  std::uint32_t run = 0;    ///< of a block in a launch; numbers only grow; 0: never
  std::uint32_t epoch = 0;  ///< block barriers passed
  std::uint32_t clock = 0;  ///< __syncwarp passed by the thread itself
  std::uint16_t thread = 0;
  AccessKind kind = AccessKind::read;
  const void* code = nullptr;
};

/// What is known about two neighbouring bytes. (So two threads that write the two bytes of one cell look like a race;
/// bf16 neighbours do not.)
struct Cell {
  static constexpr std::size_t bytes = 2;

  Stamp write;
  std::array<Stamp, 3> reads;  ///< the last; the last by another lane of its warp; the last by any other thread
  bool initialised = false;
  bool awaits_copy = false;  ///< a cp.async to it has been issued and not waited for

  void note_read(const Stamp& read) {
    const Stamp& last = reads[0];
    if (last.run == read.run && last.thread != read.thread) reads[last.thread / 32 == read.thread / 32 ? 1 : 2] = last;
    if (last.run != read.run) reads[2] = last;
    reads[0] = read;
  }
};

/// Cells of one array, made when it is first touched.
using Shadow = std::vector<Cell>;

}  // namespace assay::simt::runtime
