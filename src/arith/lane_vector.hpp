#pragma once

// Compiled apart for every lane path, like lane_kernels.inl that includes it: nothing here has external linkage.

#include <cstddef>

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <immintrin.h>
#endif

namespace assay::dd {
namespace {

inline constexpr long long exponent_bits = 0x7ff0000000000000;

#if defined(__AVX512F__)

/// As many lanes as one register of this path holds, and the operations that a windowed sum takes. `max` and `min` give
/// b where either is no number; `binade` is the largest power of two that |a| reaches, 0 below the normal range.
struct Vector {
  static constexpr std::size_t width = 8;
  __m512d lanes;
};
inline Vector load(const double* p) { return {_mm512_load_pd(p)}; }
inline Vector broadcast(double x) { return {_mm512_set1_pd(x)}; }
inline void store(double* p, Vector a) { _mm512_store_pd(p, a.lanes); }
inline Vector operator+(Vector a, Vector b) { return {_mm512_add_pd(a.lanes, b.lanes)}; }
inline Vector operator-(Vector a, Vector b) { return {_mm512_sub_pd(a.lanes, b.lanes)}; }
inline Vector operator*(Vector a, Vector b) { return {_mm512_mul_pd(a.lanes, b.lanes)}; }
inline Vector fma(Vector a, Vector b, Vector c) { return {_mm512_fmadd_pd(a.lanes, b.lanes, c.lanes)}; }
inline Vector fnma(Vector a, Vector b, Vector c) { return {_mm512_fnmadd_pd(a.lanes, b.lanes, c.lanes)}; }
// g++ 12 takes what the forms without a mask leave undefined for a use of it.
inline constexpr unsigned char every_lane = 0xff;
inline Vector max(Vector a, Vector b) { return {_mm512_maskz_max_pd(every_lane, a.lanes, b.lanes)}; }
inline Vector min(Vector a, Vector b) { return {_mm512_maskz_min_pd(every_lane, a.lanes, b.lanes)}; }
inline Vector abs(Vector a) { return {_mm512_abs_pd(a.lanes)}; }
inline Vector sqrt(Vector a) { return {_mm512_maskz_sqrt_pd(every_lane, a.lanes)}; }
inline Vector binade(Vector a) {
  return {_mm512_and_pd(a.lanes, _mm512_castsi512_pd(_mm512_set1_epi64(exponent_bits)))};
}

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
inline Vector operator*(Vector a, Vector b) { return {_mm256_mul_pd(a.lanes, b.lanes)}; }
inline Vector fma(Vector a, Vector b, Vector c) { return {_mm256_fmadd_pd(a.lanes, b.lanes, c.lanes)}; }
inline Vector fnma(Vector a, Vector b, Vector c) { return {_mm256_fnmadd_pd(a.lanes, b.lanes, c.lanes)}; }
inline Vector max(Vector a, Vector b) { return {_mm256_max_pd(a.lanes, b.lanes)}; }
inline Vector min(Vector a, Vector b) { return {_mm256_min_pd(a.lanes, b.lanes)}; }
inline Vector abs(Vector a) { return {_mm256_andnot_pd(_mm256_set1_pd(-0.0), a.lanes)}; }
inline Vector sqrt(Vector a) { return {_mm256_sqrt_pd(a.lanes)}; }
inline Vector binade(Vector a) {
  return {_mm256_and_pd(a.lanes, _mm256_castsi256_pd(_mm256_set1_epi64x(exponent_bits)))};
}

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
inline Vector operator*(Vector a, Vector b) { return {a.lanes * b.lanes}; }
inline Vector fma(Vector a, Vector b, Vector c) { return {__builtin_fma(a.lanes, b.lanes, c.lanes)}; }
inline Vector fnma(Vector a, Vector b, Vector c) { return {__builtin_fma(-a.lanes, b.lanes, c.lanes)}; }
inline Vector max(Vector a, Vector b) { return {a.lanes > b.lanes ? a.lanes : b.lanes}; }
inline Vector min(Vector a, Vector b) { return {a.lanes < b.lanes ? a.lanes : b.lanes}; }
inline Vector abs(Vector a) { return {__builtin_fabs(a.lanes)}; }
inline Vector sqrt(Vector a) { return {__builtin_sqrt(a.lanes)}; }
inline Vector binade(Vector a) {
  return {__builtin_bit_cast(double, __builtin_bit_cast(long long, a.lanes) & exponent_bits)};
}

#endif

}  // namespace
}  // namespace assay::dd
