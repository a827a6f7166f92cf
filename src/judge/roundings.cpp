#include "judge/roundings.hpp"

#include <cmath>

namespace assay {
namespace {

RoundingSample sample_of(const Tensor& got, const Reference& want, const std::vector<double>& deviation) {
  RoundingSample sample;
  for (std::size_t i = 0; i < deviation.size(); ++i) {
    const double e = (got.value(static_cast<std::int64_t>(i)) - want.hi[i]) - want.lo[i];
    if (deviation[i] == 0 || e == 0 || !std::isfinite(e)) continue;
    const double size = e / deviation[i];
    ++sample.elements;
    sample.bias += std::copysign(1.0, want.hi[i]) * size;
    sample.square += size * size;
  }
  const auto n = static_cast<double>(sample.elements);
  return sample.elements == 0 ? sample : RoundingSample{sample.elements, sample.bias / n, sample.square / n};
}

}  // namespace

RoundingSamples rounding_samples(const Tensors& got, const References& want, const Allowances& allowed) {
  RoundingSamples samples;
  for (const auto& [name, reference] : want) {
    const RoundingSample sample = sample_of(got.at(name), reference, allowed.at(name).deviation);
    if (sample.elements > 0) samples.emplace(name, sample);
  }
  return samples;
}

}  // namespace assay
