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

  /// Lays the first frame in [low, low + bytes): the next switch to it calls entry(), which must not return.
  /// Fibers with different `colour` start in different cache sets (with one start a ring of 1024 costs 2.5 times more).
  void start(std::byte* low, std::size_t bytes, std::size_t colour, Entry entry);

  /// Leaves the running stack, remembered in `from`, and goes on with `to`.
  static void switch_stacks(Fiber& from, Fiber& to);

 private:
  [[noreturn]] static void first_frame();
  static void arrive(Fiber& self);

#if defined(__x86_64__)
  void* stack_pointer_ = nullptr;
#else
  ucontext_t context_ = {};
#endif
  Entry entry_ = nullptr;
  const void* low_ = nullptr;  // extent of the stack, and what AddressSanitizer keeps for it
  std::size_t bytes_ = 0;
  void* shadow_ = nullptr;
};

}  // namespace assay::simt::runtime
