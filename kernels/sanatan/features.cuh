#pragma once

#include "kernels/build.hpp"
#include "kernels/sanatan/feature_map.cuh"
#include "problem/operators/sanatan.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sanatan {

template <class E>
struct Features {
  static void launch(const Call& call) { launch_feature_map<E, E>(call, "x", call.array<E>("phi")); }
};

/// Roundings: those of `encode` and of the channels' products; theta and r are float32, phi is rounded to the output's
/// format after that.
inline Contract features_contract(Format element) {
  return {.algorithm = Algorithm::pointwise,
          .input = element,
          .features = element,
          .output = element,
          .elementary_ulp = encoding_ulps()};
}

std::vector<Build> features_builds() {
  const Limits limits{.feature = 128, .channels = {6, 4, 3}, .powers = {1}};
  return {real_build<Features, float>("features.f32", operators::sanatan_features(), features_contract(Format::f32),
                                      limits),
          real_build<Features, Bf16>("features.bf16", operators::sanatan_features(), features_contract(Format::bf16),
                                     limits)};
}

}  // namespace sanatan
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
