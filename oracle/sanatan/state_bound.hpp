#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "oracle/columns.hpp"
#include "oracle/rounding_units.hpp"
#include "oracle/sanatan/feature_error.hpp"
#include "oracle/sanatan/readout_bound.hpp"

namespace assay::sanatan {

/// A state beside the bound of its error: entries [width, dv + 1], z the last column (bounds.md B2, B3, B7).
class StateBound {
 public:
  StateBound(const Head<double>& head, const Contract& contract)
      : StateBound(head, contract, rounding_units(contract)) {}
  StateBound(const Head<double>& head, const Contract& contract, const RoundingUnits& units);

  /// Takes in one token by a fused multiply-add an entry (B2).
  void add_token(std::span<const double> phi_k, std::span<const double> error_k, std::span<const double> v);

  /// Takes in tokens begin ... end - 1 as one sum, formed apart and added once (B7).
  void add_chunk(const FeatureError& k, const Matrix<double>& v, std::size_t begin, std::size_t end);

  /// N = φ_q S and D = φ_q z (B3).
  ReadoutBound read(std::span<const double> phi_q, std::span<const double> error_q) const;

  /// Of an entry of the state.
  double deterministic(std::size_t f, std::size_t column) const;
  double statistical(std::size_t f, std::size_t column) const;

  /// What an entry's roundings to nearest are expected to make, each even within half a unit in the last place; of a
  /// state that took in tokens one by one (B9).
  double deviation(std::size_t f, std::size_t column) const;

 private:
  /// Four columns of a row of the state.
  struct Entries {
    Columns S{};
    Columns A{};  ///< |Ŝ - S| at its worst
    Columns V{};  ///< sum of the squares of its independent parts
    Columns L{};  ///< its one-sided parts
    Columns E{};  ///< sum of the squares of half a unit in the last place
  };
  struct Entry {
    double S, A, V, L, E;
  };
  struct ChunkSums;
  struct ReadSums;

  std::span<Entries> rows(std::size_t block) { return std::span(entries_).subspan(block * width_, width_); }
  std::span<const Entries> rows(std::size_t block) const { return std::span(entries_).subspan(block * width_, width_); }
  Entry entry(std::size_t f, std::size_t column) const;
  /// x for the columns of S in that block, 0 for z: z takes no rounding on its way into a product.
  Columns of_S(double x, std::size_t block) const;
  void add(const ChunkSums& sums, Entries& entries, Columns is_S) const;

  std::size_t width_, constant_, columns_;  ///< features, those of the constant channel, dv + 1
  RoundingUnits units_;
  double read_height_, update_height_;
  double roundings_ = 0;          ///< on the longest path to an entry
  std::vector<Entries> entries_;  ///< [block of columns, width]
};

}  // namespace assay::sanatan
