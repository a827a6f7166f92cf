#pragma once

#include <cstdint>
#include <vector>

#include "simt/host/thread_set.hpp"

namespace assay::simt::runtime {

/// Which thread of a block runs next. Seed 0 goes round; another seed draws among the ready ones, and the same seed
/// draws the same again, whatever ran before.
class Schedule {
 public:
  Schedule() = default;
  Schedule(std::uint64_t seed, std::uint64_t block);

  bool random() const { return seed_ != 0; }

  /// A member of `ready`; −1 if there is none.
  int next(const ThreadSet& ready, int current) { return random() ? draw(ready) : ready.next_after(current); }

  /// A coin, for a choice that the hardware also leaves open. Always false with seed 0.
  bool coin() { return random() && (bits() & 1) != 0; }

  /// The order in which `count` blocks run.
  static std::vector<std::uint64_t> block_order(std::uint64_t seed, std::uint64_t count);

 private:
  int draw(const ThreadSet& ready);
  std::uint64_t bits();
  std::uint64_t below(std::uint64_t n);

  std::uint64_t seed_ = 0;
  std::uint64_t state_ = 0;
};

}  // namespace assay::simt::runtime
