#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "oracle/sanatan/feature_error.hpp"
#include "oracle/sanatan/readout_bound.hpp"

namespace assay::sanatan {

/// The state of a scan beside the bound of its error (B2): entries [width, dv + 1], z the last column.
class ScanBound {
 public:
  ScanBound(const Head<double>& head, double height);

  /// Takes in token t (B2).
  void update(std::span<const double> phi_k, std::span<const double> error_k, std::span<const double> v);

  /// Reads row t (B3).
  ReadoutBound read(std::span<const double> phi_q, std::span<const double> error_q) const;

  /// Of an entry of the state.
  double deterministic(std::size_t f, std::size_t column) const;
  double statistical(std::size_t f, std::size_t column) const;

 private:
  std::size_t width_, columns_, d_, channels_;
  double height_;
  double tokens_ = 0;
  std::vector<double> S_, A_, V_;
};

}  // namespace assay::sanatan
