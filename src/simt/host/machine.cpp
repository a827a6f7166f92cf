#include "simt/host/machine.hpp"

#include <utility>

#include <fmt/format.h>

#include "simt/host/block.hpp"

namespace assay::simt::runtime {
namespace {

/// The machine at work for the running thread of a block.
class Service {
 public:
  explicit Service(const char* word) : block_(Block::current()) {
    if (block_ == nullptr) throw Error(fmt::format("simt: {} outside a kernel", word));
    block_->enter_machine();
  }
  ~Service() { block_->leave_machine(); }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  Block* operator->() const { return block_; }

 private:
  Block* block_;
};

}  // namespace

int barrier(BarrierKind kind, bool predicate, Place place) {
  return Service("a barrier")->barrier(kind, predicate, place);
}

void meet(const char* operation, std::uint32_t mask, void* mine, Combine combine, Place place) {
  Service(operation)->meet(operation, mask, mine, combine, place);
}

void meet_in_memory(std::uint32_t mask, Place place) {
  Service("__syncwarp")->meet("__syncwarp", mask, nullptr, nullptr, place);
}

int lane() { return Service("a lane")->running_thread() % warp_lanes; }

std::byte* dynamic_shared() { return Service("dynamic shared memory")->dynamic_shared(); }

void before_atomic(const void* address, std::size_t bytes, const void* code) {
  const Service block("an atomic");
  block->yield();
  block->note_access(address, bytes, AccessKind::atomic, code);
}

bool in_shared_memory(const void* address, std::size_t bytes) {
  return Service("an atomic")->in_shared_memory(static_cast<const std::byte*>(address), bytes);
}

void fence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

void read_matrix_row(const void* row, Place place, const void* code) {
  Service("ldmatrix")->read_matrix_row(row, place, code);
}

void issue_copy(void* to, const void* from, std::size_t bytes, std::size_t source_bytes, Place place) {
  const AsyncCopy copy = {static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes, source_bytes};
  Service("cp.async")->issue_copy(copy, place, __builtin_return_address(0));
}

void commit_copies() { Service("cp.async.commit_group")->commit_copies(); }

void wait_for_copies(std::size_t pending_groups) { Service("cp.async.wait_group")->wait_for_copies(pending_groups); }

void count_macs(std::uint64_t macs, bool on_tensor_core) {
  Statistics& statistics = Service("a tile product")->statistics();
  if (on_tensor_core) ++statistics.mma;
  statistics.macs += macs;
}

void fail(std::string rule, Place place) { Service("a kernel's error")->fail(std::move(rule), place); }

}  // namespace assay::simt::runtime
