#pragma once

#include <stdexcept>

namespace assay {

/// A formula was asked for a value that it does not define. The text gives the value and the rule.
struct OutsideDomain : std::domain_error {
  using std::domain_error::domain_error;
};

/// A denominator that random data makes zero once in a long while: over a field, such a trial is not counted.
struct ZeroDenominator : OutsideDomain {
  using OutsideDomain::OutsideDomain;
};

}  // namespace assay
