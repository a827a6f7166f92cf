#include "arith/tensor_core.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "arith/rounding.hpp"

namespace assay::tensor_core {
namespace {

/// ±significand 2^(exponent - fraction_bits): the fields of a finite value as they are stored, not normalised.
struct Operand {
  std::int64_t significand = 0;
  int exponent = 0;
  bool negative = false;
};

template <class T>
Operand operand(T x) {
  constexpr FloatFormat format = format_of<T>;
  const std::uint32_t magnitude = code_of(x) & (sign_code<T> - 1);
  const std::uint32_t fraction = magnitude & ((1u << format.fraction_bits()) - 1);
  const int field = static_cast<int>(magnitude >> format.fraction_bits());
  const std::uint32_t hidden = field == 0 ? 0 : 1u << format.fraction_bits();
  return {fraction | hidden, std::max(field, 1) - format.emax, (code_of(x) & sign_code<T>) != 0};
}

/// One addend of the sum: ±significand 2^(exponent - 25).
using Addend = Operand;

template <class T>
Addend product(T x, T y) {
  constexpr int fraction_bits = 2 * format_of<T>.fraction_bits();
  const Operand a = operand(x), b = operand(y);
  return {(a.significand * b.significand) << (kept_fraction_bits - fraction_bits), a.exponent + b.exponent,
          a.negative != b.negative};
}

Addend accumulator(float c) {
  const Operand x = operand(c);
  return {x.significand << (kept_fraction_bits - float32_format.fraction_bits()), x.exponent, x.negative};
}

/// Rule 2: the products, then C.
struct Addends {
  std::array<Addend, 17> values;
  std::size_t count = 0;

  const Addend* begin() const { return values.data(); }
  const Addend* end() const { return values.data() + count; }
};

template <class T>
Addends addends(std::span<const T> a, std::span<const T> b, float c) {
  Addends all;
  for (std::size_t k = 0; k < a.size(); ++k) all.values[all.count++] = product(a[k], b[k]);
  all.values[all.count++] = accumulator(c);
  return all;
}

/// Rule 3.
int largest_exponent(const Addends& all) {
  int largest = exponent_floor;
  for (const Addend& x : all)
    if (x.significand != 0) largest = std::max(largest, x.exponent);
  return largest;
}

/// Rule 4: the sum in units of 2^(largest - 25).
std::int64_t truncated_sum(const Addends& all, int largest) {
  std::int64_t sum = 0;
  for (const Addend& x : all) {
    if (x.significand == 0) continue;
    const std::int64_t kept = x.significand >> std::min(largest - x.exponent, 63);
    sum += x.negative ? -kept : kept;
  }
  return sum;
}

/// Rule 5: sum 2^exponent, |sum| < 2^53.
float round_toward_zero(std::int64_t sum, int exponent) {
  const double value = static_cast<double>(sum) * power_of_two(exponent);
  if (std::abs(value) >= 0x1p128) return value < 0 ? -INFINITY : INFINITY;
  return static_cast<float>(round_to(float32_format, value, Rounding::toward_zero)) + 0.0f;  // -0 becomes +0
}

template <class T>
bool is_finite(T x) {
  return (code_of(x) & (sign_code<T> - 1)) < infinity_code<T>;
}

template <class T>
bool all_finite(std::span<const T> a, std::span<const T> b, float c) {
  bool finite = is_finite(c);
  for (std::size_t k = 0; k < a.size(); ++k) finite = finite && is_finite(a[k]) && is_finite(b[k]);
  return finite;
}

/// Rule 1, where some operand is not finite. Float sums of the addends that are not finite have the right class.
template <class T>
float special_sum(std::span<const T> a, std::span<const T> b, float c) {
  float sum = is_finite(c) ? 0 : c;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!is_finite(a[k]) || !is_finite(b[k])) sum += to_float(a[k]) * to_float(b[k]);
  return sum != sum ? canonical_nan : sum;
}

template <class T>
void check_lengths(std::span<const T> a, std::span<const T> b) {
  if (a.size() == b.size() && a.size() <= block_length<T>) return;
  throw std::invalid_argument(fmt::format("a, b of {} and {} {} values: equal lengths of at most {} make one block",
                                          a.size(), b.size(), format_of<T>.name, block_length<T>));
}

}  // namespace

template <class T>
float dot(std::span<const T> a, std::span<const T> b, float c) {
  check_lengths(a, b);
  if (!all_finite(a, b, c)) return special_sum(a, b, c);
  const Addends all = addends(a, b, c);
  const int largest = largest_exponent(all);
  return round_toward_zero(truncated_sum(all, largest), largest - kept_fraction_bits);
}

template <class T>
int largest_exponent(std::span<const T> a, std::span<const T> b, float c) {
  check_lengths(a, b);
  return largest_exponent(addends(a, b, c));
}

template <class T>
double error_bound(std::span<const T> a, std::span<const T> b, float c, float d) {
  if (!is_finite(d)) return std::numeric_limits<double>::infinity();
  const double truncated = power_of_two(largest_exponent(a, b, c) - kept_fraction_bits);
  const double rounded =
      std::max(2 * float32_format.unit_roundoff() * std::abs(static_cast<double>(d)), float32_format.least_subnormal());
  return static_cast<double>(a.size() + 1) * truncated + rounded;
}

template float dot(std::span<const Bf16>, std::span<const Bf16>, float);
template float dot(std::span<const Fp16>, std::span<const Fp16>, float);
template float dot(std::span<const Tf32>, std::span<const Tf32>, float);
template int largest_exponent(std::span<const Bf16>, std::span<const Bf16>, float);
template int largest_exponent(std::span<const Fp16>, std::span<const Fp16>, float);
template int largest_exponent(std::span<const Tf32>, std::span<const Tf32>, float);
template double error_bound(std::span<const Bf16>, std::span<const Bf16>, float, float);
template double error_bound(std::span<const Fp16>, std::span<const Fp16>, float, float);
template double error_bound(std::span<const Tf32>, std::span<const Tf32>, float, float);

}  // namespace assay::tensor_core
