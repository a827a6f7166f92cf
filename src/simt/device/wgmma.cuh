#pragma once

#include <cstddef>
#include <type_traits>

#include "simt/device/mma.cuh"

namespace assay::simt {
inline namespace ASSAY_MACHINE {

/// Where wgmma reads element (k, column) of B [K,8], T of 2 or 4 bytes, from shared memory without swizzling: core
/// matrices of 8 columns by 16 bytes along k, one after the other.
template <class T>
__device__ constexpr int wgmma_b_index(int k, int column) {
  constexpr int run = 16 / sizeof(T);
  return k / run * 8 * run + column * run + k % run;
}

/// The matrix descriptor of B at `b`, aligned to 128 bytes: address, and 128 bytes between core matrices both ways.
__device__ __forceinline__ unsigned long long wgmma_b_descriptor(const void* b) {
  constexpr unsigned long long apart = 128 >> 4;
  const unsigned long long address = __cvta_generic_to_shared(b);
  return (address & 0x3ffff) >> 4 | apart << 16 | apart << 32;
}

/// Starts C [64,8] += A [64,K] B [K,8], 16 rows of A and C in each warp's registers.
template <class T>
__device__ __forceinline__ void start_wgmma(const unsigned (&a)[4], unsigned long long b, float (&c)[4]) {
  if constexpr (std::is_same_v<T, Bf16>)
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3},{%4,%5,%6,%7},%8,1,1,1,0;"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
  else if constexpr (std::is_same_v<T, Fp16>)
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3},{%4,%5,%6,%7},%8,1,1,1,0;"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
  else
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0,%1,%2,%3},{%4,%5,%6,%7},%8,1,1,1;"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

/// C [64,8] becomes A B + C, a warp's 16 rows in its fragments. b lies in shared memory as wgmma_b_index says. Every
/// thread of a block of four warps comes here after writing its part of b; none may write b again before a barrier that
/// follows.
template <class T, std::size_t a_count>
__device__ __forceinline__ void warpgroup_multiply_add(const T (&a)[a_count], const T* b, float (&c)[4]) {
  unsigned x[4];
  pack(x, a);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // b was written by ordinary stores
  __syncthreads();
  // The registers are operands of the fence, so that they are written before it and read after the wait.
  asm volatile("wgmma.fence.sync.aligned;"
               : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3]), "+f"(c[0]), "+f"(c[1]), "+f"(c[2]),
                 "+f"(c[3])::"memory");
  start_wgmma<T>(x, wgmma_b_descriptor(b), c);
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])::"memory");
}

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
