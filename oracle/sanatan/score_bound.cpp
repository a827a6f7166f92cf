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

ScoreUnits::ScoreUnits(double height, std::size_t width, const RoundingUnits& units)
    : summed(height * units.u * (1 + height * units.u)),
      variance(height * units.u * units.u),
      truncation(units.truncation),
      small(units.small * std::sqrt(static_cast<double>(width))),
      eta(static_cast<double>(width) * units.eta) {}

}  // namespace assay::sanatan
