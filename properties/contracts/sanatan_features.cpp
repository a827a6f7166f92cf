#include <cmath>
#include <numbers>

#include "arith/rounding.hpp"
#include "problem/case_mix.hpp"
#include "problem/operators/sanatan.hpp"
#include "properties/contracts/sites.hpp"

namespace assay {
namespace {

using enum Axis;

/// Absorbs every D of a few tokens, and makes the quotient exact.
constexpr double large_eps = 0x1p60;

/// cos and sin of the content angle of x, in float32.
struct CirclePoint {
  double cosine, sine;

  explicit CirclePoint(double x) {
    const double theta = std::numbers::pi * x / (1 + std::abs(x));
    cosine = static_cast<float>(std::cos(theta)), sine = static_cast<float>(std::sin(theta));
  }
};

/// One dimension, no labels, q = k = x, in as many sequences as there are numbers.
Case case_of(const Kernel& kernel, const std::vector<double>& numbers, std::int64_t tokens) {
  Case c;
  c.op = kernel.op;
  c.family = "probe";
  c.element = kernel.contract.input;
  c.standard = Standard::laws;
  c.parameters = {{"p", 1}, {"normaliser", 1}, {"eps", large_eps}, {"gamma", 0}};
  c.sizes[batch] = c.sizes[sequences] = static_cast<std::int64_t>(numbers.size());
  c.sizes[bounds] = c.sizes[sequences] + 1;
  c.sizes[time] = tokens;
  c.sizes[channel] = 6;
  add_tensors(c, [&](const TensorSpec& spec) { return spec.role == Role::initial_state && kernel.limits.one_token; });
  for (std::size_t n = 0; n < numbers.size(); ++n)
    for (std::int64_t t = 0; t < tokens; ++t)
      for (const char* name : {"q", "k"}) c.inputs.at(name).set(static_cast<std::int64_t>(n) * tokens + t, numbers[n]);
  return c;
}

/// The second token's angle is that of the first and pi: 1 + cos cos' + sin sin' of their features.
Tensors of_two_tokens(const Kernel& kernel, const std::vector<double>& numbers) {
  Case c = case_of(kernel, numbers, 2);
  c.inputs.at("lambda").set(0, std::numbers::pi_v<float>);
  for (std::size_t n = 0; n < numbers.size(); ++n) c.inputs.at("v").set(2 * static_cast<std::int64_t>(n), 1);
  return kernel.run(c, {}).outputs;
}

/// The state holds the opposite features of one token.
Tensors of_a_state(const Kernel& kernel, const std::vector<double>& numbers) {
  Case c = case_of(kernel, numbers, 1);
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    const CirclePoint point(numbers[n]);
    const auto first = 6 * static_cast<std::int64_t>(n);
    Tensor& S = c.inputs.at("S0");
    S.set(first, 1), S.set(first + 1, -point.cosine), S.set(first + 2, -point.sine);
  }
  return kernel.run(c, {}).outputs;
}

}  // namespace

std::vector<ScoreNearZero> sanatan_scores_near_zero(const Kernel& kernel) {
  if (kernel.op != &operators::sanatan_attention()) return {};
  const bool one = kernel.limits.one_token;
  const std::vector<double> numbers = {0.125, 0.1875, 0.3125, 0.4375, 0.5625, 0.75, 1.5, 2.5};
  const Tensors outputs = one ? of_a_state(kernel, numbers) : of_two_tokens(kernel, numbers);
  std::vector<ScoreNearZero> scores;
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    const auto row = static_cast<std::int64_t>(one ? n : 2 * n + 1);
    scores.push_back({outputs.at("o").value(row) * large_eps, [one, point = CirclePoint(numbers[n])](auto rounding) {
                        const double c = rounding(point.cosine), s = rounding(point.sine);
                        return 1 - c * (one ? point.cosine : c) - s * (one ? point.sine : s);
                      }});
  }
  return scores;
}

}  // namespace assay
