#pragma once

#include <cstddef>
#include <vector>

#include "oracle/rounding_units.hpp"
#include "oracle/sanatan/feature_error.hpp"

namespace assay::sanatan {

/// The size of a token's features and of the errors that a kernel may make in them, rounded as they enter products.
struct TokenNorms {
  double phi;       ///< ‖φ‖
  double error;     ///< ‖δφ‖
  double rounding;  ///< what of it is rounding to nearest as φ enters the product
  double block;     ///< the largest norm of one dimension's channels
};

/// `operand`: the rounding of each factor as it enters the product, which counts as an error of the features.
std::vector<TokenNorms> token_norms(const FeatureError& features, std::size_t channels, double operand);

/// A score in double, its error at its worst, and the parts of a likely one: `variance` is independent of every other
/// score's, `row` is what the query's errors add, a standard deviation's worth that all scores of a row share.
struct ScoreBound {
  double value;
  double deterministic;
  double variance;
  double row;
  double one_sided;
};

/// What the bounds of scores share: sums of that height over so many features.
struct ScoreUnits {
  double summed;      ///< h u (1 + h u), relative
  double variance;    ///< h u², relative
  double truncation;  ///< relative
  double small;       ///< of each factor
  double eta;         ///< absolute

  ScoreUnits(double height, std::size_t width, const RoundingUnits& units);
};

/// B5, for features with the norms q and k.
inline ScoreBound score_bound(double s, const TokenNorms& q, const TokenNorms& k, const ScoreUnits& units) {
  const double size = (q.phi + q.error) * (k.phi + k.error);
  const double floor = units.small * (q.phi + k.phi + q.error + k.error) + units.eta;
  const double propagated = q.error * k.phi + q.phi * k.error + q.error * k.error;
  const double one_sided = units.truncation * size, keys = k.rounding * q.block;
  return {.value = s,
          .deterministic = propagated + units.summed * size + one_sided + floor,
          .variance = units.variance * size * size + keys * keys,
          .row = q.rounding * k.block,
          .one_sided =
              one_sided + (q.error - q.rounding) * k.phi + q.phi * (k.error - k.rounding) + q.error * k.error + floor};
}

}  // namespace assay::sanatan
