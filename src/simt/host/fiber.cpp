#include "simt/host/fiber.hpp"

#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if defined(__x86_64__)
// Saves what a System V function must preserve. The control words of SSE and x87 are left alone: kernels never change
// them, and saving them would triple the cost.
extern "C" void assay_switch_stacks(void** save, void* resume);
asm(R"(
.text
.globl assay_switch_stacks
.hidden assay_switch_stacks
.type assay_switch_stacks,@function
.p2align 4
assay_switch_stacks:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp,(%rdi)
  movq %rsi,%rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size assay_switch_stacks,.-assay_switch_stacks
)");
#endif

namespace assay::simt::runtime {
namespace {

constinit thread_local Fiber* left = nullptr;     // the fiber that the last switch came from
constinit thread_local Fiber* running = nullptr;  // the fiber that it went to

}  // namespace

void Fiber::start(std::byte* low, std::size_t bytes, std::size_t colour, Entry entry) {
  entry_ = entry;
  low_ = low;
  bytes_ = bytes;
  shadow_ = nullptr;
  const std::size_t used = bytes - 64 * (7 * colour % 61);
#if defined(__SANITIZE_ADDRESS__)
  ASAN_UNPOISON_MEMORY_REGION(low, bytes);  // an abandoned fiber leaves the marks of its frames
#endif
#if defined(__x86_64__)
  constexpr int saved_registers = 6;
  auto* top = reinterpret_cast<std::uintptr_t*>(low + used);
  *--top = 0;  // no return address: ends the unwinder's walk
  *--top = reinterpret_cast<std::uintptr_t>(&Fiber::first_frame);
  for (int i = 0; i < saved_registers; ++i) *--top = 0;
  stack_pointer_ = top;
#else
  getcontext(&context_);
  context_.uc_stack.ss_sp = low;
  context_.uc_stack.ss_size = used;
  context_.uc_link = nullptr;
  makecontext(&context_, &Fiber::first_frame, 0);
#endif
}

void Fiber::switch_stacks(Fiber& from, Fiber& to) {
  left = &from;
  running = &to;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&from.shadow_, to.low_, to.bytes_);
#endif
#if defined(__x86_64__)
  assay_switch_stacks(&from.stack_pointer_, to.stack_pointer_);
#else
  swapcontext(&from.context_, &to.context_);
#endif
  arrive(from);
}

void Fiber::arrive([[maybe_unused]] Fiber& self) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(self.shadow_, &left->low_, &left->bytes_);
#endif
}

void Fiber::first_frame() {
  arrive(*running);
  running->entry_();
  __builtin_unreachable();
}

}  // namespace assay::simt::runtime
