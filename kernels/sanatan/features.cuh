#pragma once

#include "kernels/build.hpp"
#include "kernels/sanatan/feature_map.cuh"
#include "problem/operators/sanatan.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sanatan {

template <class Functions>
struct Features {
  template <class E>
  struct On {
    static void launch(const Call& call) { launch_feature_map<E, E, Functions>(call, "x", call.array<E>("phi")); }
  };
};

/// Roundings: those of `encode` and of the channels' products; theta and r are float32, phi is rounded to the output's
/// format after that.
template <class Functions = Portable>
Contract features_contract(Format element) {
  return {.algorithm = Algorithm::pointwise,
          .input = element,
          .features = element,
          .output = element,
          .elementary_ulp = encoding_ulps<Functions>()};
}

std::vector<Build> features_builds() {
  const Limits limits{.feature = 128, .channels = {6, 4, 3}, .powers = {1}};
  const Operator& op = operators::sanatan_features();
  return {real_build<Features<Portable>::On, float>("features.f32", op, features_contract(Format::f32), limits),
          real_build<Features<Portable>::On, Bf16>("features.bf16", op, features_contract(Format::bf16), limits),
          real_build<Features<Libdevice>::On, float>("features.f32.libdevice", op,
                                                     features_contract<Libdevice>(Format::f32), limits),
          real_build<Features<Approximate>::On, Bf16>("features.bf16.approx", op,
                                                      features_contract<Approximate>(Format::bf16), limits)};
}

}  // namespace sanatan
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
