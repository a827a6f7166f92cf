#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "arith/complex.hpp"
#include "arith/integer_power.hpp"
#include "arith/prime_field.hpp"
#include "oracle/sfda/control.hpp"
#include "oracle/sfda/pair_blocks.hpp"
#include "oracle/sfda/partial_permutation.hpp"
#include "oracle/sfda/recurrence.hpp"
#include "properties/source.hpp"

/// Controls and tokens of one trial.
namespace assay::sfda {

template <class K>
PartialPermutation<K> some_partial_permutation(Source<K>& from, std::size_t d) {
  PartialPermutation<K> result = PartialPermutation<K>::identity(d);
  for (std::size_t i = d; i > 1; --i) std::swap(result.source[i - 1], result.source[from.below(i)]);
  for (auto& source : result.source)
    if (from.below(4) == 0) source.reset();
  return result;
}

/// Reflections of every pair, at free angles.
template <class K>
PairBlocks<K> some_reflections(Source<K>& from, std::size_t d) {
  PairBlocks<K> result = PairBlocks<K>::identity(d);
  for (auto& block : result.blocks) {
    const auto x = reflection(from.angle());
    block = {K(x.a), K(x.b), K(x.c), K(x.d)};
  }
  return result;
}

template <class K>
PairBlocks<K> some_pair_blocks(Source<K>& from, std::size_t d) {
  PairBlocks<K> result = PairBlocks<K>::identity(d);
  for (auto& block : result.blocks) block = {from.value(), from.value(), from.value(), from.value()};
  return result;
}

/// Calls visit(name, draw) for each family of controls of width d; draw() gives one of them.
template <class K, class Visit>
void for_every_control(Source<K>& from, std::size_t d, Visit visit) {
  visit("diagonal", [&] { return Diagonal<K>{from.values(d)}; });
  visit("dense", [&] { return Dense<K>{from.values(d, d)}; });
  visit("partial permutation", [&] { return some_partial_permutation(from, d); });
  if (d % 2 != 0) return;
  visit("blocks of two", [&] { return some_pair_blocks(from, d); });
  visit("reflections", [&] { return some_reflections(from, d); });
}

/// T tokens with controls from draw(). At listed points β is 0, 1, 2 or −1 as well, and some keys are zero.
template <class K, class DrawControl>
auto tokens_with(Source<K>& from, std::size_t T, std::size_t d, std::size_t dv, DrawControl draw) {
  Tokens<K, decltype(draw())> x{from.values(T, d), from.values(T, d), from.values(T, dv), from.reals(T), {}};
  for (std::size_t t = 0; t < T; ++t) {
    x.lambda.push_back(draw());
    if (!from.listed()) continue;
    if (from.below(4) == 0) x.beta[t] = RealOf<K>(2);
    if (from.below(4) == 0)
      for (K& entry : x.k.row(t)) entry = K(0);
  }
  return x;
}

template <class K>
Tokens<K> diagonal_tokens(Source<K>& from, std::size_t T, std::size_t d, std::size_t dv) {
  return tokens_with(from, T, d, dv, [&] { return Diagonal<K>{from.values(d)}; });
}

/// Tokens begin … end − 1.
template <class K, class C>
Tokens<K, C> tokens_between(const Tokens<K, C>& x, std::size_t begin, std::size_t end) {
  const auto rows = [&](const Matrix<K>& m) {
    Matrix<K> part(end - begin, m.cols());
    for (std::size_t t = begin; t < end; ++t) std::ranges::copy(m.row(t), part.row(t - begin).begin());
    return part;
  };
  return {rows(x.q),
          rows(x.k),
          rows(x.v),
          {x.beta.begin() + begin, x.beta.begin() + end},
          {x.lambda.begin() + begin, x.lambda.begin() + end}};
}

/// A_{end−1} … A_{begin}, formed one token after the other.
template <class K, class C>
Matrix<K> product_of_transitions(const Tokens<K, C>& x, std::size_t begin, std::size_t end) {
  Matrix<K> P = identity_matrix<K>(x.k.cols());
  for (std::size_t t = begin; t < end; ++t) P = transition<K>(x.lambda[t], x.k.row(t), x.beta[t]) * P;
  return P;
}

/// A key with k* k = 1 over GF(p²), p = 3 (mod 4): k s with a norm N(s) = 1/(k* k), found as a² + b² from free a.
template <std::uint64_t P>
std::vector<Cx<PrimeField<P>>> unit_key(Source<Cx<PrimeField<P>>>& from, std::size_t d) {
  using F = PrimeField<P>;
  for (;;) {
    std::vector<Cx<F>> k = from.values(d);
    F norm(0);
    for (const Cx<F>& entry : k) norm = norm + abs2(entry);
    if (norm == F(0)) continue;
    const F a = from.free().re, square = F(1) / norm - a * a;
    const F b = integer_power(square, static_cast<std::int64_t>((P + 1) / 4));
    if (!(b * b == square)) continue;
    for (Cx<F>& entry : k) entry = entry * Cx<F>(a, b);
    return k;
  }
}

/// What a factor of a unit key counts in a degree: k_0, a and b of degree 3 once 1/N is cleared, and twice that for the
/// norm over both signs of b, which is the root of a polynomial in k_0 and a.
constexpr std::uint32_t unit_key_degree = 10;

/// Degree of one token in P: β, k, k* and Λ. Reflections of up to two pairs are points of the circle, of degree 2 each
/// over denominators of degree 2 that are cleared.
constexpr std::uint32_t token_degree = 3 + 2 + 2 * 2;

}  // namespace assay::sfda
