#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arith/arithmetic_traits.hpp"
#include "arith/complex.hpp"
#include "arith/prime_field.hpp"
#include "arith/rational.hpp"
#include "oracle/outside_domain.hpp"
#include "problem/law.hpp"
#include "properties/source.hpp"

namespace assay {

/// The trial of a law in one arithmetic: a zero denominator does not count, any other exception fails.
template <class Trial>
Outcome try_once(const Trial& trial) {
  try {
    return trial();
  } catch (const ZeroDenominator& zero) {
    return Outcome::rejected(zero.what());
  } catch (const std::exception& error) {
    return Outcome::fails(std::string("throws: ") + error.what());
  }
}

/// `trial` is a generic lambda `[]<class K>(Source<K>&) -> Outcome`.
template <class K, class Trial>
Check check_over(Trial trial) {
  return {arithmetic_name<K>(), log2_order<K>(), [trial](Draw& draw) {
            Source<K> source(draw, Points::free);
            return try_once([&] { return trial(source); });
          }};
}

/// The same trial at listed points, which count for no false-accept bound.
template <class K, class Trial>
Check check_at_listed_points(std::string_view name, Trial trial) {
  return {name, 0, [trial](Draw& draw) {
            Source<K> source(draw, Points::listed);
            return try_once([&] { return trial(source); });
          }};
}

/// An equation between rational functions whose total degree, cleared of denominators, is at most `degree`: at random
/// points of two fields, so that a false one would need both primes against it, and at listed points.
template <class Trial>
Law identity(std::string_view name, std::string_view statement, std::string_view source, std::uint32_t degree,
             std::uint32_t trials, Trial trial) {
  return {name,
          statement,
          source,
          Proof::by_evaluation,
          degree,
          trials,
          {check_over<F61>(trial), check_over<F31>(trial),
           check_at_listed_points<F61>("GF(2^61-1) at listed points", trial)}};
}

/// An identity whose points must be free.
template <class Trial>
Law generic_identity(std::string_view name, std::string_view statement, std::string_view source, std::uint32_t degree,
                     std::uint32_t trials, Trial trial) {
  return {
      name, statement, source, Proof::by_evaluation, degree, trials, {check_over<F61>(trial), check_over<F31>(trial)}};
}

/// An identity between functions of complex numbers and their conjugates, over GF(p²), where conjugation is the
/// Frobenius map; its degree counts real coordinates.
template <class Trial>
Law complex_identity(std::string_view name, std::string_view statement, std::string_view source, std::uint32_t degree,
                     std::uint32_t trials, Trial trial) {
  return {name,
          statement,
          source,
          Proof::by_evaluation,
          degree,
          trials,
          {check_over<Cx<F61>>(trial), check_over<Cx<F31>>(trial),
           check_at_listed_points<Cx<F61>>("GF((2^61-1)^2) at listed points", trial)}};
}

/// A complex identity whose points must be free.
template <class Trial>
Law complex_generic_identity(std::string_view name, std::string_view statement, std::string_view source,
                             std::uint32_t degree, std::uint32_t trials, Trial trial) {
  return {name,
          statement,
          source,
          Proof::by_evaluation,
          degree,
          trials,
          {check_over<Cx<F61>>(trial), check_over<Cx<F31>>(trial)}};
}

/// A certified inequality between real functions of complex numbers: over Q(i) the trial also compares.
template <class Trial>
Law complex_certified_inequality(std::string_view name, std::string_view statement, std::string_view source,
                                 std::uint32_t degree, std::uint32_t trials, Trial trial) {
  return {name,
          statement,
          source,
          Proof::by_evaluation,
          degree,
          trials,
          {check_over<Cx<F61>>(trial), check_over<Cx<F31>>(trial), check_over<GaussianRational>(trial),
           check_at_listed_points<GaussianRational>("Q(i) at listed points", trial)}};
}

/// An inequality with a certificate: an identity, tried as such, that writes the margin as sums and products of terms
/// of known sign. Over the rationals the trial also compares: `if constexpr (OrderedScalar<K>)`.
template <class Trial>
Law certified_inequality(std::string_view name, std::string_view statement, std::string_view source,
                         std::uint32_t degree, std::uint32_t trials, Trial trial) {
  return {name,
          statement,
          source,
          Proof::by_evaluation,
          degree,
          trials,
          {check_over<F61>(trial), check_over<F31>(trial), check_over<Rational>(trial),
           check_at_listed_points<Rational>("Q at listed points", trial)}};
}

/// A statement with an order, over the rationals: random trials, free and listed.
template <class Trial>
Law inequality(std::string_view name, std::string_view statement, std::string_view source, std::uint32_t trials,
               Trial trial) {
  return {name,
          statement,
          source,
          Proof::tested,
          0,
          trials,
          {check_over<Rational>(trial), check_at_listed_points<Rational>("Q at listed points", trial)}};
}

/// A statement settled by one trial: all cases are enumerated, or an argument beside it leaves none out.
template <class K, class Trial>
Law settled(std::string_view name, std::string_view statement, std::string_view source, Trial trial) {
  return {name, statement, source, Proof::exactly, 0, 1, {check_over<K>(trial)}};
}

}  // namespace assay
