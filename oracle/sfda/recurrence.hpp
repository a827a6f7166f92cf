#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"
#include "oracle/sfda/control.hpp"
#include "oracle/sfda/token_update.hpp"
#include "oracle/steps.hpp"

namespace assay::sfda {

/// The tokens of one head: q, k [T, d], v [T, dv], β [T], Λ [T].
template <Scalar K, Control<K> C = Diagonal<K>>
struct Tokens {
  Matrix<K> q, k, v;
  std::vector<RealOf<K>> beta;
  std::vector<C> lambda;

  std::size_t length() const { return k.rows(); }
};

/// Throws unless the tensors agree with each other and with a state [d, dv].
template <Scalar K, Control<K> C>
void require_tokens(const Tokens<K, C>& x, const Matrix<K>& S) {
  require_shape(x.k, x.length(), S.rows(), "k");
  require_shape(x.q, x.length(), S.rows(), "q");
  require_shape(x.v, x.length(), S.cols(), "v");
  require_length(x.beta.size(), x.length(), "beta");
  require_length(x.lambda.size(), x.length(), "lambda");
}

/// Outputs [T, dv] and the state after the last token.
template <Scalar K>
struct Run {
  Matrix<K> o, S;

  friend bool operator==(const Run&, const Run&) = default;
};

/// S_t = (I − β_t k_t k_t*) Λ_t S_{t−1} + β_t k_t v_t*, o_t = S_t* q_t: the output sees its own token.
/// Source: [SFDA] eq. 13; [SFDA-notes] overview, s2.1.
/// Domain: tokens of the state's widths. Error: T corrected updates, and one inner product of d terms an output.
template <Scalar K, Control<K> C, Steps<K> St = Exact>
Run<K> recurrence(const Tokens<K, C>& x, Matrix<K> S, const St& steps = {}) {
  require_tokens(x, S);
  Matrix<K> o(x.length(), S.cols());
  for (std::size_t t = 0; t < x.length(); ++t) {
    S = corrected(S, x.lambda[t], x.k.row(t), x.v.row(t), x.beta[t], steps);
    std::ranges::copy(read(S, std::span<const K>(x.q.row(t)), steps), o.row(t).begin());
  }
  return {std::move(o), std::move(S)};
}

}  // namespace assay::sfda
