#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace assay::simt::runtime {

/// A `__shared__` array with a fixed size.
struct SharedArray {
  std::string name;
  std::size_t offset;  ///< in the executable's block of thread-local memory
  std::size_t bytes;
};

/// What the executable's symbol table says about a kernel.
struct KernelSymbols {
  std::string name;                 ///< as written: "gemm_tiled<16>"
  std::vector<SharedArray> arrays;  ///< declared in the kernel's own body, by offset
  std::size_t shared_bytes = 0;     ///< of all of them
};

/// Looks a kernel up by its address; remembered after the first time. The reference stays valid.
///
/// A `__shared__` array is a thread-local variable inside a function, so the linker gives it a symbol whose mangled
/// name begins with that of the function; sections or registration cannot be had for variables of templates. Throws
/// Error if the executable was stripped of its symbols.
const KernelSymbols& kernel_symbols(const void* kernel);

/// Any array at this offset, of whatever function; empty name if there is none.
SharedArray shared_array_at(std::size_t offset);

}  // namespace assay::simt::runtime
