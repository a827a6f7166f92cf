#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "arith/rounding.hpp"
#include "problem/kernel.hpp"

namespace assay {

/// Coefficients of one sum.
using Terms = std::vector<double>;

/// What one factor of a site's products goes through: how the case holds it, and the contract's field for the format
/// in which the kernel keeps it. Null: as the case holds it.
struct Operand {
  Format held = Format::f32;
  Format Contract::*kept = nullptr;
  bool at_most_one = false;  ///< no case has a larger one
};

/// A sum Σ a_i b_i inside a kernel that cases can reach alone, with every term at will: the kernel as a black box.
struct SumSite {
  std::string_view name;  ///< "S over features"
  std::size_t terms = 0;
  int precision = 24;  ///< bits of the sum that an output shows
  Operand a, b;
  bool multiplies = true;      ///< false: the a_i are added as they are, every b_i is 1
  bool any_sign = true;        ///< false: no term is below 0, and `sums` counts what it is asked by other means
  bool by_tiles = true;        ///< multiplied as the contract's `product` says; false: in the accumulator's format
  std::string_view kind = {};  ///< sites of one kind are one sum, of S and of z
  std::int64_t Contract::*height = nullptr;  ///< which field counts the roundings of this sum
  double b_error = 0;                        ///< the b_i are values of a function, which errs by so much of them
  std::size_t probed = 0;                    ///< the first of two terms whose factors show how operands are rounded
  std::int64_t later = 0;                    ///< additions that follow the part of the sum that `height` speaks of

  /// The sums of many rows of a with one b, in as few runs of the kernel as can be.
  std::function<std::vector<double>(const Terms& b, const std::vector<Terms>& rows)> sums;
};

/// A site's sums from `sums(kernel, more..., b, rows)`.
template <class Sums, class... More>
std::function<Terms(const Terms&, const std::vector<Terms>&)> asked(const Kernel& kernel, Sums sums, More... more) {
  return [&kernel, sums, more...](const Terms& b, const std::vector<Terms>& rows) {
    return sums(kernel, more..., b, rows);
  };
}

/// x as a sum of three numbers of 8 bits.
inline std::array<double, 3> pieces(double x) {
  const double high = round_to(bf16_format, x), middle = round_to(bf16_format, x - high);
  return {high, middle, x - high - middle};
}

}  // namespace assay
