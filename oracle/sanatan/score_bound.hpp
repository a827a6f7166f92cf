#pragma once

#include <vector>

#include "oracle/sanatan/feature_error.hpp"
#include "oracle/rounding_units.hpp"

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

/// A score in double, its error at its worst, and the parts of a likely one: `own` is independent of every other score,
/// `row` is what the query's errors add, which all scores of a row share. Both are standard deviations' worth.
struct ScoreBound {
  double value;
  double deterministic;
  double own;
  double row;
  double one_sided;
};

/// B5, for features of that width with the norms q and k.
ScoreBound score_bound(double s, const TokenNorms& q, const TokenNorms& k, double height, std::size_t width,
                       const RoundingUnits& units);

/// φ_q · φ_k in double.
double score_of(std::span<const double> phi_q, std::span<const double> phi_k);

}  // namespace assay::sanatan
