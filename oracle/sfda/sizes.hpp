#pragma once

#include <cstdint>
#include <string>

#include "oracle/outside_domain.hpp"

namespace assay::sfda {

/// A head and its chunks: width d, value width dv, C tokens a chunk.
struct ChunkShape {
  std::uint64_t d, dv, C;
};

/// Numbers of Γ, Y, W, M below its diagonal, and B.
/// Source: [SFDA] Thm 6.2; [SFDA-notes] s3.2: O(d + dC + C² + d dv).
constexpr std::uint64_t stored_numbers(const ChunkShape& s) {
  return s.d + 2 * s.d * s.C + s.C * (s.C - 1) / 2 + s.d * s.dv;
}

/// Products that build Γ, Y, W and M by their recursion, Λ diagonal.
/// Source: [SFDA] Thm 6.2; [SFDA-notes] s3.2: O(dC² + C³).
constexpr std::uint64_t build_products(const ChunkShape& s) {
  return s.d * s.C * (s.C - 1) + 4 * s.d * s.C + (s.C * s.C * s.C - s.C) / 6;
}

/// Products of n updates of a state: the plain recurrence, or the zero-state write of a chunk.
/// Source: [SFDA] Thm 6.2; [SFDA-notes] s3.2: O(n d dv).
constexpr std::uint64_t update_products(const ChunkShape& s, std::uint64_t n) { return n * (3 * s.d * s.dv + s.dv); }

/// Products of Γ S − Y (M (W* S)), the diagonal of M multiplied like the rest.
/// Source: [SFDA] Thm 6.2; [SFDA-notes] s3.2: O(d dv + d C dv + C² dv).
constexpr std::uint64_t apply_products(const ChunkShape& s) {
  return s.d * s.dv * (1 + 2 * s.C) + s.dv * (s.C * (s.C + 1) / 2);
}

/// Products of T/C chunks without any output: build, write, apply.
/// Source: [SFDA-notes] s3.2: O(T dC + T C² + T d dv + T C dv).
/// Domain: C divides T.
constexpr std::uint64_t chunked_products(const ChunkShape& s, std::uint64_t T) {
  if (s.C == 0 || T % s.C != 0)
    throw OutsideDomain("T = " + std::to_string(T) + ", C = " + std::to_string(s.C) + ": needs whole chunks");
  return T / s.C * (build_products(s) + update_products(s, s.C) + apply_products(s));
}

}  // namespace assay::sfda
