#include "oracle/sanatan/certified_sum.hpp"

#include <cmath>
#include <limits>

namespace assay::sanatan {
namespace {

constexpr double u2 = 0x1p-106;

}  // namespace

CertifiedSum quotient(const CertifiedSum& N, const CertifiedSum& D, DoubleDouble eps_raw) {
  const DoubleDouble denominator = D.value + eps_raw;
  const double dD = D.radius + 4 * u2 * (std::abs(denominator.hi) + 2 * std::abs(eps_raw.hi));
  const double least = denominator.hi - dD;
  const DoubleDouble value = N.value / denominator;
  const double size = std::abs(value.hi);
  if (!(denominator.hi >= 2 * dD && least > 0)) return {value, std::numeric_limits<double>::infinity()};
  return {value, (N.radius + size * dD) / least + 10 * u2 * size};
}

void set(Reference& reference, std::size_t i, const CertifiedSum& x) {
  reference.hi[i] = x.value.hi;
  reference.lo[i] = x.value.lo;
  reference.radius[i] = x.radius * (1 + 0x1p-40);
}

References empty_references(const Case& c) {
  References out;
  for (const TensorSpec& spec : c.op->tensors) {
    if (!is_output(spec.role)) continue;
    const Shape shape = spec.shape(c.sizes);
    const std::vector<double> zeros(static_cast<std::size_t>(count_of(shape)));
    out.emplace(spec.name, Reference{shape, zeros, zeros, zeros});
  }
  return out;
}

}  // namespace assay::sanatan
