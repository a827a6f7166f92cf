#pragma once

#include <cstddef>
#include <span>

#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"
#include "oracle/sfda/control.hpp"

namespace assay::sfda {

/// P_σ e_i = e_{δ(i, σ)}: one 1 in each column, rows free. With β = 0 the state stays one-hot and follows δ.
/// Source: [SFDA] Thm 4.7, App. D.2; [SFDA-notes] s2.3.
/// Domain: next[i] = δ(i, σ) of a total function, below N.
template <Scalar K>
Dense<K> symbol_control(std::span<const std::size_t> next) {
  Matrix<K> P(next.size(), next.size());
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (next[i] >= next.size())
      throw OutsideDomain("state " + std::to_string(next[i]) + ": an automaton of " + std::to_string(next.size()) +
                          " states goes to one of them");
    P(next[i], i) = K(1);
  }
  return {std::move(P)};
}

}  // namespace assay::sfda
