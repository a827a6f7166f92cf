#pragma once

#include <cstddef>

#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"
#include "oracle/sfda/control.hpp"
#include "oracle/sfda/recurrence.hpp"
#include "oracle/sfda/token_update.hpp"

namespace assay::sfda {

/// B = Σ_i A_C … A_{i+1} B_i over all tokens, as the sum is written; the last term has the empty product I.
/// Source: [SFDA] Thm 4.4; [SFDA-notes] s2.5.
template <Scalar K, Control<K> C>
Matrix<K> write_sum(const Tokens<K, C>& x) {
  const std::size_t d = x.k.cols();
  Matrix<K> sum(d, x.v.cols()), after = identity_matrix<K>(d);
  for (std::size_t i = x.length(); i-- > 0;) {
    sum = sum + after * write<K>(x.k.row(i), x.v.row(i), x.beta[i]);
    after = after * transition<K>(x.lambda[i], x.k.row(i), x.beta[i]);
  }
  return sum;
}

}  // namespace assay::sfda
