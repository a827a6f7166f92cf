#include <utility>

#include <fmt/format.h>

#include "simt/host/block.hpp"

namespace assay::simt::runtime {
namespace {

bool same_place(const Place& a, const Place& b) { return a.line() == b.line() && a.column() == b.column(); }

}  // namespace

const char* name_of(BarrierKind kind) {
  switch (kind) {
    case BarrierKind::count:
      return "__syncthreads_count";
    case BarrierKind::all:
      return "__syncthreads_and";
    case BarrierKind::any:
      return "__syncthreads_or";
    case BarrierKind::plain:
      break;
  }
  return "__syncthreads";
}

int Block::barrier(BarrierKind kind, bool predicate, Place place) {
  if (alive_count_ != thread_count_)
    fail(fmt::format("{} after {} of the block's {} threads have returned", name_of(kind), thread_count_ - alive_count_,
                     thread_count_),
         place);
  if (waiting_ == 0) {
    barrier_kind_ = kind;
    barrier_place_ = place;
    votes_ = 0;
  } else if (!same_place(place, barrier_place_)) {
    fail(fmt::format("barriers diverge: {} here, while {} threads wait at {} in line {}", name_of(kind), waiting_,
                     name_of(barrier_kind_), barrier_place_.line()),
         place);
  }
  votes_ += predicate ? 1 : 0;
  ++statistics_.barriers;
  if (++waiting_ == thread_count_) {
    open_barrier();
    yield();
  } else {
    ready_.erase(running_);
    leave();
  }
  return barrier_result_;
}

void Block::open_barrier() {
  waiting_ = 0;
  ready_ = alive_;
  barrier_result_ = barrier_kind_ == BarrierKind::all   ? votes_ == thread_count_
                    : barrier_kind_ == BarrierKind::any ? votes_ > 0
                                                        : votes_;
  if (checker_) checker_->block_barrier();
}

Meeting& Block::meeting_for(int warp, std::uint32_t mask) {
  auto& meetings = meetings_[static_cast<std::size_t>(warp)];
  Meeting* unused = nullptr;
  for (Meeting& meeting : meetings) {
    if (meeting.mask == mask) return meeting;
    if (meeting.mask == 0) unused = &meeting;
  }
  return unused != nullptr ? *unused : meetings.emplace_back();
}

void Block::meet(const char* operation, std::uint32_t mask, void* mine, Combine combine, Place place) {
  const int warp = running_ / warp_lanes;
  const int lane = running_ % warp_lanes;
  if ((mask >> lane & 1) == 0)
    fail(fmt::format("{}: mask {:08x} does not name the calling lane {}", operation, mask, lane), place);
  if (const std::uint32_t absent = mask & ~alive_.lanes(warp); absent != 0)
    fail(fmt::format("{}: mask {:08x} names lanes {:08x} that have returned or do not exist", operation, mask, absent),
         place);
  Meeting& meeting = meeting_for(warp, mask);
  if (meeting.mask == 0) {
    meeting.mask = mask;
    meeting.arrived = 0;
    meeting.operation = operation;
    meeting.combine = combine;
    meeting.place = place;
  } else if (meeting.combine != combine || !same_place(meeting.place, place)) {
    fail(fmt::format("warp diverges: {} here, while lanes {:08x} of mask {:08x} wait at {} in line {}", operation,
                     meeting.arrived, mask, meeting.operation, meeting.place.line()),
         place);
  }
  meeting.data[static_cast<std::size_t>(lane)] = mine;
  meeting.arrived |= 1u << lane;
  ++statistics_.warp_operations;
  if (meeting.arrived == mask) {
    complete(meeting, warp);
    yield();
  } else {
    ready_.erase(running_);
    leave();
  }
}

/// The last lane combines; its result may fail, so the meeting is over before that.
void Block::complete(Meeting& meeting, int warp) {
  const std::uint32_t mask = std::exchange(meeting.mask, 0);
  ready_.insert_lanes(warp, mask);
  if (meeting.combine != nullptr)
    meeting.combine(meeting.data.data(), mask);
  else if (checker_)
    checker_->warp_barrier(warp, mask);
}

}  // namespace assay::simt::runtime
