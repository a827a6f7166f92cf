#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simt/host/dynamic_shared.hpp"
#include "simt/host/fiber.hpp"
#include "simt/host/machine.hpp"
#include "simt/host/schedule.hpp"
#include "simt/host/stacks.hpp"
#include "simt/host/static_shared.hpp"
#include "simt/host/thread_set.hpp"
#include "simt/options.hpp"

namespace assay::simt::runtime {

/// A rule that a thread broke, and where.
struct Failure {
  std::string rule;
  std::optional<Place> place;
  uint3 block;
  uint3 thread;
};

/// Lanes of one warp on their way to one operation.
struct Meeting {
  std::uint32_t mask = 0;  // 0: free
  std::uint32_t arrived = 0;
  const char* operation = nullptr;
  Combine combine = nullptr;
  Place place = {};
  std::array<void*, warp_lanes> data = {};
};

/// One block at a time on one OS thread: its threads are fibers that take turns at barriers and warp operations.
class Block {
 public:
  /// Gets stacks and shared memory ready for blocks of this launch.
  void prepare(const Launch& launch, const KernelSymbols& symbols, const Options& options);

  /// Runs every thread of block number `index`; says what went wrong, if anything did.
  std::optional<Failure> run(std::uint64_t index);

  /// The counts since the last call.
  Statistics take_statistics();

  /// The block whose thread is running on this OS thread; null outside kernels.
  static Block* current();

  // What the running thread may ask for: see machine.hpp.
  int barrier(BarrierKind kind, bool predicate, Place place);
  void meet(const char* operation, std::uint32_t mask, void* mine, Combine combine, Place place);
  void yield();
  [[noreturn]] void fail(std::string rule, std::optional<Place> place);

  /// Ends the block from a signal handler. `what` and its arguments are put into words later.
  [[noreturn]] void fault(int signal, const void* address);

  int running_thread() const { return running_; }
  std::byte* dynamic_shared() { return dynamic_.data(); }
  Statistics& statistics() { return statistics_; }

 private:
  static void thread_loop();
  void run_thread(int thread);
  void finish_thread(int thread);
  void resume(int thread);
  void enter(int thread);
  void leave();
  void switch_to(Fiber& fiber);
  void open_barrier();
  Meeting& meeting_for(int warp, std::uint32_t mask);
  void complete(Meeting& meeting, int warp);
  [[noreturn]] void fail_deadlock();
  void fill_shared(std::uint32_t poison);
  void explain_fault();

  Launch launch_ = {};
  const KernelSymbols* symbols_ = nullptr;
  Options options_ = {};
  Statistics statistics_ = {};
  int thread_count_ = 0;

  Stacks stacks_;
  DynamicShared dynamic_;
  ThreadLocalBlock thread_local_ = {};
  std::vector<Fiber> fibers_;
  std::vector<Fiber*> free_fibers_;
  std::vector<Fiber*> fiber_of_;  // by thread; null: not started, or returned
  std::vector<uint3> index_of_;   // threadIdx
  Fiber main_;                    // where run() waits
  Fiber* active_ = nullptr;
  int running_ = -1;

  Schedule schedule_;
  ThreadSet alive_;
  ThreadSet ready_;  // may run, started or not
  int alive_count_ = 0;

  int waiting_ = 0;  // at the barrier
  int votes_ = 0;
  int barrier_result_ = 0;
  BarrierKind barrier_kind_ = BarrierKind::plain;
  Place barrier_place_ = {};
  std::vector<std::vector<Meeting>> meetings_;  // by warp

  std::optional<Failure> failure_;
  int fault_signal_ = 0;
  const void* fault_address_ = nullptr;
};

}  // namespace assay::simt::runtime
