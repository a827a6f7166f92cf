#include "simt/host/faults.hpp"

#include <array>
#include <memory>

#include <signal.h>
#include <ucontext.h>

#include "simt/host/block.hpp"

namespace assay::simt::runtime {
namespace {

constexpr std::array caught = {SIGSEGV, SIGBUS, SIGFPE};
std::array<struct sigaction, caught.size()> previous = {};

/// The instruction that faulted; null where this is not known.
const void* code_of([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#else
  return nullptr;
#endif
}

/// Runs on the OS thread's alternate stack, for the faulting stack may be full.
void handle(int signal, siginfo_t* info, void* context) {
  if (Block* block = Block::current()) block->fault({signal, info->si_addr, code_of(context)});
  for (std::size_t i = 0; i < caught.size(); ++i)
    if (caught[i] == signal) sigaction(signal, &previous[i], nullptr);
}

void install_handlers() {
  struct sigaction action = {};
  action.sa_sigaction = handle;
  // The handler leaves by a switch of stacks, so the signal must not stay blocked.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (std::size_t i = 0; i < caught.size(); ++i) sigaction(caught[i], &action, &previous[i]);
}

/// An alternate signal stack for as long as the OS thread lives.
class AlternateStack {
 public:
  AlternateStack() : memory_(std::make_unique<std::byte[]>(bytes)) {
    stack_t stack = {};
    stack.ss_sp = memory_.get();
    stack.ss_size = bytes;
    sigaltstack(&stack, &previous_);
  }
  ~AlternateStack() { sigaltstack(&previous_, nullptr); }
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;

 private:
  static constexpr std::size_t bytes = 64 * 1024;
  std::unique_ptr<std::byte[]> memory_;
  stack_t previous_ = {};
};

}  // namespace

void catch_faults() {
  static const bool installed = (install_handlers(), true);
  thread_local const AlternateStack stack;
  static_cast<void>(installed);
  static_cast<void>(stack);
}

}  // namespace assay::simt::runtime
