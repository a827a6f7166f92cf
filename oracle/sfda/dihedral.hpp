#pragma once

#include <cstdint>
#include <string>

#include "arith/integer_power.hpp"
#include "oracle/outside_domain.hpp"
#include "oracle/scalar.hpp"
#include "oracle/sfda/pair_blocks.hpp"

namespace assay::sfda {

/// r^turn s^flip of D_m: m turns, with a flip or without.
struct DihedralElement {
  std::int64_t turn = 0;
  bool flip = false;

  friend bool operator==(const DihedralElement&, const DihedralElement&) = default;
};

/// g h in D_m, from s r = r^{-1} s.
inline DihedralElement multiplied(const DihedralElement& g, const DihedralElement& h, std::int64_t m) {
  if (m < 1) throw OutsideDomain("m = " + std::to_string(m) + ": a dihedral group needs at least one turn");
  const std::int64_t turn = g.turn + (g.flip ? -h.turn : h.turn);
  return {(turn % m + m) % m, g.flip != h.flip};
}

/// ρ(r) = diag(ζ, ζ^{-1}), ρ(s) = [[0, 1], [1, 0]]: R(2π/m) and a reflection, in the basis of their eigenvectors e_1 ±
/// i e_2. Source: [SFDA] Thm 5.7; [SFDA-notes] s3.4. Domain: ζ^m = 1.
template <Scalar K>
PairBlock<K> represented(const DihedralElement& g, const K& root) {
  const K forth = integer_power(root, g.turn), back = integer_power(root, -g.turn);
  return g.flip ? PairBlock<K>{K(0), forth, back, K(0)} : PairBlock<K>{forth, K(0), K(0), back};
}

}  // namespace assay::sfda
