#include "judge/detectable_fault.hpp"

#include <cmath>

#include "judge/elements.hpp"

namespace assay {

std::vector<double> detectable_faults(const Reference& want, const Allowance& allowed) {
  std::vector<double> faults;
  const std::size_t row = row_length(want);
  const auto counts = [&](std::size_t i) {
    return std::isfinite(want.hi[i]) && (allowed.degenerate.empty() || !allowed.degenerate[i]);
  };
  for (std::size_t begin = 0; begin < want.hi.size(); begin += row) {
    double squares = 0, n = 0;
    for (std::size_t i = begin; i < begin + row; ++i)
      if (counts(i)) squares += want.hi[i] * want.hi[i], n += 1;
    if (squares == 0) continue;
    for (std::size_t i = begin; i < begin + row; ++i)
      if (counts(i)) faults.push_back(allowed.statistical[i] / std::sqrt(squares / n));
  }
  return faults;
}

}  // namespace assay
