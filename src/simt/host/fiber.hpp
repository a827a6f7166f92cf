#pragma once

#include <cstddef>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace assay::simt::runtime {

/// A call stack that can be left in the middle and resumed later, on the same OS thread.
///
/// A default-constructed fiber stands for the stack that is running when it is first left.
class Fiber {
 public:
  using Entry = void (*)();

  /// Lays the first frame in [low, low + bytes): the next switch to it calls entry(), which must begin with arrive()
  /// and not return. Fibers of different `colour` start in different cache sets (with one start a ring of 1024
  /// costs 2.5 times more).
  void start(std::byte* low, std::size_t bytes, std::size_t colour, Entry entry);

  /// Leaves the running stack, remembered in `from`, and goes on with `to`.
  static void switch_stacks(Fiber& from, Fiber& to) {
    from.depart(to);
#if defined(__x86_64__)
    assay_switch_stacks(&from.stack_pointer_, to.stack_pointer_);
#else
    swapcontext(&from.context_, &to.context_);
#endif
    from.arrive();
  }

#if defined(__SANITIZE_ADDRESS__)
  void depart(const Fiber& to);
  void arrive();
#else
  void depart(const Fiber&) {}
  void arrive() {}
#endif

 private:
#if defined(__x86_64__)
  // Pushes what a System V function must preserve, stores the stack pointer in *save, and undoes the same at `resume`.
  static void assay_switch_stacks(void** save, void* resume) asm("assay_switch_stacks");
  void* stack_pointer_ = nullptr;
#else
  ucontext_t context_ = {};
#endif
  const void* low_ = nullptr;  // extent of the stack, and what AddressSanitizer keeps for it
  std::size_t bytes_ = 0;
  void* shadow_ = nullptr;
};

}  // namespace assay::simt::runtime
