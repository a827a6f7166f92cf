#include "problem/operators/sanatan_families.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "problem/operators/sanatan.hpp"
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

const std::vector<Family>& attention_families() {
  static const std::vector<Family> families = {
      {"bell", "q, k bell-shaped of variance 1, v uniform: what a trained layer sees", false, false,
       from(bell, bell, uniform)}};
  return families;
}

}  // namespace

std::span<const Family> sanatan_families(const Operator& op) {
  if (&op == &sanatan_attention()) return attention_families();
  throw std::invalid_argument(std::string(op.name) + ": no input families");
}

}  // namespace assay::operators
