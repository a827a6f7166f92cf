#pragma once

#include <algorithm>
#include <cstdint>

namespace assay::sas {

/// K b: how a token budget is labelled. The current block comes beside it.                          [SAS-notes] s2.1
constexpr std::uint64_t token_budget(std::uint64_t K, std::uint64_t block_size) { return K * block_size; }

/// min(C, K) b + own: tokens that a query with `own` tokens in its current block attends to.        [SAS-notes] s2.1
constexpr std::uint64_t tokens_attended(std::uint64_t C, std::uint64_t K, std::uint64_t block_size, std::uint64_t own) {
  return std::min(C, K) * block_size + own;
}

/// C d: products of the scores of one query, each an inner product with a block's summary of width d. Grows with the
/// sequence, as does the Top-K over C scores.                                                 [SAS-notes] s4.8; s2.8
constexpr std::uint64_t scoring_products(std::uint64_t C, std::uint64_t d) { return C * d; }

/// tokens (d + dv): products of one query's logits and output. Does not grow beyond C = K.          [SAS-notes] s4.8
constexpr std::uint64_t attention_products(std::uint64_t tokens, std::uint64_t d, std::uint64_t dv) {
  return tokens * (d + dv);
}

/// n ⌈n/b⌉: numbers of a dense log-gate matrix of one group of heads, which the kernel reads.   own, on [SAS] alg. 3
constexpr std::uint64_t gate_matrix_entries(std::uint64_t n, std::uint64_t block_size) {
  return n * ((n + block_size - 1) / block_size);
}

/// n: the LSE of every query, all that the forward keeps of its weights.                       [SAS] alg. 3
constexpr std::uint64_t saved_lse_entries(std::uint64_t n) { return n; }

/// 2 L H_kv d n numbers of that many bytes: keys and values of n tokens, all of which decoding keeps.          own
constexpr std::uint64_t kv_cache_bytes(std::uint64_t layers, std::uint64_t kv_heads, std::uint64_t d,
                                       std::uint64_t number_bytes, std::uint64_t n) {
  return 2 * layers * kv_heads * d * number_bytes * n;
}

}  // namespace assay::sas
