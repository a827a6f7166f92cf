#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "problem/draw.hpp"

namespace assay {

/// What one trial of a law says.
struct Outcome {
  enum class Kind { holds, fails, rejected };
  Kind kind = Kind::holds;
  std::string text = {};  ///< why it fails, why the trial does not count, or the witness that holds

  static Outcome holds(std::string witness = {}) { return {Kind::holds, std::move(witness)}; }
  static Outcome fails(std::string why) { return {Kind::fails, std::move(why)}; }
  static Outcome rejected(std::string why) { return {Kind::rejected, std::move(why)}; }
};

/// How far a law that holds in every trial is known to be true.
enum class Proof {
  exactly,        ///< every case, or an argument that leaves none out, in exact arithmetic
  by_evaluation,  ///< a polynomial identity at random points of a field: false accept ≤ (degree/p)^trials
  tested,         ///< random trials only
};

/// One arithmetic in which a law is tried.
struct Check {
  std::string_view arithmetic;  ///< "GF(2^61-1)", "Q", "double-double", ...
  double log2_order = 0;        ///< log2 of the field's order; 0 where there is no field
  std::function<Outcome(Draw&)> run;
};

/// A statement a program can refute, on numbers alone (a law over the table of kernels is a KernelLaw).
struct Law {
  std::string_view name;       ///< "sanatan.six_channel_kernel_factorises": also its ctest name
  std::string_view statement;  ///< one line, in symbols where there are any
  std::string_view source;     ///< key and place, resolved in oracle/references.md; empty for laws of the tool itself
  Proof proof = Proof::tested;
  std::uint32_t degree = 0;  ///< total degree of the identity (by_evaluation)
  std::uint32_t trials = 1;  ///< trials of each check in a full run; a smoke run makes at most 8
  std::vector<Check> checks;
  bool exhaustive = false;  ///< belongs to the long tier: `ctest -C Exhaustive`

  /// log2 of the chance that a false identity passes n trials of every check.
  double log2_false_accept(std::uint32_t n) const {
    double bits = 0;
    for (const Check& check : checks)
      if (check.log2_order > 0 && degree > 0) bits += n * (std::log2(double(degree)) - check.log2_order);
    return bits;
  }
};

}  // namespace assay
