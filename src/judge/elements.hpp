#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "judge/verdict.hpp"

namespace assay {

/// One element beside its truth.
struct Element {
  double got;
  double want;   ///< hi
  double error;  ///< |got - (hi + lo)|, enlarged by 1 + 2^-40
  double radius;
  double statistical;
  double deterministic;
  bool determined;
  double largest;  ///< |got| where it is not determined

  bool fails() const { return determined ? !(error - radius <= statistical) : exceeds(); }
  bool exceeds() const { return !determined && std::isfinite(largest) && !(std::abs(got) <= largest); }
  bool proven() const { return determined && !(error - radius <= deterministic); }
  bool undecided() const { return determined && !fails() && !(error + radius <= statistical); }
  double slack() const {
    if (!determined || error == 0) return 0;
    return statistical > 0 ? error / statistical : std::numeric_limits<double>::infinity();
  }
};

/// Element i of an output. An infinity or NaN agrees with its own kind only: the error is then 0, otherwise infinite.
Element element_at(double got, const Reference& want, const Allowance& allowed, std::size_t i);

/// The index of element i of a row-major array.
Shape index_of(std::int64_t i, const Shape& shape);

/// Elements of a row: the length of the last axis.
std::size_t row_length(const Reference& want);

/// "[0, 3, 1, 17]"
std::string index_text(const Shape& index);

}  // namespace assay
