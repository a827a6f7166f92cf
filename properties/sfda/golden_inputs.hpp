#pragma once

#include <vector>

#include "arith/rational.hpp"
#include "oracle/sfda/recurrence.hpp"

/// The tokens that are worked out by hand.
namespace assay::sfda::golden {

using Q = Rational;
using Z = GaussianRational;

inline Z z(const Q& re, const Q& im = Q(0)) { return {re, im}; }

/// A matrix from its rows.
inline Matrix<Z> rows(const std::vector<std::vector<Z>>& entries) {
  Matrix<Z> m(entries.size(), entries.empty() ? 0 : entries.front().size());
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) m(i, j) = entries[i].at(j);
  return m;
}

inline std::vector<Diagonal<Z>> diagonals(const Matrix<Z>& lambda) {
  std::vector<Diagonal<Z>> controls;
  for (std::size_t t = 0; t < lambda.rows(); ++t) controls.push_back({{lambda.row(t).begin(), lambda.row(t).end()}});
  return controls;
}

/// d = 2, dv = 1, T = 3.
///
///          q          k          v        β      Λ
///   t = 1  (1, 0)     (1, i)     1 + i    1/2    (1, 1/2)
///   t = 2  (1, i)     (1, 0)     2i       1      (i, 1/2)
///   t = 3  (i, 2)     (1, -1)    3        1/3    (1/2, -i)
inline Tokens<Z> three_tokens() {
  return {rows({{z(1), z(0)}, {z(1), z(0, 1)}, {z(0, 1), z(2)}}),
          rows({{z(1), z(0, 1)}, {z(1), z(0)}, {z(1), z(-1)}}),
          rows({{z(1, 1)}, {z(0, 2)}, {z(3)}}),
          {Q(1, 2), Q(1), Q(1, 3)},
          diagonals(rows({{z(1), z(Q(1, 2))}, {z(0, 1), z(Q(1, 2))}, {z(Q(1, 2)), z(0, -1)}}))};
}

}  // namespace assay::sfda::golden
