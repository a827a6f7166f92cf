#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simt/host/shadow_cell.hpp"
#include "simt/host/thread_set.hpp"

namespace assay::simt::runtime {

/// Which accesses happened before which: __syncthreads orders a block, __syncwarp the lanes of its mask (by vector
/// clocks), launches follow each other, blocks of one launch are never ordered. Shuffles and votes order nothing.
class ShadowOrder {
 public:
  void begin_launch();
  void begin_block(int threads);
  void block_barrier() { ++epoch_; }
  void warp_barrier(int warp, std::uint32_t mask);

  /// What `thread` would leave in a cell now.
  Stamp stamp(int thread, AccessKind kind, const void* code) const;
  /// Whether the access behind `earlier` happened before what `thread` does now.
  bool ordered(const Stamp& earlier, int thread) const;
  bool in_this_block(const Stamp& stamp) const { return stamp.run == run_; }

 private:
  using Clocks = std::array<std::uint32_t, warp_lanes>;

  std::uint32_t first_run_ = 0;  // of this launch
  std::uint32_t run_ = 0;
  std::uint32_t epoch_ = 0;
  std::vector<Clocks> seen_;  // seen_[t][l]: warp barriers of lane l that t has heard of, its own included
};

}  // namespace assay::simt::runtime
