#include "oracle/certified_quotient.hpp"

#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr double u2 = 0x1p-106;

}  // namespace

CertifiedValue quotient(const CertifiedValue& N, const CertifiedValue& D, DoubleDouble eps_raw) {
  const DoubleDouble denominator = D.value + eps_raw;
  const double dD = D.radius + 4 * u2 * (std::abs(denominator.hi) + 2 * std::abs(eps_raw.hi));
  const double least = denominator.hi - dD;
  const DoubleDouble value = N.value / denominator;
  const double size = std::abs(value.hi);
  if (!(denominator.hi >= 2 * dD && least > 0)) return {value, std::numeric_limits<double>::infinity()};
  return {value, (N.radius + size * dD) / least + 10 * u2 * size};
}

}  // namespace assay
