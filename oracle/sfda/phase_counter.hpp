#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "arith/complex.hpp"
#include "arith/integer_power.hpp"
#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"
#include "oracle/sfda/control.hpp"

namespace assay::sfda {

/// λ_j = ζ_j^{a_j}: each coordinate turns by a_j of its m_j steps. With β = 0 and z_0 = 1 the state is ζ^{Σ a mod m}.
/// Source: [SFDA] Prop. 3.4, Thm 5.5; [SFDA-notes] s2.2, s3.4.
/// Domain: roots ζ_j with ζ_j^{m_j} = 1, increments of either sign. Over a floating type every step rounds.
template <Scalar K>
Diagonal<K> counter_step(std::span<const K> roots, std::span<const std::int64_t> increments) {
  require_length(increments.size(), roots.size(), "increments");
  Diagonal<K> control;
  for (std::size_t j = 0; j < roots.size(); ++j) control.lambda.push_back(integer_power(roots[j], increments[j]));
  return control;
}

/// The index of the prototype p with the largest Re(conj(p) z), the first among equals: the nearest phase.
/// Source: [SFDA-notes] s2.2 (paper App. G.2).
/// Domain: at least one prototype, all of one modulus.
template <class R>
requires OrderedScalar<R> std::size_t nearest_phase(const Cx<R>& z, std::span<const Cx<R>> prototypes) {
  if (prototypes.empty()) throw OutsideDomain("0 prototypes: a decoder needs at least one");
  const auto likeness = [&](const Cx<R>& p) { return (conj(p) * z).re; };
  std::size_t best = 0;
  for (std::size_t j = 1; j < prototypes.size(); ++j)
    if (likeness(prototypes[best]) < likeness(prototypes[j])) best = j;
  return best;
}

}  // namespace assay::sfda
