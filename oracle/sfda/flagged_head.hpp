#pragma once

#include <type_traits>

#include "arith/inexact_flag.hpp"
#include "oracle/sfda/head.hpp"

namespace assay::sfda {

inline FlaggedNumber flagged(double x) { return FlaggedNumber(x); }
inline Cx<FlaggedNumber> flagged(const Cx<double>& x) { return {FlaggedNumber(x.re), FlaggedNumber(x.im)}; }

/// FlaggedNumber or Cx<FlaggedNumber>, for double and Cx<double>.
template <class K>
using Flagged = decltype(flagged(K()));

template <class K>
Matrix<Flagged<K>> flagged(const Matrix<K>& m) {
  Matrix<Flagged<K>> result(m.rows(), m.cols());
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) result(i, j) = flagged(m(i, j));
  return result;
}

/// Whether every λ is 0 or 1: others are values of functions, which round.
template <class K>
bool decays_are_exact(const Tokens<K>& x) {
  const auto exact = [](const K& lambda) { return lambda == K(0) || lambda == K(1); };
  return std::ranges::all_of(x.lambda, [&](const Diagonal<K>& L) { return std::ranges::all_of(L.lambda, exact); });
}

/// The same numbers, each with an inexact flag. Domain: λ is 0 or 1.
template <class K>
Head<Flagged<K>> flagged(const Head<K>& x) {
  Head<Flagged<K>> result{{flagged(x.tokens.q), flagged(x.tokens.k), flagged(x.tokens.v), {}, {}}, flagged(x.S0)};
  for (const auto& beta : x.tokens.beta) result.tokens.beta.push_back(FlaggedNumber(beta));
  for (const Diagonal<K>& control : x.tokens.lambda) {
    Diagonal<Flagged<K>>& lambda = result.tokens.lambda.emplace_back();
    for (const K& entry : control.lambda) lambda.lambda.push_back(flagged(entry));
  }
  return result;
}

}  // namespace assay::sfda
