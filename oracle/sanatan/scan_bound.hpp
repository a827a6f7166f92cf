#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "oracle/sanatan/feature_error.hpp"

namespace assay::sanatan {

/// N and D of one row with the errors a kernel may make in them; D is the last column.
struct ReadoutBound {
  std::vector<double> value;          ///< [dv + 1]
  std::vector<double> deterministic;  ///< [dv + 1]
  std::vector<double> statistical;    ///< [dv + 1]
};

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

/// B4: the quotient N / (D + eps_raw), rounded once more to a format of unit roundoff u_out and half least subnormal
/// eta_out (both 0 for f32).
struct QuotientBound {
  bool determined = true;
  std::vector<double> deterministic;  ///< [dv]
  std::vector<double> statistical;    ///< [dv]
};
QuotientBound quotient_bound(const ReadoutBound& sums, double eps_raw, double u_out, double eta_out);

}  // namespace assay::sanatan
