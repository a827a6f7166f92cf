#pragma once

#include "oracle/sanatan/readout_bound.hpp"
#include "oracle/sanatan/score_bound.hpp"
#include "problem/case.hpp"

namespace assay::sanatan {

/// What the bound of a causal double sum depends on, of one head (B6).
struct ParallelBound {
  const Head<double>& head;
  const FeatureError& q;
  const FeatureError& k;
  const Contract& contract;
  RoundingUnits units;
  std::vector<TokenNorms> q_norms, k_norms;
  int power;
  double scale;  ///< c

  ParallelBound(const Head<double>& head, const FeatureError& q, const FeatureError& k, const Contract& contract,
                int power, double scale)
      : ParallelBound(head, q, k, contract, power, scale, rounding_units(contract)) {}
  ParallelBound(const Head<double>& head, const FeatureError& q, const FeatureError& k, const Contract& contract,
                int power, double scale, const RoundingUnits& units);

  /// N and D of row t, over the keys begin ≤ j ≤ t.
  ReadoutBound read(std::size_t t, std::size_t begin) const;
};

}  // namespace assay::sanatan
