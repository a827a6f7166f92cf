#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sfda/chunk_factors.hpp"
#include "oracle/sfda/delta_units.hpp"
#include "oracle/sfda/error_sites.hpp"

namespace assay::sfda {

/// A row of numbers that is linear in the state before a chunk, and the errors that the chunk adds to it.
template <class K>
struct ChunkRow {
  std::vector<K> before;  ///< [d]: its coefficients of the state before the chunk
  RowError error;
};

/// One chunk of `chunk_wy`: bounds.md D3.
template <class K>
class ChunkBound {
 public:
  /// `likely` [dv] bounds the error of the columns of the state before the chunk.
  ChunkBound(ChunkFactors<K> factors, std::span<const double> likely, const DeltaUnits<K>& units);

  /// Output of token t of the chunk, before it is rounded to its format.
  ChunkRow<K> output(std::size_t t) const;

  /// g* s of the columns s of the state after the chunk.
  ChunkRow<K> carry(std::span<const K> g) const;

  const ChunkFactors<K>& factors() const { return f_; }

 private:
  void add_solution_sites();
  void add_residual_sites();
  void add_score_sites(const Scores<K>& scores, double beta, std::size_t t, ErrorSites& sites) const;
  void add_keys(const std::vector<K>& rho, std::optional<std::size_t> reader, RowError& error) const;
  void add_state_sites();
  void add_output_sites();

  /// What is common to rows that meet U with ω, the state before the chunk with `direct` as a factor and with
  /// `carried` as it is; `reader` is the token whose scores A are in ω.
  ChunkRow<K> row(const std::vector<K>& omega, const std::vector<K>& direct, std::vector<K> carried,
                  std::optional<std::size_t> reader) const;

  double of_decays(double factors) const;

  ChunkFactors<K> f_;
  DeltaUnits<K> units_;
  std::vector<double> likely_;
  std::size_t n_, d_, dv_;
  double inflate_ = 1;             ///< |computed| beside |exact| within the chunk
  Matrix<double> S_, U_, R_;       ///< sizes of S_0, and of U and R as computed, at most
  ErrorSites solution_;            ///< group s: what enters U_s
  ErrorSites residual_;            ///< group t: what enters R_t, or moves M R as an error of R_t would
  ErrorSites state_;               ///< group i: what enters row i of the state after the chunk, U given
  ErrorSites output_;              ///< group t: what enters o_t, U given
  ErrorSites operand_;             ///< group i: S_0 as it is rounded for products
  std::vector<Matrix<double>> W_;  ///< sizes of W
  double given_;                   ///< ε of products of decays with given numbers
};

extern template class ChunkBound<double>;
extern template class ChunkBound<Cx<double>>;

}  // namespace assay::sfda
