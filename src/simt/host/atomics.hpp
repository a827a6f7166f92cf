#pragma once

// Read-modify-write of one word, as CUDA names it; each returns the old value.

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "simt/host/machine.hpp"

namespace assay::simt::runtime {

/// Replaces *address by change(*address), for words of 4 or 8 bytes. Not inlined, so that it returns to the kernel.
template <class T, class Change>
__attribute__((noinline, no_sanitize_thread)) T update_atomically(T* address, Change change) {
  using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static_assert(sizeof(T) == sizeof(Word));
  before_atomic(address, sizeof(T), __builtin_return_address(0));
  auto* const word = reinterpret_cast<Word*>(address);
  Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &old, std::bit_cast<Word>(change(std::bit_cast<T>(old))), false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return std::bit_cast<T>(old);
}

template <class T, class Change>
__attribute__((always_inline)) inline T update_integer(T* address, Change change) {
  static_assert(std::is_integral_v<T>, "an integer of 32 or 64 bits");
  return update_atomically(address, change);
}

/// 0 of the same sign for a subnormal.
inline float without_subnormals(float x) { return std::abs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

/// A GPU's units that add floats in global memory take and leave no subnormals; those of shared memory do: PTX ISA 9.0,
/// section 9.7.13, atom.
__attribute__((always_inline)) inline float add_float(float* address, float value) {
  if (in_shared_memory(address, sizeof *address))
    return update_atomically(address, [=](float old) { return old + value; });
  return update_atomically(
      address, [=](float old) { return without_subnormals(without_subnormals(old) + without_subnormals(value)); });
}

}  // namespace assay::simt::runtime

/// int, unsigned, unsigned long long, float, double.
template <class T>
__attribute__((always_inline)) static inline T atomicAdd(T* address, std::type_identity_t<T> value) {
  if constexpr (std::is_same_v<T, float>)
    return assay::simt::runtime::add_float(address, value);
  else
    return assay::simt::runtime::update_atomically(address, [=](T old) { return static_cast<T>(old + value); });
}
template <class T>
__attribute__((always_inline)) static inline T atomicSub(T* address, std::type_identity_t<T> value) {
  return assay::simt::runtime::update_integer(address, [=](T old) { return static_cast<T>(old - value); });
}
template <class T>
__attribute__((always_inline)) static inline T atomicExch(T* address, std::type_identity_t<T> value) {
  return assay::simt::runtime::update_atomically(address, [=](T) { return value; });
}
template <class T>
__attribute__((always_inline)) static inline T atomicMin(T* address, std::type_identity_t<T> value) {
  return assay::simt::runtime::update_integer(address, [=](T old) { return value < old ? value : old; });
}
template <class T>
__attribute__((always_inline)) static inline T atomicMax(T* address, std::type_identity_t<T> value) {
  return assay::simt::runtime::update_integer(address, [=](T old) { return value > old ? value : old; });
}
template <class T>
__attribute__((always_inline)) static inline T atomicAnd(T* address, std::type_identity_t<T> value) {
  return assay::simt::runtime::update_integer(address, [=](T old) { return old & value; });
}
template <class T>
__attribute__((always_inline)) static inline T atomicOr(T* address, std::type_identity_t<T> value) {
  return assay::simt::runtime::update_integer(address, [=](T old) { return old | value; });
}
template <class T>
__attribute__((always_inline)) static inline T atomicCAS(T* address, std::type_identity_t<T> expected,
                                                         std::type_identity_t<T> value) {
  return assay::simt::runtime::update_integer(address, [=](T old) { return old == expected ? value : old; });
}
