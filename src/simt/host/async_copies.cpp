#include "simt/host/async_copies.hpp"

#include <cstring>

namespace assay::simt::runtime {

void AsyncCopy::deliver() const {
  std::memcpy(to, from, source_bytes);
  std::memset(to + source_bytes, 0, bytes - source_bytes);
}

std::vector<AsyncCopy> AsyncCopies::wait(std::size_t pending) {
  std::vector<AsyncCopy> delivered;
  for (; groups_.size() > pending; groups_.pop_front())
    for (const AsyncCopy& copy : groups_.front()) {
      copy.deliver();
      delivered.push_back(copy);
    }
  return delivered;
}

void AsyncCopies::clear() {
  open_.clear();
  groups_.clear();
}

}  // namespace assay::simt::runtime
