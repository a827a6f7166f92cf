#include "oracle/sanatan/score_bound.hpp"

#include <algorithm>
#include <cmath>

namespace assay::sanatan {

std::vector<TokenNorms> token_norms(const FeatureError& features, std::size_t channels, double operand) {
  const std::size_t d = features.phi.cols() / channels;
  std::vector<TokenNorms> norms;
  for (std::size_t t = 0; t < features.phi.rows(); ++t) {
    std::vector<double> block(d, 0.0);
    double phi = 0, error = 0, rounding = 0;
    for (std::size_t f = 0; f < features.phi.cols(); ++f) {
      const double x = features.phi(t, f), r = operand * (std::abs(x) + features.error(t, f));
      const double e = features.error(t, f) + r;
      phi += x * x;
      error += e * e;
      rounding += r * r;
      block[f % d] += x * x;
    }
    norms.push_back(
        {std::sqrt(phi), std::sqrt(error), std::sqrt(rounding), std::sqrt(*std::ranges::max_element(block))});
  }
  return norms;
}

ScoreBound score_bound(double s, const TokenNorms& q, const TokenNorms& k, double height, std::size_t width,
                       const RoundingUnits& units) {
  const double size = (q.phi + q.error) * (k.phi + k.error);
  const double floor = units.small * (q.phi + k.phi + q.error + k.error) * std::sqrt(static_cast<double>(width)) +
                       static_cast<double>(width) * units.eta;
  const double propagated = q.error * k.phi + q.phi * k.error + q.error * k.error;
  const double accumulated = height * units.u * (1 + height * units.u) * size;
  const double one_sided = units.truncation * size;
  return {.value = s,
          .deterministic = propagated + accumulated + one_sided + floor,
          .own = std::hypot(std::sqrt(height) * units.u * size, k.rounding * q.block),
          .row = q.rounding * k.block,
          .one_sided =
              one_sided + (q.error - q.rounding) * k.phi + q.phi * (k.error - k.rounding) + q.error * k.error + floor};
}

double score_of(std::span<const double> phi_q, std::span<const double> phi_k) {
  double part[8] = {};
  std::size_t f = 0;
  for (; f + 8 <= phi_q.size(); f += 8)
    for (std::size_t l = 0; l < 8; ++l) part[l] += phi_q[f + l] * phi_k[f + l];
  double sum = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
  for (; f < phi_q.size(); ++f) sum += phi_q[f] * phi_k[f];
  return sum;
}

}  // namespace assay::sanatan
