#pragma once

#include <concepts>

namespace assay {

/// What a formula may compute with: reals, fields, duals over either, balls, toy formats.
template <class K>
concept Scalar = std::copyable<K> && std::constructible_from<K, int> && requires(const K& a, const K& b) {
  { a + b } -> std::convertible_to<K>;
  { a - b } -> std::convertible_to<K>;
  { a* b } -> std::convertible_to<K>;
  { a / b } -> std::convertible_to<K>;
  { -a } -> std::convertible_to<K>;
  { a == b } -> std::convertible_to<bool>;
};

/// A Scalar with the order of the reals: wherever a formula clips, compares or takes an absolute value.
template <class K>
concept OrderedScalar = Scalar<K> && requires(const K& a, const K& b) {
  { a < b } -> std::convertible_to<bool>;
};

/// Whether division by x fails: x = 0, or a dual number whose value is 0.
template <Scalar K>
bool has_no_inverse(const K& x) {
  if constexpr (requires { x.tangent; })
    return has_no_inverse(x.value);
  else
    return x == K(0);
}

}  // namespace assay
