#pragma once

#include <vector>

#include "oracle/sanatan/feature_error.hpp"
#include "oracle/sanatan/rounding_units.hpp"

namespace assay::sanatan {

/// The size of a token's features and of the errors that a kernel may make in them, rounded as they enter products.
struct TokenNorms {
  double phi;    ///< ‖φ‖
  double error;  ///< ‖δφ‖
  double block;  ///< the largest norm of one dimension's channels
};

std::vector<TokenNorms> token_norms(const FeatureError& features, std::size_t channels);

/// A score in double, its error at its worst, and the parts of a likely one: `own` is independent of every other score,
/// `row` is what the query's errors add, which all scores of a row share. Both are standard deviations' worth.
struct ScoreBound {
  double value;
  double deterministic;
  double own;
  double row;
  double one_sided;
};

/// B5, for the features with the norms q and k.
ScoreBound score_bound(double s, const TokenNorms& q, const TokenNorms& k, double height, const RoundingUnits& units);

/// φ_q · φ_k in double.
double score_of(std::span<const double> phi_q, std::span<const double> phi_k);

}  // namespace assay::sanatan
