#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "arith/complex.hpp"
#include "oracle/rounding_units.hpp"
#include "problem/precision.hpp"

namespace assay::sfda {

/// The units of rounding of a delta-rule kernel over K, real or complex (bounds.md D1). Errors of complex numbers are
/// moduli.
template <class K>
struct DeltaUnits {
  static constexpr bool complex = !std::is_same_v<K, double>;

  double u = 0x1p-24;
  double operand = 0;     ///< ε: of each factor of a tile product
  double given = 0;       ///< of a factor that is an input as it is
  double truncation = 0;  ///< τ: one-sided, of a chain of tensor-core instructions, beside the sum of |products|
  double lambda = 0;      ///< e_λ: of a decay and phase, beside |λ|
  double read, value, update, score;  ///< h u of sums over d, over a chunk, over the tokens of an update, of a score

  /// A product, or a fused multiply-add, of complex numbers takes two roundings a component.
  static constexpr double product = complex ? 2 : 1;
  static constexpr double sum = complex ? std::numbers::sqrt2 : 1;

  /// τ0: a rounding of x errs by at most u (|x| + tiny), and as a factor by at most ε (|x| + tiny). 2^-126 for float32
  /// and bf16; two words of tf32 lose more of a tiny number.
  double tiny = 0x1p-126;

  explicit DeltaUnits(const Contract& contract, double d) {
    const RoundingUnits units = rounding_units(contract);
    operand = units.operand + std::max(units.features, units.weights);
    given = contract.input == Format::bf16 && contract.product == Product::bf16 ? 0 : operand;
    truncation = units.truncation * sum;
    if (operand > 0) tiny = std::max(tiny, units.small / operand);
    const auto ulps = [&](const char* function) {
      const auto it = contract.elementary_ulp.find(function);
      return it == contract.elementary_ulp.end() ? 0 : 2 * it->second * u;
    };
    lambda = ulps("exp") + (complex ? std::max(ulps("sin"), ulps("cos")) + 2 * u : 0);
    const auto height = [&](std::int64_t h, double otherwise) { return (h > 0 ? static_cast<double>(h) : otherwise); };
    read = height(contract.read_height, d * product);
    value = height(contract.value_height, 0);
    update = height(contract.update_height, 0);
    score = height(contract.score_height, 0) + 1;
  }

  /// Of a sum of that height, beside the sum of its terms' sizes: at its worst, and the root of the squares.
  double worst(double height) const { return sum * height * u * (1 + height * u); }
  double root(double height) const { return sum * std::sqrt(height) * u * (1 + height * u); }
};

template <class K>
double size_of(const K& x) {
  if constexpr (std::is_same_v<K, double>)
    return std::abs(x);
  else
    return std::sqrt(x.re * x.re + x.im * x.im);
}

}  // namespace assay::sfda
