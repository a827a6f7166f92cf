#include <array>

#include <fmt/format.h>

#include "simt/host/block.hpp"
#include "simt/host/poison.hpp"

namespace assay::simt::runtime {

void Block::prepare_memory() {
  dynamic_.reserve(launch_.shared_bytes);
  thread_local_ = thread_local_block();
  copies_.resize(static_cast<std::size_t>(thread_count_));
  checker_.reset();
  if (!options_.check) return;
  checker_ = std::make_unique<ShadowChecker>();
  const auto* arguments = static_cast<const std::byte*>(launch_.arguments);
  checker_->begin_launch(*symbols_,
                         {{stacks_.begin(), stacks_.end()}, {arguments, arguments + launch_.arguments_bytes}},
                         dynamic_.data(), dynamic_.bytes());
}

void Block::fill_memory() {
  for (const SharedArray& array : symbols_->arrays)
    fill_with(thread_local_.data + array.offset, array.bytes, options_.poison);
  dynamic_.fill(options_.poison);
  for (AsyncCopies& copies : copies_) copies.clear();
  if (checker_) checker_->begin_block(thread_count_);
}

/// Fills what lies below this frame, where the kernel's own will be.
__attribute__((noinline)) void Block::fill_stack() const {
  std::array<std::uint32_t, 256> below;
  below.fill(options_.poison);
  asm volatile("" : : "r"(below.data()) : "memory");  // the fill is not dead
}

void Block::announce(const void* address, std::size_t bytes, AccessKind kind, const void* code) {
  if (!checker_) return;
  ++statistics_.accesses;
  note_access(address, bytes, kind, code);
}

void Block::note_access(const void* address, std::size_t bytes, AccessKind kind, const void* code) {
  if (!checker_) return;
  if (const Violation* violation = checker_->access(running_, address, bytes, kind, code)) fail(*violation, code);
}

/// Whether the bytes lie in one array.
bool Block::in_shared_memory(const std::byte* begin, std::size_t bytes) const {
  const auto inside = [&](const std::byte* array, std::size_t size) {
    return begin >= array && begin + bytes <= array + size;
  };
  for (const SharedArray& array : symbols_->arrays)
    if (inside(thread_local_.data + array.offset, array.bytes)) return true;
  return inside(dynamic_.data(), dynamic_.bytes());
}

void Block::read_matrix_row(const void* row, Place place, const void* code) {
  constexpr std::size_t bytes = 16;
  if (reinterpret_cast<std::uintptr_t>(row) % bytes != 0)
    fail("ldmatrix: the address of a row is not a multiple of 16 bytes", place);
  if (!in_shared_memory(static_cast<const std::byte*>(row), bytes))
    fail("ldmatrix: a row is not inside one array of shared memory", place);
  note_access(row, bytes, AccessKind::read, code);
}

void Block::issue_copy(const AsyncCopy& copy, Place place, const void* code) {
  if (copy.bytes != 4 && copy.bytes != 8 && copy.bytes != 16)
    fail(fmt::format("cp.async of {} bytes: 4, 8 or 16", copy.bytes), place);
  if (copy.source_bytes > copy.bytes)
    fail(fmt::format("cp.async: {} of {} bytes from the source", copy.source_bytes, copy.bytes), place);
  for (const std::byte* address : {static_cast<const std::byte*>(copy.to), copy.from})
    if (reinterpret_cast<std::uintptr_t>(address) % copy.bytes != 0)
      fail(fmt::format("cp.async of {} bytes: an address is not a multiple of that", copy.bytes), place);
  if (!in_shared_memory(copy.to, copy.bytes))
    fail("cp.async: the destination is not inside one array of shared memory", place);
  note_access(copy.from, copy.source_bytes, AccessKind::read, code);
  if (checker_)
    if (const Violation* violation = checker_->issue_copy(running_, copy.to, copy.bytes, code)) fail(*violation, code);
  if (schedule_.coin()) copy.deliver();  // it may arrive at any time before the wait
  copies_[static_cast<std::size_t>(running_)].issue(copy);
}

void Block::commit_copies() { copies_[static_cast<std::size_t>(running_)].commit(); }

void Block::wait_for_copies(std::size_t pending_groups) {
  for (const AsyncCopy& copy : copies_[static_cast<std::size_t>(running_)].wait(pending_groups))
    if (checker_) checker_->deliver_copy(running_, copy.to, copy.bytes);
}

}  // namespace assay::simt::runtime
