// Eight outputs at a time: lane n is column n of B. Every step below is exact, so the bits are those of `dot`.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "arith/tensor_core.hpp"

// Vectors cross only functions of this file, so that their calling convention without AVX does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace assay::tensor_core {
namespace {

constexpr int columns = 8;
constexpr int rows = 16;

using Floats = float __attribute__((vector_size(4 * columns)));
using Ints = std::int32_t __attribute__((vector_size(4 * columns)));
using Shorts = std::uint16_t __attribute__((vector_size(2 * columns)));
using Doubles = double __attribute__((vector_size(8 * columns)));
using Longs = std::int64_t __attribute__((vector_size(8 * columns)));

template <class To, class From>
To same_bits(const From& from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}

Ints larger(Ints x, Ints y) { return x > y ? x : y; }

/// Eight values ±significand 2^(exponent - fraction_bits); the significand is an integer.
struct Operands {
  Floats significand;
  Ints exponent;
  Ints magnitude;  ///< code without its sign
};

/// Exponent of a zero: so low that its sum with another never reaches the floor of rule 3.
constexpr std::int32_t zero_exponent = -1000;

template <class T>
Ints load_codes(const T* x) {
  if constexpr (sizeof(T) == 2) {
    Shorts codes;
    std::memcpy(&codes, x, sizeof codes);
    return __builtin_convertvector(codes, Ints);
  } else {
    Ints codes;
    std::memcpy(&codes, x, sizeof codes);
    return codes >> (31 - std::countr_zero(sign_code<T>));
  }
}

template <class T>
Operands load(const T* x) {
  constexpr FloatFormat format = format_of<T>;
  constexpr std::int32_t hidden = 1 << format.fraction_bits();
  const Ints code = load_codes(x);
  const Ints magnitude = code & static_cast<std::int32_t>(sign_code<T> - 1);
  const Ints normal = magnitude >= hidden;  // -1 or 0
  const Ints significand = (magnitude & (hidden - 1)) | (normal & hidden);
  const Ints negative = (code & static_cast<std::int32_t>(sign_code<T>)) != 0;
  const Ints exponent = larger(magnitude >> format.fraction_bits(), Ints{} + 1) - format.emax;
  return {__builtin_convertvector((significand ^ negative) - negative, Floats),
          magnitude == 0 ? Ints{} + zero_exponent : exponent, magnitude};
}

template <class T>
bool all_finite(Ints magnitude) {
  std::int32_t largest = 0;
  for (int n = 0; n < columns; ++n) largest = std::max(largest, magnitude[n]);
  return largest < static_cast<std::int32_t>(infinity_code<T>);
}

/// N values one by one, for broadcasts.
template <int N>
struct Scalars {
  alignas(32) float significand[N];
  alignas(32) std::int32_t exponent[N];
  Ints magnitude{};  ///< largest of every eighth value
};

template <class T, int N>
Scalars<N> load_row(const T* x) {
  Scalars<N> row;
  for (int k = 0; k < N; k += columns) {
    const Operands values = load(x + k);
    std::memcpy(row.significand + k, &values.significand, sizeof values.significand);
    std::memcpy(row.exponent + k, &values.exponent, sizeof values.exponent);
    row.magnitude = larger(row.magnitude, values.magnitude);
  }
  return row;
}

/// The columns of B [8,K]: lane n of step k, and whether all are finite.
template <class T, int K>
struct Columns {
  std::array<Operands, K> steps;
  bool finite;
};

template <class T, int K>
Columns<T, K> load_columns(const T* b) {
  Columns<T, K> out;
  Ints magnitude{};
  for (int k = 0; k < K; ++k) {
    T step[columns];
    for (int n = 0; n < columns; ++n) step[n] = b[n * K + k];
    out.steps[k] = load(step);
    magnitude = larger(magnitude, out.steps[k].magnitude);
  }
  out.finite = all_finite<T>(magnitude);
  return out;
}

/// significand 2^shift toward zero. The significand is an integer below 2^24: the product is exact, and a factor below
/// 2^-126 may as well be 0.
Ints truncated(Floats significand, Ints shift) {
  const Floats factor = same_bits<Floats>(larger(shift + 127, Ints{}) << 23);
  return __builtin_convertvector(significand * factor, Ints);
}

/// Rule 5 for eight sums in units of 2^unit, unit >= -158. No subnormal float is computed with: a subnormal result is
/// the integer that its code is.
Floats round_toward_zero(Doubles sum, Ints unit) {
  const Longs power = (__builtin_convertvector(unit, Longs) + 1023) << 52;
  const Longs value = same_bits<Longs>(sum * same_bits<Doubles>(power));
  const Longs magnitude = value & std::numeric_limits<std::int64_t>::max();
  const Longs least_normal = Longs{} + std::bit_cast<std::int64_t>(0x1p-126);
  const Longs subnormal = magnitude < least_normal;  // -1 or 0
  const Longs cut = value & ~std::int64_t{0x1fffffff} & ~subnormal;
  const Floats normal = __builtin_convertvector(same_bits<Doubles>(cut), Floats);
  const Doubles small = same_bits<Doubles>(magnitude & subnormal);
  const Ints code = __builtin_convertvector(small * 0x1p149, Ints);
  const Ints sign = __builtin_convertvector(value >> 32, Ints) & std::numeric_limits<std::int32_t>::min();
  const Ints signed_code = code == 0 ? code : code | sign;  // -0 becomes +0
  return same_bits<Floats>(__builtin_convertvector(subnormal, Ints) ? signed_code : same_bits<Ints>(normal));
}

/// Rules 3 to 5 for one row of A. |Σ products| <= K (2^(p + 1) - 1)^2 2^(25 - 2p) < 2^31 for p fraction bits.
template <class T, int K>
void finite_row(const Scalars<K>& a, const Columns<T, K>& b, const Operands& c, float* d) {
  Ints largest = larger(c.exponent, Ints{} + exponent_floor);
  for (int k = 0; k < K; ++k) largest = larger(largest, a.exponent[k] + b.steps[k].exponent);

  const Ints unit = largest - kept_fraction_bits;  // addends are multiples of 2^unit
  const Ints product_unit = unit + 2 * format_of<T>.fraction_bits();
  Ints products{};
  for (int k = 0; k < K; ++k)
    products +=
        truncated(a.significand[k] * b.steps[k].significand, a.exponent[k] + b.steps[k].exponent - product_unit);
  const Ints accumulator = truncated(c.significand, c.exponent - float32_format.fraction_bits() - unit);

  const Doubles sum = __builtin_convertvector(products, Doubles) + __builtin_convertvector(accumulator, Doubles);
  const Floats row = round_toward_zero(sum, unit);
  std::memcpy(d, &row, sizeof row);
}

template <class T, int K>
__attribute__((noinline)) void any_tile(const T* a, const T* b, const float* c, float* d) {
  const Columns<T, K> b_columns = load_columns<T, K>(b);
  for (int m = 0; m < rows; ++m, a += K, c += columns, d += columns) {
    const Scalars<K> a_row = load_row<T, K>(a);
    const Operands c_row = load(c);
    if (b_columns.finite && all_finite<T>(a_row.magnitude) && all_finite<float>(c_row.magnitude))
      finite_row(a_row, b_columns, c_row, d);
    else
      for (int n = 0; n < columns; ++n) d[n] = dot<T>({a, K}, {b + n * K, K}, c[n]);
  }
}

/// Eight numbers as floats, and the powers of two at or below their magnitudes, 0 for 0.
struct Moderates {
  Floats value;
  Floats power;
};

/// Exponents of numbers whose products are exact normal floats.
constexpr std::int32_t most_moderate = 60;

/// Exponents E of rule 3 at which 2^(25 - E) is a normal float, and so is any multiple of 2^(E - 25) that is kept.
constexpr std::int32_t most_moderate_sum = 100;

bool all(Ints truths) {
  std::int32_t everywhere = -1;
  for (int n = 0; n < columns; ++n) everywhere &= truths[n];
  return everywhere != 0;
}

/// The bits of the float 2^e, which rise with e.
Ints bits_of_power(std::int32_t e) { return Ints{} + ((e + float32_format.emax) << float32_format.fraction_bits()); }

Ints between(Ints power, std::int32_t least, std::int32_t most) {
  return (power >= bits_of_power(least)) & (power <= bits_of_power(most));
}

/// Clears `moderate` where a number is neither 0 nor normal with a moderate exponent.
template <class T>
Moderates load_moderates(Ints code, Ints& moderate) {
  constexpr FloatFormat format = format_of<T>;
  constexpr int shift = float32_format.fraction_bits() - format.fraction_bits();
  constexpr int sign_shift = 31 - std::countr_zero(sign_code<T>);
  constexpr auto sign = static_cast<std::int32_t>(sign_code<T>), infinity = static_cast<std::int32_t>(infinity_code<T>);
  // Read with the bias of float32, numbers are too small by this factor.
  constexpr auto factor = static_cast<float>(power_of_two(float32_format.emax - format.emax));
  const Ints magnitude = code & (sign - 1), field = code & infinity;
  const Floats power = same_bits<Floats>(field << shift) * factor;
  moderate &= (magnitude == 0) | ((field != infinity) & between(same_bits<Ints>(power), -most_moderate, most_moderate));
  const Ints normal_code = field == 0 ? Ints{} : (code & sign) << sign_shift | magnitude << shift;
  return {same_bits<Floats>(normal_code) * factor, power};
}

/// A [16,K] by its rows for broadcasts, B [8,K] by lanes, and the largest exponents of rule 3.
template <class T, int K>
struct ModerateTile {
  alignas(32) float value[rows * K];
  alignas(32) float power[rows * K];
  std::array<Moderates, K> b_columns;
  std::array<Ints, rows> largest;  ///< the bits of 2^E, in the order of E; 0 where all addends are 0
  bool moderate;

