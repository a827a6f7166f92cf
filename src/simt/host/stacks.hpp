#pragma once

#include <cstddef>

namespace assay::simt::runtime {

/// The call stacks of one block's threads: below each are unreadable pages, so that an overflow is a fault.
class Stacks {
 public:
  Stacks() = default;
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  /// At least `count` stacks of `bytes` each (rounded up to pages). Nothing may be running on the old ones.
  void reserve(std::size_t count, std::size_t bytes);

  std::byte* low(std::size_t index) const;
  std::size_t bytes() const { return bytes_; }

  /// The memory of all stacks.
  const std::byte* begin() const { return map_; }
  const std::byte* end() const;

  /// Whether the address lies in the pages below a stack.
  bool overflowed_at(const void* address) const;

 private:
  std::byte* map_ = nullptr;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace assay::simt::runtime
