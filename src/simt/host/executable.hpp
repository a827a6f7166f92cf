#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::simt::runtime {

/// What is added to an address in the program's file to get the one in memory.
std::uintptr_t load_address();

/// The calling OS thread's copy of the program's thread-local memory.
struct ThreadLocalBlock {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
};
ThreadLocalBlock thread_local_block();

/// Whether the address lies in the program's code, constants or global variables.
bool in_program_image(const void* address);

}  // namespace assay::simt::runtime
