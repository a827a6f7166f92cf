#pragma once

// Compiled apart for every lane path, like lane_kernels.inl that includes it: nothing here has external linkage.

#include <cstddef>

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <immintrin.h>
#endif

namespace assay::dd {
namespace {

#if defined(__AVX512F__)

/// As many lanes as one register of this path holds, and the operations that a windowed sum takes.
struct Vector {
  static constexpr std::size_t width = 8;
  __m512d lanes;
};
inline Vector load(const double* p) { return {_mm512_load_pd(p)}; }
inline Vector broadcast(double x) { return {_mm512_set1_pd(x)}; }
inline void store(double* p, Vector a) { _mm512_store_pd(p, a.lanes); }
inline Vector operator+(Vector a, Vector b) { return {_mm512_add_pd(a.lanes, b.lanes)}; }
inline Vector operator-(Vector a, Vector b) { return {_mm512_sub_pd(a.lanes, b.lanes)}; }
inline Vector fma(Vector a, Vector b, Vector c) { return {_mm512_fmadd_pd(a.lanes, b.lanes, c.lanes)}; }

#elif defined(__AVX2__) && defined(__FMA__)

struct Vector {
  static constexpr std::size_t width = 4;
  __m256d lanes;
};
inline Vector load(const double* p) { return {_mm256_load_pd(p)}; }
inline Vector broadcast(double x) { return {_mm256_set1_pd(x)}; }
inline void store(double* p, Vector a) { _mm256_store_pd(p, a.lanes); }
inline Vector operator+(Vector a, Vector b) { return {_mm256_add_pd(a.lanes, b.lanes)}; }
inline Vector operator-(Vector a, Vector b) { return {_mm256_sub_pd(a.lanes, b.lanes)}; }
inline Vector fma(Vector a, Vector b, Vector c) { return {_mm256_fmadd_pd(a.lanes, b.lanes, c.lanes)}; }

#else

struct Vector {
  static constexpr std::size_t width = 1;
  double lanes;
};
inline Vector load(const double* p) { return {*p}; }
inline Vector broadcast(double x) { return {x}; }
inline void store(double* p, Vector a) { *p = a.lanes; }
inline Vector operator+(Vector a, Vector b) { return {a.lanes + b.lanes}; }
inline Vector operator-(Vector a, Vector b) { return {a.lanes - b.lanes}; }
inline Vector fma(Vector a, Vector b, Vector c) { return {__builtin_fma(a.lanes, b.lanes, c.lanes)}; }

#endif

}  // namespace
}  // namespace assay::dd
