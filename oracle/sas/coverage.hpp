#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sas/query.hpp"

namespace assay::sas {

/// Cov(S) = Σ_{i ∈ S} w_i / Σ_j w_j, with w_i = e^{z_i}, or e^{z_i} |v_i|₂.
/// Source: [SAS] eq. 10; [SAS-notes] s4.6.
/// Domain: Σ w ≠ 0, distinct tokens of the sequence. Error: none in exact arithmetic.
template <Scalar K>
K coverage(std::span<const K> w, std::span<const std::size_t> tokens) {
  K all(0), covered(0);
  for (const K& weight : w) all = all + weight;
  if (has_no_inverse(all)) throw ZeroDenominator("coverage: the weights sum to 0");
  for (const std::size_t i : tokens) {
    if (i >= w.size())
      throw OutsideDomain("token " + std::to_string(i) + ": there are " + std::to_string(w.size()) + " weights");
    covered = covered + w[i];
  }
  return covered / all;
}

/// Σ_{i ∈ B_m} w_i of every history block: Top-K of these covers most.
/// Source: own, on [SAS] eq. 10.
template <Scalar K>
std::vector<K> block_masses(std::span<const K> w, const QueryPlace& place) {
  require_length(w.size(), place.visible(), "w");
  std::vector<K> mass(place.history(), K(0));
  for (std::size_t i = 0; i < place.current_begin(); ++i)
    mass[i / place.block_size] = mass[i / place.block_size] + w[i];
  return mass;
}

/// The tokens of B_0 and of the selected blocks, ascending.
/// Source: [SAS] eq. 3; [SAS-notes] s2.2.
inline std::vector<std::size_t> tokens_of(const BlockSet& selected, const QueryPlace& place) {
  std::vector<std::size_t> tokens;
  for (const std::size_t m : selected)
    for (std::size_t i = 0; i < place.block_size; ++i) tokens.push_back(m * place.block_size + i);
  for (std::size_t i = place.current_begin(); i < place.visible(); ++i) tokens.push_back(i);
  return tokens;
}

}  // namespace assay::sas
