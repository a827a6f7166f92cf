#pragma once

#include <cstdint>

#include "oracle/sanatan/features.hpp"
#include "oracle/sanatan/tensor_power.hpp"

namespace assay::sanatan {

/// Numbers in one head's state (S, z): F (dv + 1) for F features.
/// Source: [SANATAN] s3.5, [SANATAN-notes] s2.7.
/// Exact; throws nothing, wraps above 2^64.
constexpr std::uint64_t state_entries(std::uint64_t features, std::uint64_t values) { return features * (values + 1); }

/// channels · d.
constexpr std::uint64_t feature_count(Channels channels, std::uint64_t d) { return count(channels) * d; }

/// 5d + 1: six channels with the d constant ones merged, the rank of the kernel.
constexpr std::uint64_t merged_feature_count(std::uint64_t d) { return 5 * d + 1; }

/// F^p features of the tensor power.
/// Source: [SANATAN-notes] s2.6.
constexpr std::uint64_t tensor_feature_count(std::uint64_t features, int p) {
  return static_cast<std::uint64_t>(integer_power(static_cast<std::int64_t>(features), p));
}

/// C(F + p − 1, p) features of the symmetric power.
/// Source: [SANATAN-notes] s2.6.
constexpr std::uint64_t symmetric_feature_count(std::uint64_t features, int p) {
  return binomial(features + static_cast<std::uint64_t>(p) - 1, static_cast<std::uint64_t>(p));
}

}  // namespace assay::sanatan
