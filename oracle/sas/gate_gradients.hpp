#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sas/attention.hpp"
#include "oracle/scalar.hpp"
#include "oracle/steps.hpp"

namespace assay::sas {

/// The tokens that one query attends to. Block 0 is the current one, 1..C are history.
template <Scalar K>
struct AttendedTokens {
  std::vector<K> E;                ///< e^{z_i}, z_i the scaled logit without its gate
  std::vector<std::size_t> block;  ///< b(i)
  Matrix<K> v;                     ///< [n, dv]
};

/// Throws unless every token has a weight, a value and the gate of its block, and dO is as wide as v.
template <Scalar K>
void require_attended(const AttendedTokens<K>& x, std::size_t gates, std::size_t width) {
  require_length(x.block.size(), x.E.size(), "block");
  require_shape(x.v, x.E.size(), width, "v");
  for (const std::size_t m : x.block)
    if (m >= gates)
      throw OutsideDomain("token of block " + std::to_string(m) + ": there are " + std::to_string(gates) + " gates");
}

namespace detail {

/// Σ_i w_i; throws where it has no inverse.
template <Scalar K>
K normaliser(std::span<const K> weights) {
  K sum(0);
  for (const K& w : weights) sum = sum + w;
  if (has_no_inverse(sum)) throw ZeroDenominator("weights of the attended tokens sum to 0");
  return sum;
}

/// x_m = Σ_{i ∈ B_m} y_i.
template <Scalar K>
std::vector<K> block_sums(std::span<const K> y, std::span<const std::size_t> block, std::size_t blocks) {
  std::vector<K> sums(blocks, K(0));
  for (std::size_t i = 0; i < y.size(); ++i) sums[block[i]] = sums[block[i]] + y[i];
  return sums;
}

}  // namespace detail

/// dg_m = Σ_{i ∈ B_m} (p̃_i / g_m) ⟨dO, v_i − o⟩ for m = 0..C, every gate a variable of its own, and
///   p̃_i / g_m = E_i / Σ_j g_{b(j)} E_j,  o = Σ_i p̃_i v_i.
/// Source: [SAS] eq. 5, inner; D.1.
/// Differs from [SAS]: the quotient is formed without dividing by g_m, so that a gate may be 0.
/// Domain: Σ_j g_{b(j)} E_j ≠ 0. Error: exact in exact arithmetic; v_i − o cancels where v_i is close to o.
template <Scalar K>
std::vector<K> inner_gate_gradients(const AttendedTokens<K>& x, std::span<const K> g, std::span<const K> d_output) {
  require_attended(x, g.size(), d_output.size());
  std::vector<K> gated, along;
  for (std::size_t i = 0; i < x.E.size(); ++i) gated.push_back(g[x.block[i]] * x.E[i]);
  const K sum = detail::normaliser<K>(gated);
  const std::vector<K> o = weighted_mean<K>(gated, x.v);
  for (std::size_t i = 0; i < x.E.size(); ++i) {
    K towards(0);
    for (std::size_t j = 0; j < o.size(); ++j) towards = towards + d_output[j] * (x.v(i, j) - o[j]);
    along.push_back(x.E[i] / sum * towards);
  }
  return detail::block_sums<K>(along, x.block, g.size());
}

/// dg_m = Σ_{i ∈ B_m} p_i ⟨dO, v_i⟩ for o = Σ_i p_i g_{b(i)} v_i, p_i = E_i / Σ_j E_j: no gate in the normaliser.
/// Source: [SAS] eq. 5, outer; D.1.
/// Domain: Σ_j E_j ≠ 0; `gates` = C + 1. Error: that of the sums.
template <Scalar K>
std::vector<K> outer_gate_gradients(const AttendedTokens<K>& x, std::size_t gates, std::span<const K> d_output) {
  require_attended(x, gates, d_output.size());
  const K sum = detail::normaliser<K>(x.E);
  std::vector<K> along(x.E.size(), K(0));
  for (std::size_t i = 0; i < along.size(); ++i) along[i] = x.E[i] / sum * dot<K>(x.v.row(i), d_output);
  return detail::block_sums<K>(along, x.block, gates);
}

/// d log g_m = g_m dg_m: finite wherever the gates are.
/// Source: [SAS] eq. 5 by the chain rule; [SAS-notes] s2.8.
template <Scalar K>
std::vector<K> log_gate_gradients(std::span<const K> g, std::span<const K> d_gates) {
  require_length(d_gates.size(), g.size(), "d_gates");
  std::vector<K> d_log;
  for (std::size_t m = 0; m < g.size(); ++m) d_log.push_back(g[m] * d_gates[m]);
  return d_log;
}

}  // namespace assay::sas
