#include "problem/operators/sanatan_families.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "problem/operators/sanatan.hpp"
#include "problem/tensor.hpp"
#include "problem/values.hpp"

namespace assay::operators {
namespace {

using enum Axis;

constexpr int bits = 20;

/// gamma, the normaliser and eps: the published ones, sometimes others.
void set_parameters(Case& c, Draw& draw) {
  c.parameters["gamma"] = draw.below(4) == 0 ? 1 : 10;
  const auto width = static_cast<double>(c.sizes[feature]);
  c.parameters["normaliser"] = draw.below(4) == 0 ? 1 : static_cast<double>(c.sizes[channel] == 3 ? 2 : 4) * width;
  c.parameters["eps"] = draw.below(4) == 0 ? 1 : 0x1p-20;
}

/// omega about pi/4, lambda below 1/100 in size: what training starts from.
void fill_angles(Case& c, Draw& draw) {
  fill(c.inputs.at("omega"), [&](auto) { return std::numbers::pi / 4 + uniform_dyadic(draw, bits) / 4; });
  fill(c.inputs.at("lambda"), [&](auto) { return uniform_dyadic(draw, bits) / 128; });
  if (c.has("t0")) fill(c.inputs.at("t0"), [&](auto) { return static_cast<double>(draw.below(2048)); });
}

/// A state that a history of tokens could have left: the constant channel counts it, the others stay below.
void fill_history(Case& c, Draw& draw) {
  if (!c.has("z0")) return;
  const double tokens = static_cast<double>(1 + draw.below(64));
  Tensor& z = c.inputs.at("z0");
  const std::int64_t a_channel = c.sizes[feature];
  fill(z, [&](std::int64_t i) {
    const bool constant = (i / a_channel) % c.sizes[channel] == 0;
    return constant ? tokens : tokens * uniform_dyadic(draw, bits) / 4;
  });
  fill(c.inputs.at("S0"), [&](auto) { return tokens * uniform_dyadic(draw, bits) / 4; });
}

/// A family of q, k, v given by one function for each.
template <class Q, class K, class V>
auto from(Q q, K k, V v) {
  return [=](Case& c, Draw& draw) {
    set_parameters(c, draw);
    fill_angles(c, draw);
    fill(c.inputs.at("q"), [&](std::int64_t i) { return q(c, draw, i); });
    fill(c.inputs.at("k"), [&](std::int64_t i) { return k(c, draw, i); });
    fill(c.inputs.at("v"), [&](std::int64_t i) { return v(c, draw, i); });
    fill_history(c, draw);
  };
}

double bell(const Case&, Draw& draw, std::int64_t) { return bell_dyadic(draw, bits); }

double uniform(const Case&, Draw& draw, std::int64_t) { return uniform_dyadic(draw, bits); }

/// Features of random tokens: a circle point ((1 - x^2)/(1 + x^2), 2x/(1 + x^2)) and a label a dimension.
void fill_features(Tensor& phi, const Case& c, Draw& draw) {
  const std::int64_t d = c.sizes[feature], channels = c.sizes[channel];
  for (std::int64_t row = 0; row < phi.count() / (channels * d); ++row) {
    for (std::int64_t a = 0; a < d; ++a) {
      const double x = 4 * uniform_dyadic(draw, bits), r = uniform_dyadic(draw, bits);
      const double cosine = (1 - x * x) / (1 + x * x), sine = 2 * x / (1 + x * x);
      const std::array<double, 6> six = {1, cosine, sine, r, r * cosine, r * sine};
      const std::array<double, 4> four = {1, r, r * cosine, r * sine};
      for (std::int64_t n = 0; n < channels; ++n) {
        const auto at = static_cast<std::size_t>(n);
        phi.set((row * channels + n) * d + a, shortened(channels == 4 ? four[at] : six[at], phi.format()));
      }
    }
  }
}

void fill_random_features(Case& c, Draw& draw) {
  set_parameters(c, draw);
  fill_features(c.inputs.at("phi_q"), c, draw);
  fill_features(c.inputs.at("phi_k"), c, draw);
  fill(c.inputs.at("v"), [&](auto) { return uniform_dyadic(draw, bits); });
  fill_history(c, draw);
}

/// Elements of a field, every one free; ε and the normaliser small integers.
void fill_field(Case& c, Draw& draw) {
  c.parameters["normaliser"] = static_cast<double>(1 + draw.below(64));
  c.parameters["eps"] = static_cast<double>(1 + draw.below(64));
  for (auto& [name, tensor] : c.inputs) {
    if (tensor.format() == Format::gf61)
      for (F61& x : tensor.as<F61>()) x = draw.element<F61>();
    if (tensor.format() == Format::gf31)
      for (F31& x : tensor.as<F31>()) x = draw.element<F31>();
  }
}

const std::vector<Family>& feature_attention_families() {
  static const std::vector<Family> families = {
      {"circle", "features of uniform circle points and labels, v uniform", false, false, fill_random_features},
      {"field", "free elements of a prime field: the kernel must equal its definition", false, true, fill_field}};
  return families;
}

const std::vector<Family>& attention_families() {
  static const std::vector<Family> families = {{"bell",
                                                "q, k bell-shaped of variance 1, v uniform: what a trained layer sees",
                                                false, false, from(bell, bell, uniform)}};
  return families;
}

}  // namespace

std::span<const Family> sanatan_families(const Operator& op) {
  if (&op == &sanatan_attention()) return attention_families();
  if (&op == &sanatan_feature_attention()) return feature_attention_families();
  throw std::invalid_argument(std::string(op.name) + ": no input families");
}

}  // namespace assay::operators
