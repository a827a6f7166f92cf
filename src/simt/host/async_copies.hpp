#pragma once

#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace assay::simt::runtime {

/// A cp.async that has been issued: `bytes` to `to`, of which the first `source_bytes` come from `from`; the rest are
/// 0.
struct AsyncCopy {
  std::byte* to;
  const std::byte* from;
  std::size_t bytes;
  std::size_t source_bytes;

  void deliver() const;
};

/// The asynchronous copies of one thread, in groups. A copy is delivered when it is waited for, and no earlier.
class AsyncCopies {
 public:
  void issue(const AsyncCopy& copy) { open_.push_back(copy); }

  /// Makes the copies issued since the last commit a group, be it empty.
  void commit() { groups_.push_back(std::exchange(open_, {})); }

  /// Delivers every group but the last `pending`; returns their copies.
  std::vector<AsyncCopy> wait(std::size_t pending);

  void clear();

 private:
  std::vector<AsyncCopy> open_;
  std::deque<std::vector<AsyncCopy>> groups_;
};

}  // namespace assay::simt::runtime
