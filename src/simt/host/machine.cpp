#include "simt/host/machine.hpp"

#include <utility>

#include <fmt/format.h>

#include "simt/host/block.hpp"

namespace assay::simt::runtime {
namespace {

Block& running_block(const char* word) {
  Block* block = Block::current();
  if (block == nullptr) throw Error(fmt::format("simt: {} outside a kernel", word));
  return *block;
}

}  // namespace

int barrier(BarrierKind kind, bool predicate, Place place) {
  return running_block("a barrier").barrier(kind, predicate, place);
}

void meet(const char* operation, std::uint32_t mask, void* mine, Combine combine, Place place) {
  running_block(operation).meet(operation, mask, mine, combine, place);
}

void meet_in_memory(std::uint32_t mask, Place place) {
  running_block("__syncwarp").meet("__syncwarp", mask, nullptr, nullptr, place);
}

int lane() { return running_block("a lane").running_thread() % warp_lanes; }

std::byte* dynamic_shared() { return running_block("dynamic shared memory").dynamic_shared(); }

void before_atomic(const void* address, std::size_t bytes) {
  Block& block = running_block("an atomic");
  block.yield();
  block.note_access(address, bytes, AccessKind::atomic, __builtin_return_address(0));
}

void before_read(const void* address, std::size_t bytes) {
  running_block("a read").note_access(address, bytes, AccessKind::read, __builtin_return_address(0));
}

void issue_copy(void* to, const void* from, std::size_t bytes, std::size_t source_bytes, Place place) {
  const AsyncCopy copy = {static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes, source_bytes};
  running_block("cp.async").issue_copy(copy, place, __builtin_return_address(0));
}

void commit_copies() { running_block("cp.async.commit_group").commit_copies(); }

void wait_for_copies(std::size_t pending_groups) {
  running_block("cp.async.wait_group").wait_for_copies(pending_groups);
}

void count_mma(std::uint64_t macs) {
  Statistics& statistics = running_block("mma").statistics();
  ++statistics.mma;
  statistics.macs += macs;
}

void fail(std::string rule, Place place) { running_block("a kernel's error").fail(std::move(rule), place); }

}  // namespace assay::simt::runtime
