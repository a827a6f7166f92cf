#include <csignal>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simt/host/block.hpp"
#include "simt/host/regions.hpp"
#include "simt/host/thread_index.hpp"

namespace assay::simt::runtime {
namespace {

std::string text(const Place& place) {
  const std::string_view file = place.file_name();
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), place.line());
}

}  // namespace

void Block::fail(Failure failure) {
  failure.block = blockIdx;
  failure.thread = threadIdx;
  failure_ = std::move(failure);
  switch_to(main_);
  std::abort();  // run() never resumes a failed block
}

void Block::fail(std::string rule, Place place) { fail(Failure{.rule = std::move(rule), .place = text(place)}); }

void Block::fail(std::string rule) { fail(Failure{.rule = std::move(rule)}); }

void Block::fail(const Violation& violation, const void* code) {
  fail(Failure{.rule = violation.rule, .code = code, .other = violation.other, .other_code = violation.other_code});
}

void Block::require_nobody_waits_for(int thread) {
  const int warp = thread / warp_lanes;
  const int lane = thread % warp_lanes;
  if (waiting_ > 0)
    fail(fmt::format("returns while {} threads wait at {}", waiting_, name_of(barrier_kind_)), barrier_place_);
  for (const Meeting& meeting : meetings_[static_cast<std::size_t>(warp)])
    if ((meeting.mask >> lane & 1) != 0)
      fail(fmt::format("lane {} returns while lanes {:08x} wait for it at {}, mask {:08x}", lane, meeting.arrived,
                       meeting.operation, meeting.mask),
           meeting.place);
}

void Block::fail_deadlock() {
  std::string text = "deadlock: every thread waits";
  if (waiting_ > 0)
    text += fmt::format("; {} at {} in line {}", waiting_, name_of(barrier_kind_), barrier_place_.line());
  for (std::size_t warp = 0; warp < meetings_.size(); ++warp)
    for (const Meeting& meeting : meetings_[warp])
      if (meeting.mask != 0)
        text += fmt::format("; lanes {:08x} of warp {} at {} in line {}, mask {:08x}", meeting.arrived, warp,
                            meeting.operation, meeting.place.line(), meeting.mask);
  fail(std::move(text));
}

void Block::fault(const Fault& fault) {
  fault_ = fault;
  switch_to(main_);
  std::abort();
}

Failure Block::explain(const Fault& fault) const {
  std::string rule = "an access to unmapped or misaligned memory";
  if (fault.signal == SIGFPE)
    rule = "integer division by zero, or its quotient overflows";
  else if (stacks_.overflowed_at(fault.address))
    rule = fmt::format("call stack overflow: a thread has {} bytes (Options::stack_bytes)", stacks_.bytes());
  else if (dynamic_.overrun_at(fault.address))
    rule = fmt::format("an access past the end of dynamic shared memory ({} bytes)", dynamic_.bytes());
  else if (const auto region = region_around(fault.address))
    rule = fmt::format("an access {} buffer '{}' ({} bytes)",
                       fault.address < region->data ? "before the start of" : "past the end of", region->name,
                       region->bytes);
  const auto* const after = fault.code == nullptr ? nullptr : static_cast<const std::byte*>(fault.code) + 1;
  return {.rule = std::move(rule), .block = blockIdx, .thread = threadIdx, .code = after};
}

std::optional<Failure> Block::take_failure() {
  if (const Fault fault = std::exchange(fault_, {}); fault.signal != 0) return explain(fault);
  if (!failure_ && !dynamic_.intact(options_.poison))
    return Failure{.rule = "a write past the end of dynamic shared memory", .block = blockIdx, .thread = threadIdx};
  return std::exchange(failure_, std::nullopt);
}

}  // namespace assay::simt::runtime
