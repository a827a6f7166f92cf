#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "arith/float_format.hpp"
#include "simt/shuffled_mma.cuh"
#include "simt/simt.cuh"

namespace assay::simt {
inline namespace ASSAY_MACHINE {

/// The operands as the 32-bit registers of an instruction.
template <std::size_t words, class T, std::size_t count>
__device__ __forceinline__ void pack(unsigned (&registers)[words], const T (&elements)[count]) {
  static_assert(sizeof registers == sizeof elements);
  memcpy(registers, elements, sizeof registers);
}

__device__ __forceinline__ void tensor_core_mma(const Bf16 (&a)[8], const Bf16 (&b)[4], float (&c)[4]) {
  unsigned x[4], y[2];
  pack(x, a);
  pack(y, b);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
}

__device__ __forceinline__ void tensor_core_mma(const Fp16 (&a)[8], const Fp16 (&b)[4], float (&c)[4]) {
  unsigned x[4], y[2];
  pack(x, a);
  pack(y, b);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
}

__device__ __forceinline__ void tensor_core_mma(const Tf32 (&a)[4], const Tf32 (&b)[2], float (&c)[4]) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0].bits), "r"(a[1].bits), "r"(a[2].bits), "r"(a[3].bits), "r"(b[0].bits), "r"(b[1].bits));
}

/// Products of one warp that follow each other.
template <class T, class C, int capacity>
class WarpProducts {
 public:
  __device__ explicit WarpProducts(Place) {}

  /// c becomes a b + c; all three live until run().
  template <std::size_t a_count, std::size_t b_count>
  __device__ __forceinline__ void add(const T (&a)[a_count], const T (&b)[b_count], C (&c)[4]) {
    if constexpr (std::is_same_v<T, C>)
      shuffled_mma(a, b, c);
    else
      tensor_core_mma(a, b, c);
  }

  __device__ void run() {}
};

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
