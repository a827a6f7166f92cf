#pragma once

#include <vector>

#include "oracle/row_products.hpp"
#include "oracle/sanatan/readout_bound.hpp"
#include "oracle/sanatan/score_bound.hpp"
#include "problem/case.hpp"

namespace assay::sanatan {

/// What the bound of a causal double sum depends on, of one head (B6).
struct ParallelBound {
  const Head<double>& head;
  const Contract& contract;
  RoundingUnits units;
  ScoreUnits score_units;
  BlockedRows q, k;
  std::vector<TokenNorms> q_norms, k_norms;
  std::vector<std::vector<Columns>> v;  ///< [block of columns][key]
  int power;
  double scale;  ///< c

  ParallelBound(const Head<double>& head, const FeatureError& q, const FeatureError& k, const Contract& contract,
                int power, double scale)
      : ParallelBound(head, q, k, contract, power, scale, rounding_units(contract)) {}
  ParallelBound(const Head<double>& head, const FeatureError& q, const FeatureError& k, const Contract& contract,
                int power, double scale, const RoundingUnits& units);

  /// N and D of the rows t, each over the keys begin ≤ j ≤ t.
  std::vector<ReadoutBound> read(RowRange rows, std::size_t begin) const;
};

}  // namespace assay::sanatan
