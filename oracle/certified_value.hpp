#pragma once

#include <cstddef>

#include "arith/double_double.hpp"
#include "problem/oracle.hpp"

namespace assay {

/// A number and how far it may be from the truth.
struct CertifiedValue {
  DoubleDouble value;
  double radius = 0;
};

/// Stores element i, its radius enlarged by 1 + 2^-40.
void set(Reference& reference, std::size_t i, const CertifiedValue& x);

/// Zeros for every output of the case's operator.
References empty_references(const Case& c);

/// Zeros for the same in tensors, results in this format; over a field the case's elements.
Tensors empty_outputs(const Case& c, Format result);

}  // namespace assay
