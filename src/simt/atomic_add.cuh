#pragma once

#include <bit>
#include <type_traits>

#include "simt/simt.cuh"

namespace assay::simt {
inline namespace ASSAY_MACHINE {

/// Adds to a number that other threads add to, in any order: a float by the machine's instruction, an element of a
/// field by comparing and exchanging its word.
template <class T>
__device__ void add_atomically(T* address, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    atomicAdd(address, value);
  } else {
    using Word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
    auto* const word = reinterpret_cast<Word*>(address);
    Word old = atomicCAS(word, Word(0), Word(0)), expected;
    do {
      expected = old;
      old = atomicCAS(word, expected, std::bit_cast<Word>(std::bit_cast<T>(expected) + value));
    } while (old != expected);
  }
}

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
