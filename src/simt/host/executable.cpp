#include "simt/host/executable.hpp"

#include <link.h>

// Set by the linker around everything that is loaded from the program's file.
extern "C" const char __executable_start;
extern "C" const char _end;

namespace assay::simt::runtime {
namespace {

int take_first(dl_phdr_info* info, std::size_t, void* result) {
  *static_cast<dl_phdr_info*>(result) = *info;
  return 1;  // the program itself comes first; libraries would follow
}

dl_phdr_info program() {
  dl_phdr_info info = {};
  dl_iterate_phdr(take_first, &info);
  return info;
}

}  // namespace

std::uintptr_t load_address() { return program().dlpi_addr; }

ThreadLocalBlock thread_local_block() {
  const dl_phdr_info info = program();
  for (int i = 0; i < info.dlpi_phnum; ++i)
    if (info.dlpi_phdr[i].p_type == PT_TLS)
      return {static_cast<std::byte*>(info.dlpi_tls_data), info.dlpi_phdr[i].p_memsz};
  return {};
}

bool in_program_image(const void* address) {
  return address >= static_cast<const void*>(&__executable_start) && address < static_cast<const void*>(&_end);
}

}  // namespace assay::simt::runtime
