#include "simt/host/pages.hpp"

#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace assay::simt::runtime {

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::byte* map_pages(std::size_t bytes) {
  void* map = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(map);
}

void unmap_pages(std::byte* map, std::size_t bytes) {
  if (map != nullptr) munmap(map, bytes);
}

void forbid_pages(std::byte* first, std::size_t bytes) {
  if (mprotect(first, bytes, PROT_NONE) != 0) throw std::bad_alloc();
}

}  // namespace assay::simt::runtime
