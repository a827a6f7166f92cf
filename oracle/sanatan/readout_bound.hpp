#pragma once

#include <vector>

#include "oracle/rounding_units.hpp"

namespace assay::sanatan {

/// N and D of one row with the errors a kernel may make in them; D is the last column.
struct ReadoutBound {
  std::vector<double> value;          ///< [dv + 1]
  std::vector<double> deterministic;  ///< [dv + 1]
  std::vector<double> statistical;    ///< [dv + 1]
};

/// B4: the quotient N / (D + eps_raw), rounded once more to a format of unit roundoff u_out and half least subnormal
/// eta_out (both 0 for f32).
struct QuotientBound {
  bool determined = true;             ///< false: the errors reach half of the denominator
  std::vector<double> deterministic;  ///< [dv]
  std::vector<double> statistical;    ///< [dv]
};
QuotientBound quotient_bound(const ReadoutBound& sums, double eps_raw, double u_out, double eta_out,
                             const RoundingUnits& units = {});

/// N / (D + ε_raw) of sums as they are, and the error of its two to four roundings (B4). Not determined where the sum
/// of D and ε_raw may be rounding error alone, or a sum is not finite.
struct RoundedQuotient {
  bool determined;
  double value, error;
};
RoundedQuotient rounded_quotient(double N, double D, double eps_raw, double u_out, double eta_out);

/// B8: the most that each |o| of a row can be where D is clamped at 0; infinite where ε_raw is 0 and D may be.
std::vector<double> clamped_quotient_limit(const ReadoutBound& sums, double eps_raw, double u_out, double eta_out);

/// Covers the double arithmetic of a bound over `terms` sums.
inline double enlarged(double terms) { return 1 + (terms + 64) * 0x1p-52; }

}  // namespace assay::sanatan
