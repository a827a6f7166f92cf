#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simt/host/executable.hpp"
#include "simt/host/regions.hpp"
#include "simt/host/shadow_cell.hpp"
#include "simt/host/shadow_order.hpp"
#include "simt/host/static_shared.hpp"

namespace assay::simt::runtime {

/// An access that broke a rule.
struct Violation {
  std::string rule;
  std::string other = {};            ///< what it conflicts with
  const void* other_code = nullptr;  ///< the address after that access
};

/// Bytes of memory that threads of a block use without asking: their stacks, the launch's arguments.
struct Private {
  const std::byte* begin;
  const std::byte* end;
};

/// Watches every access of a block's threads to shared and global memory: races, reads of what nobody wrote, accesses
/// outside every array. One launch at a time.
class ShadowChecker {
 public:
  void begin_launch(const KernelSymbols& symbols, std::vector<Private> ignored, const std::byte* dynamic,
                    std::size_t dynamic_bytes);
  void begin_block(int threads) { order_.begin_block(threads); }
  void block_barrier() { order_.block_barrier(); }
  void warp_barrier(int warp, std::uint32_t mask) { order_.warp_barrier(warp, mask); }

  /// `thread` touches [address, address + bytes). The result lives until the next call; null: no rule is broken.
  const Violation* access(int thread, const void* address, std::size_t bytes, AccessKind kind, const void* code);

  /// `thread` has issued an asynchronous copy to this memory: until delivered, nobody may touch it.
  const Violation* issue_copy(int thread, const void* to, std::size_t bytes, const void* code);
  /// …and has waited for it.
  void deliver_copy(int thread, const void* to, std::size_t bytes);

 private:
  struct Area {
    Shadow* shadow;
    std::size_t offset;  // of the access
    std::size_t bytes;   // of the array
    const std::string* name;
    bool shared;
    bool initialised;
  };

  bool is_private(const void* address) const;
  std::optional<Area> find(const std::byte* address);
  std::optional<Area> find_shared(const std::byte* address);
  std::optional<Area> find_region(const std::byte* address);
  const Violation* outside_every_array(const std::byte* address, AccessKind kind);
  const Violation* touch(Cell& cell, const Area& area, const Stamp& now);
  const Violation* report(std::string rule, const Stamp* other = nullptr);

  const KernelSymbols* symbols_ = nullptr;
  std::vector<Private> ignored_;
  ThreadLocalBlock thread_local_ = {};
  std::vector<Shadow> static_shadows_;
  const std::byte* dynamic_ = nullptr;
  std::size_t dynamic_bytes_ = 0;
  Shadow dynamic_shadow_;
  std::vector<Region> regions_;  // by address
  ShadowOrder order_;
  Violation violation_;
};

}  // namespace assay::simt::runtime