  ModerateTile(const T* a, const T* b, const float* c) {
    Ints in_range = Ints{} - 1;
    for (int i = 0; i < rows * K; i += columns) {
      const Moderates values = load_moderates<T>(load_codes(a + i), in_range);
      std::memcpy(value + i, &values.value, sizeof values.value);
      std::memcpy(power + i, &values.power, sizeof values.power);
    }
    for (int k = 0; k < K; ++k) {
      Ints codes;
#pragma GCC unroll 8
      for (int n = 0; n < columns; ++n) codes[n] = static_cast<std::int32_t>(code_of(b[n * K + k]));
      b_columns[k] = load_moderates<T>(codes, in_range);
    }
    moderate = all(in_range);
    if (!moderate) return;  // products of other powers may be subnormal, which takes long
    for (int m = 0; m < rows; ++m) {
      const Ints c_code = load_codes(c + m * columns), c_power = c_code & 0x7f800000;
      largest[m] = c_power;
#pragma GCC unroll 16
      for (int k = 0; k < K; ++k)
        largest[m] = larger(largest[m], same_bits<Ints>(power[m * K + k] * b_columns[k].power));
      in_range &= (c_power != 0) | (same_bits<Floats>(c_code) == 0);
      in_range &= (largest[m] == 0) | between(largest[m], -most_moderate_sum, most_moderate_sum);
    }
    moderate = all(in_range);
  }

