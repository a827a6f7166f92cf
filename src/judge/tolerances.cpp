#include "judge/tolerances.hpp"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double tolerance = 5.0 / 1000;
constexpr double negligible = 1.0 / 1'000'000;

bool is_close(double got, double want, double error) {
  return std::isinf(want) ? got == want : std::abs(error) <= tolerance + tolerance * std::abs(want);
}

Tolerances of_output(const Tensor& got, const Reference& want) {
  bool close = true, any_unknown = false;
  double errors = 0, values = 0, largest = 0;
  for (std::size_t i = 0; i < want.hi.size(); ++i) {
    const double value = got.value(static_cast<std::int64_t>(i));
    const double error = (value - want.hi[i]) - want.lo[i];
    close = close && is_close(value, want.hi[i], error);
    any_unknown = any_unknown || !std::isfinite(error);
    errors += error * error;
    values += want.hi[i] * want.hi[i];
    largest = std::max(largest, std::abs(error));
  }
  return {close, !any_unknown && (largest <= negligible || errors <= tolerance * tolerance * values)};
}

}  // namespace

Tolerances usual_tolerances(const Tensors& got, const References& want) {
  Tolerances all{true, true};
  for (const auto& [name, reference] : want) {
    const Tolerances one = of_output(got.at(name), reference);
    all = {all.allclose && one.allclose, all.rms_ratio && one.rms_ratio};
  }
  return all;
}

}  // namespace assay
