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

void Block::note_access(const void* address, std::size_t bytes, AccessKind kind, const void* code) {
  if (!checker_) return;
  if (const Violation* violation = checker_->access(running_, address, bytes, kind, code)) fail(*violation, code);
}

void Block::require_shared(const AsyncCopy& copy, Place place) {
  const auto inside = [&](const std::byte* begin, std::size_t bytes) {
    return copy.to >= begin && copy.to + copy.bytes <= begin + bytes;
  };
  if (inside(dynamic_.data(), dynamic_.bytes())) return;
  for (const SharedArray& array : symbols_->arrays)
    if (inside(thread_local_.data + array.offset, array.bytes)) return;
  fail("cp.async: the destination is not inside one array of shared memory", place);
}

void Block::issue_copy(const AsyncCopy& copy, Place place, const void* code) {
  if (copy.bytes != 4 && copy.bytes != 8 && copy.bytes != 16)
    fail(fmt::format("cp.async of {} bytes: 4, 8 or 16", copy.bytes), place);
  if (copy.source_bytes > copy.bytes)
    fail(fmt::format("cp.async: {} of {} bytes from the source", copy.source_bytes, copy.bytes), place);
  for (const std::byte* end : {static_cast<const std::byte*>(copy.to), copy.from})
    if (reinterpret_cast<std::uintptr_t>(end) % copy.bytes != 0)
      fail(fmt::format("cp.async of {} bytes: an address is not a multiple of that", copy.bytes), place);
  require_shared(copy, place);
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