  /// Rules 4 and 5 for one row of A.
  Floats row(int m, Floats c) const {
    const Ints largest_or_zero = larger(largest[m], bits_of_power(-most_moderate_sum));
    // Addends are multiples of the unit 2^(E - 25).
    const auto per_unit = same_bits<Floats>(bits_of_power(kept_fraction_bits) + bits_of_power(0) - largest_or_zero);
    Ints products{};
#pragma GCC unroll 16
    for (int k = 0; k < K; ++k)
      products += __builtin_convertvector(value[m * K + k] * b_columns[k].value * per_unit, Ints);
    const Ints accumulator = __builtin_convertvector(c * per_unit, Ints);
    const Doubles units = __builtin_convertvector(products, Doubles) + __builtin_convertvector(accumulator, Doubles);
    const Doubles unit = __builtin_convertvector(same_bits<Floats>(largest_or_zero), Doubles) * 0x1p-25;
    const auto kept = same_bits<Doubles>(same_bits<Longs>(units * unit) & ~std::int64_t{0x1fffffff});  // toward zero
    return __builtin_convertvector(kept, Floats);
  }
};

}  // namespace

template <class T, int K>
void mma_m16n8(const T* a, const T* b, const float* c, float* d) {
  const ModerateTile<T, K> tile(a, b, c);
  if (!tile.moderate) return any_tile<T, K>(a, b, c, d);
  for (int m = 0; m < rows; ++m, c += columns, d += columns) {
    const Floats row = tile.row(m, same_bits<Floats>(load_codes(c)));
    std::memcpy(d, &row, sizeof row);
  }
}

template void mma_m16n8<Bf16, 16>(const Bf16*, const Bf16*, const float*, float*);
template void mma_m16n8<Bf16, 8>(const Bf16*, const Bf16*, const float*, float*);
template void mma_m16n8<Fp16, 16>(const Fp16*, const Fp16*, const float*, float*);
template void mma_m16n8<Tf32, 8>(const Tf32*, const Tf32*, const float*, float*);

}  // namespace assay::tensor_core
