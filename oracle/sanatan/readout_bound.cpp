#include "oracle/sanatan/readout_bound.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace assay::sanatan {

QuotientBound quotient_bound(const ReadoutBound& sums, double eps_raw, double u_out, double eta_out,
                             const RoundingUnits& units) {
  const double u = units.u, eta = units.eta;
  const std::size_t dv = sums.value.size() - 1;
  const double denominator = sums.value[dv] + eps_raw;
  const double roundings = 2 * u * (std::abs(denominator) + sums.deterministic[dv] + eps_raw);
  const double dD = sums.deterministic[dv] + roundings;
  QuotientBound bound{2 * dD < denominator, std::vector<double>(dv, 0.0), std::vector<double>(dv, 0.0)};
  if (!bound.determined) return bound;
  const double least = denominator - dD;
  for (std::size_t j = 0; j < dv; ++j) {
    const double o = std::abs(sums.value[j]) / denominator;
    const double worst = (sums.deterministic[j] + o * dD) / least;
    const double last = (u + u_out + u * u_out) * (o + worst) + eta + eta_out;
    const double likely = (sums.statistical[j] + o * (sums.statistical[dv] + roundings)) / least;
    bound.deterministic[j] = (worst + last) * enlarged(0);
    bound.statistical[j] = (std::min(worst, likely) + last) * enlarged(0);
  }
  return bound;
}

}  // namespace assay::sanatan
