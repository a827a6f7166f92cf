#pragma once

#include <cstddef>
#include <string>

#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"
#include "oracle/steps.hpp"

namespace assay::sas {

/// Where keys and queries are: block m holds tokens b m … b m + b − 1, query t stands at token t0 + t.
struct BlockGrid {
  std::size_t block_size = 1;
  std::size_t t0 = 0;

  std::size_t block_of(std::size_t token) const { return token / block_size; }
  /// The block of query t; those before it are its history.
  std::size_t current(std::size_t t) const { return block_of(t0 + t); }
  /// Blocks of `tokens` tokens, the last one perhaps short.
  std::size_t blocks(std::size_t tokens) const { return (tokens + block_size - 1) / block_size; }
};

namespace detail {

/// Σ over tokens i of a history block m of y_ti, [Tq, blocks]; 0 at the current block, whose gate is fixed, and after it.
template <Scalar K>
Matrix<K> history_sums(const Matrix<K>& y, const BlockGrid& grid) {
  if (grid.block_size == 0) throw OutsideDomain("block_size = 0: needs at least 1");
  Matrix<K> sums(y.rows(), grid.blocks(y.cols()));
  for (std::size_t t = 0; t < y.rows(); ++t) {
    for (std::size_t i = 0; i < y.cols(); ++i) {
      const std::size_t m = grid.block_of(i);
      if (m < grid.current(t)) sums(t, m) = sums(t, m) + y(t, i);
    }
  }
  return sums;
}

}  // namespace detail

/// d log G_tm = Σ_{i ∈ B_m} dS_ti of every history block, [Tq, blocks]: inner gates.
/// Source: [SAS] alg. 4; [SAS-notes] s2.8.
/// An unselected block has P = 0, so dS = 0 and exactly 0 here.
/// Domain: dS [Tq, Tk]. Error: that of the sum.
template <Scalar K>
Matrix<K> block_sums_of_logit_gradients(const Matrix<K>& d_logits, const BlockGrid& grid) {
  return detail::history_sums(d_logits, grid);
}

/// d log G_tm = Σ_{i ∈ B_m} P_ti γ_ti ⟨dO_t, v_i⟩ of every history block: outer gates.
/// Source: [SAS] eq. 5, outer, times g_m.
/// Domain: P, γ [Tq, Tk], v [Tk, dv], dO [Tq, dv]. Error: that of the sums.
template <Scalar K>
Matrix<K> outer_log_gate_gradients(const Matrix<K>& P, const Matrix<K>& token_gates, const Matrix<K>& v,
                                   const Matrix<K>& d_output, const BlockGrid& grid) {
  require_shape(token_gates, P.rows(), P.cols(), "token_gates");
  Matrix<K> along = d_output * transpose(v);
  require_shape(along, P.rows(), P.cols(), "dO V^T");
  for (std::size_t t = 0; t < P.rows(); ++t)
    for (std::size_t i = 0; i < P.cols(); ++i) along(t, i) = P(t, i) * token_gates(t, i) * along(t, i);
  return detail::history_sums(along, grid);
}

}  // namespace assay::sas
