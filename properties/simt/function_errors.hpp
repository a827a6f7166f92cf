#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace assay {

/// A largest error over some inputs, and where it is attained.
struct FunctionError {
  std::string function;
  std::string unit;  ///< "ulp" or "relative"
  double error = 0;  ///< by Arb; infinite where a NaN, a zero's sign or a limit is not as it must be
  std::uint32_t at = 0;
  double stated = 0;  ///< in simt/elementary.cuh, or simt/approximate/max_errors.hpp
};

/// Whether a largest error is stated of the function.
bool has_stated_error(const std::string& function);

/// Of one function over some floats: every one against a pair of doubles with a proven bound; of those that may be the
/// worst, Arb decides. Odd and even functions are measured at |x|, and their symmetry is required.
FunctionError largest_error(const std::string& function, std::span<const float> x);

/// The same over all floats, on every core; `advance` is called error_parts times.
inline constexpr std::size_t error_parts = 256;
FunctionError largest_error_of_all(const std::string& function, const std::function<void()>& advance = {});

/// Whether the stated error is the largest: not below it, and not more than a unit of its last decimal above.
bool is_as_stated(const FunctionError& error);

}  // namespace assay
