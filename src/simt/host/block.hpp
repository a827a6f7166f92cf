#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simt/host/async_copies.hpp"
#include "simt/host/dynamic_shared.hpp"
#include "simt/host/executable.hpp"
#include "simt/host/failure.hpp"
#include "simt/host/fiber.hpp"
#include "simt/host/machine.hpp"
#include "simt/host/schedule.hpp"
#include "simt/host/shadow_checker.hpp"
#include "simt/host/stacks.hpp"
#include "simt/host/static_shared.hpp"
#include "simt/host/thread_set.hpp"
#include "simt/options.hpp"

namespace assay::simt::runtime {

/// Lanes of one warp on their way to one operation.
struct Meeting {
  std::uint32_t mask = 0;  // 0: free
  std::uint32_t arrived = 0;
  const char* operation = nullptr;
  Combine combine = nullptr;  // null: __syncwarp
  Place place = {};
  std::array<void*, warp_lanes> data = {};
};

/// A signal that a thread's instruction raised. signal = 0: none.
struct Fault {
  int signal = 0;
  const void* address = nullptr;  ///< of the memory
  const void* code = nullptr;     ///< of the instruction
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
  static Block* current() { return current_; }

  // What the running thread may ask for: see machine.hpp.
  int barrier(BarrierKind kind, bool predicate, Place place);
  void meet(const char* operation, std::uint32_t mask, void* mine, Combine combine, Place place);
  void issue_copy(const AsyncCopy& copy, Place place, const void* code);
  void commit_copies();
  void read_matrix_row(const void* row, Place place, const void* code);
  void wait_for_copies(std::size_t pending_groups);
  void note_access(const void* address, std::size_t bytes, AccessKind kind, const void* code);
  /// An access of kernel code that was built as `checked`.
  void announce(const void* address, std::size_t bytes, AccessKind kind, const void* code);
  [[noreturn]] void fail(std::string rule, Place place);
  [[noreturn]] void fail(std::string rule);

  /// Under a random schedule: maybe another thread's turn.
  void yield() {
    if (schedule_.random()) leave();
  }

  /// Ends the block from a signal handler; put into words afterwards.
  [[noreturn]] void fault(const Fault& fault);

  /// Between kernel code and the machine: accesses of the machine itself are not the kernel's.
  void enter_machine() { in_kernel_ = false; }
  void leave_machine() { in_kernel_ = true; }
  bool in_kernel() const { return in_kernel_; }

  int running_thread() const { return running_; }
  std::byte* dynamic_shared() { return dynamic_.data(); }
  bool in_shared_memory(const std::byte* begin, std::size_t bytes) const;
  Statistics& statistics() { return statistics_; }

 private:
  // block.cpp: turns
  static void thread_loop();
  void run_thread();
  void finish_thread(int thread);
  void resume(int thread);
  void enter(int thread);
  void leave();
  void switch_to(Fiber& fiber);
  // block_sync.cpp: barriers and warp operations
  void open_barrier();
  Meeting& meeting_for(int warp, std::uint32_t mask);
  void complete(Meeting& meeting, int warp);
  // block_memory.cpp: shared memory, asynchronous copies, the checker
  void prepare_memory();
  void fill_memory();
  void fill_stack() const;
  [[noreturn]] void fail(const Violation& violation, const void* code);
  // block_failure.cpp
  void require_nobody_waits_for(int thread);
  [[noreturn]] void fail_deadlock();
  [[noreturn]] void fail(Failure failure);
  Failure explain(const Fault& fault) const;
  std::optional<Failure> take_failure();

  static inline constinit thread_local Block* current_ = nullptr;

  Launch launch_ = {};
  const KernelSymbols* symbols_ = nullptr;
  Options options_ = {};
  Statistics statistics_ = {};
  int thread_count_ = 0;

  Stacks stacks_;
  std::vector<Fiber> fibers_;
  std::vector<Fiber*> free_fibers_;
  std::vector<Fiber*> fiber_of_;  // by thread; null: not started, or returned
  std::vector<uint3> index_of_;   // threadIdx
  Fiber main_;                    // where run() waits
  Fiber* active_ = nullptr;
  int running_ = -1;
  bool in_kernel_ = false;

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

  DynamicShared dynamic_;
  ThreadLocalBlock thread_local_ = {};
  std::vector<AsyncCopies> copies_;         // by thread
  std::unique_ptr<ShadowChecker> checker_;  // null: nothing is checked

  std::optional<Failure> failure_;
  Fault fault_ = {};
};

const char* name_of(BarrierKind kind);

}  // namespace assay::simt::runtime
