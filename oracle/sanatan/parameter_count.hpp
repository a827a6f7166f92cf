#pragma once

#include <cstdint>

namespace assay::sanatan {

/// The published causal language model.
struct LanguageModelShape {
  std::uint64_t width = 1;  ///< D = H d
  std::uint64_t layers = 1;
  std::uint64_t hidden = 1;  ///< of the SwiGLU feed-forward
  std::uint64_t vocabulary = 1;
  std::uint64_t positions = 1;
};

/// L (4 D² + 3 D hidden + 2 D + 2 D) + D: projections q k v o, three feed-forward matrices, two norms, ω and λ; then
/// the last norm. Without biases.                                                     [SANATAN] s5, [SANATAN-notes]
/// s3.1
constexpr std::uint64_t parameters_outside_embeddings(const LanguageModelShape& m) {
  const std::uint64_t a_layer = 4 * m.width * m.width + 3 * m.width * m.hidden + 2 * m.width + 2 * m.width;
  return m.layers * a_layer + m.width;
}

constexpr std::uint64_t token_embedding_parameters(const LanguageModelShape& m) { return m.vocabulary * m.width; }

/// Embedding and output projection are one matrix if tied, two if not; positions are learned.
constexpr std::uint64_t parameters(const LanguageModelShape& m, bool tied) {
  return parameters_outside_embeddings(m) + (tied ? 1 : 2) * token_embedding_parameters(m) + m.positions * m.width;
}

}  // namespace assay::sanatan
