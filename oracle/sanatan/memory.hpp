#pragma once

#include <cstdint>
#include <string>

#include "arith/rational.hpp"
#include "oracle/outside_domain.hpp"
#include "oracle/sanatan/sizes.hpp"

namespace assay::sanatan {

/// What the memory of decoding depends on.
struct ModelShape {
  std::uint64_t layers = 1;
  std::uint64_t heads = 1;
  std::uint64_t d = 1;   ///< width of q and k of one head
  std::uint64_t dv = 1;  ///< width of v of one head
  std::uint64_t number_bytes = 4;
};

/// How a softmax cache may differ from the plain one of the same model.
struct CacheLayout {
  std::uint64_t kv_heads = 1;
  std::uint64_t number_bytes = 4;
};

/// L H (6 d dv + 6 d) numbers a sequence, six channels.                              [SANATAN] s3.5, [SANATAN-notes]
/// s4.5 Exact; wraps above 2^64.
constexpr std::uint64_t state_bytes(const ModelShape& m, std::uint64_t sequences = 1) {
  return sequences * m.layers * m.heads * state_entries(feature_count(Channels::six, m.d), m.dv) * m.number_bytes;
}

/// L H (5 d + 1)(dv + 1) numbers, the constant channels merged.
/// Differs from [SANATAN]: the state there keeps d equal rows.
constexpr std::uint64_t merged_state_bytes(const ModelShape& m) {
  return m.layers * m.heads * state_entries(merged_feature_count(m.d), m.dv) * m.number_bytes;
}

/// L H_kv (d + dv) numbers a token: keys and values.                                 [SANATAN] s4.4, [SANATAN-notes]
/// s4.5
constexpr std::uint64_t kv_cache_bytes_a_token(const ModelShape& m, const CacheLayout& cache) {
  return m.layers * cache.kv_heads * (m.d + m.dv) * cache.number_bytes;
}

/// The cache of the same heads and precision.
constexpr CacheLayout plain_cache(const ModelShape& m) { return {m.heads, m.number_bytes}; }

/// The length at which cache and state are of one size: 6 d (dv + 1)/(d + dv) · H/H_kv · bytes/bytes_kv, and 3(d + 1)
/// for dv = d and a plain cache.                                                                   [SANATAN-notes] s4.5
/// Domain: kv_heads and widths above 0. Error: none.
inline Rational crossover_tokens(const ModelShape& m, const CacheLayout& cache) {
  const std::uint64_t a_token = kv_cache_bytes_a_token(m, cache);
  if (a_token == 0) throw OutsideDomain("cache of 0 bytes a token: needs heads and widths above 0");
  return Rational(state_bytes(m)) / Rational(a_token);
}

}  // namespace assay::sanatan
