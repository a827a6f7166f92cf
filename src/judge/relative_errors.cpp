#include "judge/relative_errors.hpp"

#include <cmath>

#include "judge/elements.hpp"

namespace assay {
namespace {

/// Of the finite elements.
double root_mean_square(const Reference& want, std::size_t begin, std::size_t length) {
  double largest = 0, sum = 0, count = 0;
  for (std::size_t i = begin; i < begin + length; ++i)
    if (std::isfinite(want.hi[i])) largest = std::max(largest, std::abs(want.hi[i]));
  if (largest == 0) return 0;
  for (std::size_t i = begin; i < begin + length; ++i)
    if (std::isfinite(want.hi[i])) sum += (want.hi[i] / largest) * (want.hi[i] / largest), count += 1;
  return largest * std::sqrt(sum / count);
}

}  // namespace

RelativeErrors relative_errors(const Tensor& got, const Reference& want, const Allowance& allowed,
                               const std::function<bool(std::size_t row)>& counted) {
  RelativeErrors relative;
  const auto length = static_cast<std::size_t>(want.shape.back());
  for (std::size_t row = 0; row * length < want.hi.size(); ++row) {
    if (!counted(row)) continue;
    const double size = root_mean_square(want, row * length, length);
    for (std::size_t i = row * length; i < (row + 1) * length; ++i) {
      const Element e = element_at(got.value(static_cast<std::int64_t>(i)), want, allowed, i);
      const bool agrees_at_infinity = !std::isfinite(e.want) && e.error == 0;
      if (!e.determined || agrees_at_infinity || (size == 0 && e.error == 0)) continue;
      relative.errors.push_back(e.error / size);
      relative.bounds.push_back(e.statistical / size);
    }
  }
  return relative;
}

}  // namespace assay
