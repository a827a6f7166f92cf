#include "simt/host/block.hpp"

#include <csignal>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "simt/host/poison.hpp"
#include "simt/host/regions.hpp"
#include "simt/host/thread_index.hpp"

namespace assay::simt::runtime {
namespace {

constinit thread_local Block* current_block = nullptr;

bool same_place(const Place& a, const Place& b) { return a.line() == b.line() && a.column() == b.column(); }

uint3 index_in(dim3 shape, std::uint64_t linear) {
  return {static_cast<unsigned>(linear % shape.x), static_cast<unsigned>(linear / shape.x % shape.y),
          static_cast<unsigned>(linear / (std::uint64_t{shape.x} * shape.y))};
}

const char* barrier_name(BarrierKind kind) {
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

}  // namespace

Block* Block::current() { return current_block; }

void Block::prepare(const Launch& launch, const KernelSymbols& symbols, const Options& options) {
  launch_ = launch;
  symbols_ = &symbols;
  options_ = options;
  thread_count_ = static_cast<int>(launch.block.x * launch.block.y * launch.block.z);
  const auto count = static_cast<std::size_t>(thread_count_);
  stacks_.reserve(count, options.stack_bytes);
  dynamic_.reserve(launch.shared_bytes);
  thread_local_ = thread_local_block();
  fibers_.resize(count);
  index_of_.resize(count);
  for (std::size_t i = 0; i < count; ++i) index_of_[i] = index_in(launch.block, i);
  meetings_.resize((count + warp_lanes - 1) / warp_lanes);
  blockDim = launch.block;
  gridDim = launch.grid;
}

std::optional<Failure> Block::run(std::uint64_t index) {
  blockIdx = index_in(launch_.grid, index);
  schedule_ = Schedule(options_.schedule_seed, index);
  alive_ = ready_ = ThreadSet::first(thread_count_);
  alive_count_ = thread_count_;
  waiting_ = 0;
  for (auto& warp : meetings_) warp.clear();
  fiber_of_.assign(static_cast<std::size_t>(thread_count_), nullptr);
  free_fibers_.clear();
  for (auto fiber = fibers_.rbegin(); fiber != fibers_.rend(); ++fiber) free_fibers_.push_back(&*fiber);
  failure_.reset();
  fault_signal_ = 0;
  fill_shared(options_.poison);

  current_block = this;
  active_ = &main_;
  running_ = -1;
  resume(schedule_.next(ready_, -1));
  current_block = nullptr;

  ++statistics_.blocks;
  statistics_.threads += static_cast<std::uint64_t>(thread_count_);
  if (fault_signal_ != 0) explain_fault();
  if (!failure_ && !dynamic_.intact(options_.poison))
    failure_ = Failure{"a write past the end of dynamic shared memory", std::nullopt, blockIdx, threadIdx};
  return std::exchange(failure_, std::nullopt);
}

Statistics Block::take_statistics() { return std::exchange(statistics_, {}); }

void Block::fill_shared(std::uint32_t poison) {
  for (const SharedArray& array : symbols_->arrays) fill_with(thread_local_.data + array.offset, array.bytes, poison);
  dynamic_.fill(poison);
}

// ---- turns

/// Life of a stack: it runs one thread after another, as long as they have not started anywhere else.
void Block::thread_loop() {
  Block& block = *current_block;
  Fiber* const self = block.active_;
  for (;;) {
    const int thread = block.running_;
    block.fiber_of_[static_cast<std::size_t>(thread)] = self;
    block.run_thread(thread);
    block.finish_thread(thread);
    if (block.alive_count_ == 0) block.switch_to(block.main_);
    const int next = block.schedule_.next(block.ready_, thread);
    if (next < 0) block.fail_deadlock();
    Fiber* const other = block.fiber_of_[static_cast<std::size_t>(next)];
    block.enter(next);
    if (other == nullptr) continue;
    block.free_fibers_.push_back(self);
    block.switch_to(*other);
  }
}

void Block::run_thread(int) {
  std::string thrown;
  try {
    launch_.body(launch_.arguments);
    return;
  } catch (const std::exception& error) {
    thrown = error.what();
  } catch (...) {
    thrown = "an exception without a text";
  }
  fail(std::move(thrown), std::nullopt);
}

void Block::finish_thread(int thread) {
  const int warp = thread / warp_lanes;
  alive_.erase(thread);
  ready_.erase(thread);
  --alive_count_;
  fiber_of_[static_cast<std::size_t>(thread)] = nullptr;
  if (waiting_ > 0)
    fail(fmt::format("returns while {} threads wait at {}", waiting_, barrier_name(barrier_kind_)), barrier_place_);
  for (const Meeting& meeting : meetings_[static_cast<std::size_t>(warp)])
    if ((meeting.mask >> (thread % warp_lanes) & 1) != 0)
      fail(fmt::format("lane {} returns while lanes wait for it at {}, mask {:08x}", thread % warp_lanes,
                       meeting.operation, meeting.mask),
           meeting.place);
}

void Block::enter(int thread) {
  running_ = thread;
  threadIdx = index_of_[static_cast<std::size_t>(thread)];
}

/// Goes on with `thread`, on a stack of its own if it has not started.
void Block::resume(int thread) {
  enter(thread);
  Fiber* fiber = fiber_of_[static_cast<std::size_t>(thread)];
  if (fiber == nullptr) {
    fiber = free_fibers_.back();
    free_fibers_.pop_back();
    const auto stack = static_cast<std::size_t>(fiber - fibers_.data());
    fiber->start(stacks_.low(stack), stacks_.bytes(), stack, thread_loop);
  }
  switch_to(*fiber);
}

void Block::switch_to(Fiber& fiber) {
  Fiber& from = *std::exchange(active_, &fiber);
  ++statistics_.switches;
  Fiber::switch_stacks(from, fiber);
}

/// The running thread waits, or steps back: another one's turn.
void Block::leave() {
  const int next = schedule_.next(ready_, running_);
  if (next < 0) fail_deadlock();
  if (next != running_) resume(next);
}

void Block::yield() {
  if (schedule_.random()) leave();
}

// ---- barriers

int Block::barrier(BarrierKind kind, bool predicate, Place place) {
  if (alive_count_ != thread_count_)
    fail(fmt::format("{} after {} of the block's {} threads have returned", barrier_name(kind),
                     thread_count_ - alive_count_, thread_count_),
         place);
  if (waiting_ == 0) {
    barrier_kind_ = kind;
    barrier_place_ = place;
    votes_ = 0;
  } else if (kind != barrier_kind_ || !same_place(place, barrier_place_)) {
    fail(fmt::format("barriers diverge: {} here, while {} threads wait at {} in line {}", barrier_name(kind), waiting_,
                     barrier_name(barrier_kind_), barrier_place_.line()),
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
}

// ---- warp operations

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
    meeting = {mask, 0, operation, combine, place, {}};
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

void Block::complete(Meeting& meeting, int warp) {
  const Meeting done = std::exchange(meeting, Meeting{});
  if (done.combine != nullptr) done.combine(done.data.data(), done.mask);
  ready_.insert_lanes(warp, done.mask);
}

// ---- failures

void Block::fail(std::string rule, std::optional<Place> place) {
  failure_ = Failure{std::move(rule), place, blockIdx, threadIdx};
  switch_to(main_);
  std::abort();  // run() never resumes a failed block
}

void Block::fail_deadlock() {
  std::string text = "deadlock: every thread waits";
  if (waiting_ > 0)
    text += fmt::format("; {} at {} in line {}", waiting_, barrier_name(barrier_kind_), barrier_place_.line());
  for (std::size_t warp = 0; warp < meetings_.size(); ++warp)
    for (const Meeting& meeting : meetings_[warp])
      if (meeting.mask != 0)
        text += fmt::format("; lanes {:08x} of warp {} at {} in line {}, mask {:08x}", meeting.arrived, warp,
                            meeting.operation, meeting.place.line(), meeting.mask);
  fail(std::move(text), std::nullopt);
}

void Block::fault(int signal, const void* address) {
  fault_signal_ = signal;
  fault_address_ = address;
  switch_to(main_);
  std::abort();
}

void Block::explain_fault() {
  std::string rule = "an access to unmapped or misaligned memory";
  if (fault_signal_ == SIGFPE)
    rule = "integer division by zero, or its quotient overflows";
  else if (stacks_.overflowed_at(fault_address_))
    rule = fmt::format("call stack overflow: a thread has {} bytes (Options::stack_bytes)", stacks_.bytes());
  else if (dynamic_.overrun_at(fault_address_))
    rule = fmt::format("an access past the end of dynamic shared memory ({} bytes)", dynamic_.bytes());
  else if (const auto region = region_around(fault_address_))
    rule = fmt::format("an access {} buffer '{}' ({} bytes)",
                       fault_address_ < region->data ? "before the start of" : "past the end of", region->name,
                       region->bytes);
  failure_ = Failure{std::move(rule), std::nullopt, blockIdx, threadIdx};
}

}  // namespace assay::simt::runtime
