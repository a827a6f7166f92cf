#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arith/prime_field.hpp"
#include "oracle/outside_domain.hpp"
#include "problem/law.hpp"

namespace assay {

/// The trial of a law in one arithmetic: a zero denominator does not count, any other exception fails.
template <class Trial>
Outcome try_once(const Trial& trial, Draw& draw) {
  try {
    return trial(draw);
  } catch (const ZeroDenominator& zero) {
    return Outcome::rejected(zero.what());
  } catch (const std::exception& error) {
    return Outcome::fails(std::string("throws: ") + error.what());
  }
}

/// `trial` is a generic lambda `[]<class K>(Draw&) -> Outcome`.
template <class K, class Trial>
Check check_over(std::string_view arithmetic, double log2_order, Trial trial) {
  return {arithmetic, log2_order,
          [trial](Draw& draw) { return try_once([&](Draw& d) { return trial.template operator()<K>(d); }, draw); }};
}

/// The two fields of every identity: a false one would have to have both primes against it.
template <class Trial>
std::vector<Check> over_both_primes(Trial trial) {
  return {check_over<F61>("GF(2^61-1)", F61::bits, trial), check_over<F31>("GF(2^31-1)", F31::bits, trial)};
}

/// An identity between rational functions of total degree at most `degree`, cleared of denominators, at random points.
template <class Trial>
Law identity(std::string_view name, std::string_view statement, std::string_view source, std::uint32_t degree,
             std::uint32_t trials, Trial trial) {
  return {name, statement, source, Proof::by_evaluation, degree, trials, over_both_primes(trial)};
}

/// A statement settled by the first trial: all cases are enumerated, or the values leave none out.
template <class Run>
Law settled(std::string_view name, std::string_view statement, std::string_view source, std::string_view arithmetic,
            Run run) {
  return {name,
          statement,
          source,
          Proof::exactly,
          0,
          1,
          {{arithmetic, 0, [run](Draw& draw) {
            return try_once(run, draw); }}}};
}

}  // namespace assay
