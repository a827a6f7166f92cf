#include "simt/host/machine.hpp"

#include <stdexcept>
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

void meet_in_memory(std::uint32_t mask, Place place) { meet("__syncwarp", mask, nullptr, nullptr, place); }

int lane() { return running_block("a lane").running_thread() % warp_lanes; }

std::byte* dynamic_shared() { return running_block("dynamic shared memory").dynamic_shared(); }

void before_atomic(const void*, std::size_t) { running_block("an atomic").yield(); }

void count_mma(std::uint64_t macs) {
  Statistics& statistics = running_block("mma").statistics();
  ++statistics.mma;
  statistics.macs += macs;
}

void fail(std::string rule, Place place) { running_block("a kernel's error").fail(std::move(rule), place); }

}  // namespace assay::simt::runtime
