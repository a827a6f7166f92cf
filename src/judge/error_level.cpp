#include "judge/error_level.hpp"

#include <algorithm>
#include <cmath>

#include "judge/relative.hpp"

namespace assay {

std::optional<double> error_level(const Tensor& got, const Reference& want, const Allowance& allowed) {
  const std::vector<BlockNorms> errors = block_norms(got, want, allowed);
  const std::vector<BlockNorms> sizes = block_norms(Tensor(got.format(), got.shape()), want, allowed);
  if (errors.empty()) return std::nullopt;
  const double u = float_format(got.format()).unit_roundoff();
  double sum = 0;
  for (std::size_t b = 0; b < errors.size(); ++b)
    sum += std::log2(std::max({errors[b].norm, 0x1p-10 * u * sizes[b].norm, 0x1p-149}));
  return sum / static_cast<double>(errors.size());
}

}  // namespace assay
