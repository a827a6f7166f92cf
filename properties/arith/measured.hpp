#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "arith/rational.hpp"
#include "problem/law.hpp"

namespace assay {

/// One error beside its bound.
struct Measured {
  bool within;
  double reached;    ///< error / bound
  std::string what;  ///< the operation with its operands
};

/// Decided exactly. `allowed` >= 0; an error of zero reaches nothing of any bound, any other is too much for zero.
inline Measured measured(const Rational& error, const Rational& allowed, std::string what) {
  if (error == 0 || allowed == 0) return {error == 0, error == 0 ? 0.0 : HUGE_VAL, std::move(what)};
  const double reached = Rational(error / allowed).convert_to<double>();
  return {error <= allowed, reached, std::move(what)};
}

/// `error` is an upper bound of the error.
inline Measured measured(double error, double allowed, std::string what) {
  return {error <= allowed, error / allowed, std::move(what)};
}

/// A bound under attack: `attempt` draws operands that errors like.
struct Bound {
  std::string_view name;  ///< of the law that says it holds
  std::string_view statement;
  std::string_view source;
  std::string_view arithmetic;
  Measured (*attempt)(Draw&);
  double approached;  ///< the part of the bound that 4096 attempts reach at least
};

/// One law for every bound: it holds. And one for all: they are approached.
inline std::vector<Law> bound_laws(std::vector<Bound> bounds, std::string_view approached_name) {
  std::vector<Law> laws;
  Law approached{.name = approached_name,
                 .statement = "4096 attacks reach the stated part of every bound: no bound is slack by accident",
                 .checks = {}};
  for (const Bound& bound : bounds) {
    laws.push_back({.name = bound.name,
                    .statement = bound.statement,
                    .source = bound.source,
                    .trials = 4096,
                    .checks = {{bound.arithmetic, 0, [attempt = bound.attempt](Draw& draw) {
                                  const Measured m = attempt(draw);
                                  return m.within ? Outcome::holds()
                                                  : Outcome::fails(
                                                        fmt::format("{}: {:.6g} of the bound", m.what, m.reached));
                                }}}});
    approached.checks.push_back(
        {bound.name, 0, [bound](Draw& draw) {
           double most = 0;
           for (int i = 0; i < 4096; ++i) most = std::max(most, bound.attempt(draw).reached);
           return most >= bound.approached
                      ? Outcome::holds()
                      : Outcome::fails(fmt::format("{}: only {:.3g} of the bound is reached", bound.name, most));
         }});
  }
  laws.push_back(std::move(approached));
  return laws;
}

}  // namespace assay
