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

RoundedQuotient rounded_quotient(double N, double D, double eps_raw, double u_out, double eta_out) {
  constexpr RoundingUnits units;
  const double u = units.u, eta = units.eta, denominator = D + eps_raw;
  const double dD = 2 * u * (std::abs(denominator) + eps_raw) + eta;
  if (!std::isfinite(N) || !(2 * dD < std::abs(denominator))) return {false, 0, 0};
  const double o = std::abs(N / denominator);
  if (!(o < 0x1p127)) return {false, 0, 0};
  const double worst = o * dD / (std::abs(denominator) - dD);
  return {true, N / denominator, (worst + (u + u_out + u * u_out) * (o + worst) + eta + eta_out) * enlarged(0)};
}

std::vector<double> clamped_quotient_limit(const ReadoutBound& sums, double eps_raw, double u_out, double eta_out) {
  const std::size_t dv = sums.value.size() - 1;
  constexpr RoundingUnits units;
  const double u = units.u, eta = units.eta;
  const double least = std::max(sums.value[dv] - sums.deterministic[dv], 0.0) + eps_raw;
  std::vector<double> limit;
  for (std::size_t j = 0; j < dv; ++j) {
    const double largest = (std::abs(sums.value[j]) + sums.deterministic[j]) / least;
    limit.push_back(largest * (1 + 4 * u + u_out) * enlarged(0) + eta + eta_out);
  }
  return limit;
}

}  // namespace assay::sanatan
