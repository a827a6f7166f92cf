#pragma once

#include "arith/double_double.hpp"
#include "problem/oracle.hpp"

namespace assay::sanatan {

/// A number and how far it may be from the truth.
struct CertifiedSum {
  DoubleDouble value;
  double radius = 0;
};

/// N / (D + eps_raw), certificate.md C3; radius infinite where D + eps_raw < 2 |δD|. eps_raw is exact to 4u² of itself.
CertifiedSum quotient(const CertifiedSum& N, const CertifiedSum& D, DoubleDouble eps_raw);

/// Stores element i, its radius enlarged by 1 + 2^-40.
void set(Reference& reference, std::size_t i, const CertifiedSum& x);

/// Zeros for every output of the case's operator.
References empty_references(const Case& c);

}  // namespace assay::sanatan
