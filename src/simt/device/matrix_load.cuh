#pragma once

#include "simt/simt.cuh"

namespace assay::simt {
inline namespace ASSAY_MACHINE {

template <int matrices, bool transposed>
__device__ __forceinline__ void ldmatrix(unsigned (&r)[matrices], const void* row, Place) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  if constexpr (matrices == 2 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1},[%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(address)
                 : "memory");
  else if constexpr (matrices == 2)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1},[%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(address)
                 : "memory");
  else if constexpr (transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3},[%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
