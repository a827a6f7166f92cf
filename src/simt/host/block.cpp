#include "simt/host/block.hpp"

#include <exception>
#include <utility>

#include "simt/host/thread_index.hpp"

namespace assay::simt::runtime {
namespace {

uint3 index_in(dim3 shape, std::uint64_t linear) {
  return {static_cast<unsigned>(linear % shape.x), static_cast<unsigned>(linear / shape.x % shape.y),
          static_cast<unsigned>(linear / (std::uint64_t{shape.x} * shape.y))};
}

}  // namespace

void Block::prepare(const Launch& launch, const KernelSymbols& symbols, const Options& options) {
  launch_ = launch;
  symbols_ = &symbols;
  options_ = options;
  thread_count_ = static_cast<int>(launch.block.x * launch.block.y * launch.block.z);
  const auto count = static_cast<std::size_t>(thread_count_);
  stacks_.reserve(count, options.stack_bytes);
  fibers_.resize(count);
  index_of_.resize(count);
  for (std::size_t i = 0; i < count; ++i) index_of_[i] = index_in(launch.block, i);
  meetings_.resize((count + warp_lanes - 1) / warp_lanes);
  blockDim = launch.block;
  gridDim = launch.grid;
  prepare_memory();
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
  fill_memory();

  current_ = this;
  active_ = &main_;
  running_ = -1;
  resume(schedule_.next(ready_, -1));
  current_ = nullptr;

  ++statistics_.blocks;
  statistics_.threads += static_cast<std::uint64_t>(thread_count_);
  return take_failure();
}

Statistics Block::take_statistics() { return std::exchange(statistics_, {}); }

/// Life of a stack: it runs one thread after another, as long as they have not started anywhere else.
void Block::thread_loop() {
  Block& block = *current_;
  Fiber* const self = block.active_;
  self->arrive();
  for (;;) {
    const int thread = block.running_;
    block.fiber_of_[static_cast<std::size_t>(thread)] = self;
    block.run_thread();
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

void Block::run_thread() {
  std::string thrown;
  try {
    fill_stack();
    leave_machine();
    launch_.body(launch_.arguments);
    enter_machine();
    return;
  } catch (const std::exception& error) {
    thrown = error.what();
  } catch (...) {
    thrown = "an exception without a text";
  }
  fail(std::move(thrown));
}

void Block::finish_thread(int thread) {
  alive_.erase(thread);
  ready_.erase(thread);
  --alive_count_;
  fiber_of_[static_cast<std::size_t>(thread)] = nullptr;
  require_nobody_waits_for(thread);
}

void Block::enter(int thread) {
  running_ = thread;
  threadIdx = index_of_[static_cast<std::size_t>(thread)];
}

/// Goes on with `thread`, on a stack of its own if it has not started.
void Block::resume(int thread) {
  Fiber* fiber = fiber_of_[static_cast<std::size_t>(thread)];
  if (fiber == nullptr) {
    fiber = free_fibers_.back();
    free_fibers_.pop_back();
    const auto stack = static_cast<std::size_t>(fiber - fibers_.data());
    fiber->start(stacks_.low(stack), stacks_.bytes(), stack, thread_loop);
  }
  enter(thread);
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

}  // namespace assay::simt::runtime
