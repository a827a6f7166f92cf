// What `g++ -fsanitize=thread` calls at every memory access of a kernel's checked build. Nothing links the sanitizer's
// own library: these announce the access to the shadow checker of the running block, if there is one.

#include <cstddef>

#include "simt/host/block.hpp"

namespace {

using assay::simt::runtime::AccessKind;

void announce(const void* address, std::size_t bytes, AccessKind kind, const void* code) {
  auto* const block = assay::simt::runtime::Block::current();
  if (block != nullptr && block->in_kernel()) block->announce(address, bytes, kind, code);
}

}  // namespace

#define ASSAY_ACCESS_HOOK(name, bytes, kind) \
  extern "C" void name(void* address) { announce(address, bytes, AccessKind::kind, __builtin_return_address(0)); }
#define ASSAY_ACCESS_HOOKS(bytes)                                \
  ASSAY_ACCESS_HOOK(__tsan_read##bytes, bytes, read)             \
  ASSAY_ACCESS_HOOK(__tsan_write##bytes, bytes, write)           \
  ASSAY_ACCESS_HOOK(__tsan_unaligned_read##bytes, bytes, read)   \
  ASSAY_ACCESS_HOOK(__tsan_unaligned_write##bytes, bytes, write) \
  ASSAY_ACCESS_HOOK(__tsan_volatile_read##bytes, bytes, read)    \
  ASSAY_ACCESS_HOOK(__tsan_volatile_write##bytes, bytes, write)

ASSAY_ACCESS_HOOKS(1)
ASSAY_ACCESS_HOOKS(2)
ASSAY_ACCESS_HOOKS(4)
ASSAY_ACCESS_HOOKS(8)
ASSAY_ACCESS_HOOKS(16)

extern "C" void __tsan_read_range(void* address, std::size_t bytes) {
  announce(address, bytes, AccessKind::read, __builtin_return_address(0));
}
extern "C" void __tsan_write_range(void* address, std::size_t bytes) {
  announce(address, bytes, AccessKind::write, __builtin_return_address(0));
}

// Called, but of no interest: kernels have neither virtual functions nor threads of their own.
extern "C" void __tsan_init() {}
extern "C" void __tsan_func_entry(void*) {}
extern "C" void __tsan_func_exit() {}
extern "C" void __tsan_vptr_update(void**, void*) {}
extern "C" void __tsan_vptr_read(void**) {}
