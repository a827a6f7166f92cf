#pragma once

#include <cstddef>
#include <span>

#include "oracle/logarithm.hpp"
#include "oracle/matrix.hpp"

namespace assay::sas {

/// P_ti = e^{S_ti − L_t} where `open`, else 0: a row's weights from its logits, gate included, and their log-sum-exp.
/// Source: [SAS-notes] s2.8, alg. 4.
/// A row with nothing open has P = 0, whatever its L.
/// Domain: S, open [Tq, Tk], L [Tq]. Error: a difference and an exp each: the error of L is a factor of the whole row.
template <class Z>
Matrix<PowerOf<Z>> recomputed_probabilities(const Matrix<Z>& logits, std::span<const Z> lse, const Matrix<int>& open) {
  require_shape(open, logits.rows(), logits.cols(), "open");
  require_length(lse.size(), logits.rows(), "lse");
  Matrix<PowerOf<Z>> P(logits.rows(), logits.cols());
  for (std::size_t t = 0; t < P.rows(); ++t)
    for (std::size_t i = 0; i < P.cols(); ++i)
      if (open(t, i) != 0) P(t, i) = exp_score(Z(logits(t, i) - lse[t]));
  return P;
}

}  // namespace assay::sas
