#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "arith/rational.hpp"
#include "oracle/outside_domain.hpp"

namespace assay::sas {

/// Of items that are each tried n times: the mean success, the share solved once or more, the share solved every time.
struct SuccessRates {
  Rational average;  ///< Avg@n
  Rational any;      ///< Pass@n
  Rational every;    ///< Pass^n
};

/// Source: [SAS-notes] s3.3.
/// Differs from [SAS]: no estimator is stated there; these are the shares of the tries made.
/// Domain: one item or more, n ≥ 1, at most n successes an item.
inline SuccessRates success_rates(std::span<const std::size_t> successes, std::size_t n) {
  if (successes.empty() || n < 1) throw OutsideDomain("success rates: need an item and a try");
  std::size_t sum = 0, any = 0, every = 0;
  for (const std::size_t count : successes) {
    if (count > n) throw OutsideDomain(std::to_string(count) + " successes of " + std::to_string(n) + " tries");
    sum += count;
    any += count > 0;
    every += count == n;
  }
  const Rational items(successes.size());
  return {Rational(sum) / (items * Rational(n)), Rational(any) / items, Rational(every) / items};
}

}  // namespace assay::sas
