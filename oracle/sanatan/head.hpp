#pragma once

#include <cstdint>
#include <vector>

#include "problem/case.hpp"

namespace assay::sanatan {

/// One sequence and head of a case as plain row-major arrays of exact values.
struct Head {
  std::size_t T = 0, d = 0, dv = 0, channels = 0;
  std::int64_t t0 = 0;                ///< position of the first token
  std::vector<double> q, k;           ///< [T, d]; empty where features are given
  std::vector<double> phi_q, phi_k;   ///< [T, channels, d]; empty where q and k are given
  std::vector<double> v;              ///< [T, dv]
  std::vector<double> omega, lambda;  ///< [d]
  std::vector<double> S0, z0;         ///< [channels, d, dv], [channels, d]; zeros without an initial state

  std::size_t width() const { return channels * d; }
};

/// Sequence n, head h.
Head head_of(const Case& c, std::int64_t n, std::int64_t h);

/// Where row t of sequence n and head h starts in an array [B, T, H, width].
std::size_t row_offset(const Case& c, std::int64_t n, std::int64_t t, std::int64_t h, std::size_t width);

}  // namespace assay::sanatan
