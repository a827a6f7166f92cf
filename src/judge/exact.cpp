#include "judge/exact.hpp"

#include <algorithm>
#include <cmath>

#include "arith/rounding.hpp"

namespace assay {
namespace {

/// x is the value nearest to hi + lo; the truth, another such value or x, is within the radius of hi + lo.
void take_nearest(Reference& reference, std::size_t i, const FloatFormat& format) {
  const double x = round_to(format, reference.hi[i], reference.lo[i]);
  const double away = std::abs((x - reference.hi[i]) - reference.lo[i]);
  if (!(away <= reference.radius[i] && 2 * reference.radius[i] < ulp(format, x))) return;
  reference.hi[i] = x;
  reference.lo[i] = reference.radius[i] = 0;
}

}  // namespace

void demand_exactness(const Tensors& outputs, References& want, Allowances& allowed) {
  for (auto& [name, reference] : want) {
    const auto output = outputs.find(name);
    if (output == outputs.end() || output->second.format() == Format::i64) continue;
    const FloatFormat& format = float_format(output->second.format());
    for (std::size_t i = 0; i < reference.hi.size(); ++i) take_nearest(reference, i, format);
    Allowance& allowance = allowed.at(name);
    std::ranges::fill(allowance.deterministic, 0.0);
    std::ranges::fill(allowance.statistical, 0.0);
    allowance.degenerate.clear();
    allowance.deviation.clear();
  }
}

}  // namespace assay
