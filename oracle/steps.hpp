#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <utility>

#include "oracle/outside_domain.hpp"
#include "oracle/scalar.hpp"

namespace assay {

/// The rounding points of a formula, named as in a precision contract. A formula passes every value that a kernel
/// would round through the point of its name; the policy says what the number becomes there.
///   input        a tensor as the kernel loads it
///   elementary   the value of tanh, sin, cos, exp or another function of one variable
///   product      a product on its way into a sum
///   accumulate   a running sum
///   dot          a finished inner product
///   weights      an attention weight or a feature
///   state        an entry of a recurrent state after its update
///   output       an entry of the result
template <class S, class K>
concept Steps = requires(const S& steps, const K& x) {
  { steps.input(x) } -> std::convertible_to<K>;
  { steps.elementary(x) } -> std::convertible_to<K>;
  { steps.product(x) } -> std::convertible_to<K>;
  { steps.accumulate(x) } -> std::convertible_to<K>;
  { steps.dot(x) } -> std::convertible_to<K>;
  { steps.weights(x) } -> std::convertible_to<K>;
  { steps.state(x) } -> std::convertible_to<K>;
  { steps.output(x) } -> std::convertible_to<K>;
};

/// Truth: no point rounds.
struct Exact {
  // clang-format off
  template <class K> static K input(K x) { return x; }
  template <class K> static K elementary(K x) { return x; }
  template <class K> static K product(K x) { return x; }
  template <class K> static K accumulate(K x) { return x; }
  template <class K> static K dot(K x) { return x; }
  template <class K> static K weights(K x) { return x; }
  template <class K> static K state(K x) { return x; }
  template <class K> static K output(K x) { return x; }
  // clang-format on
};

/// Σ_i a_i b_i, first to last.
/// Error: one product and one accumulate a term, one dot.
template <Scalar K, Steps<K> S = Exact>
K dot(std::span<const K> a, std::span<const K> b, const S& steps = {}) {
  if (a.size() != b.size())
    throw OutsideDomain("dot of " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                        " entries: needs as many on both sides");
  K sum(0);
  for (std::size_t i = 0; i < a.size(); ++i) sum = steps.accumulate(sum + steps.product(a[i] * b[i]));
  return steps.dot(std::move(sum));
}

}  // namespace assay
