#include "simt/host/fiber.hpp"

#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if defined(__x86_64__)
// The control words of SSE and x87 are left alone: kernels never change them, and saving them would triple the cost.
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

void Fiber::start(std::byte* low, std::size_t bytes, std::size_t colour, Entry entry) {
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
  *--top = reinterpret_cast<std::uintptr_t>(entry);
  for (int i = 0; i < saved_registers; ++i) *--top = 0;
  stack_pointer_ = top;
#else
  getcontext(&context_);
  context_.uc_stack.ss_sp = low;
  context_.uc_stack.ss_size = used;
  context_.uc_link = nullptr;
  makecontext(&context_, entry, 0);
#endif
}

#if defined(__SANITIZE_ADDRESS__)
namespace {

constinit thread_local Fiber* left = nullptr;  // by the last switch of this OS thread

}  // namespace

void Fiber::depart(const Fiber& to) {
  left = this;
  __sanitizer_start_switch_fiber(&shadow_, to.low_, to.bytes_);
}

void Fiber::arrive() { __sanitizer_finish_switch_fiber(shadow_, &left->low_, &left->bytes_); }
#endif

}  // namespace assay::simt::runtime
