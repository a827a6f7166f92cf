#include <numbers>
#include <vector>

#include "problem/operators/sanatan_families.hpp"
#include "problem/operators/sanatan_values.hpp"
#include "problem/values.hpp"

// Families of the operators that compute features from tokens.

namespace assay::operators {
namespace {

constexpr double pi = std::numbers::pi;

/// omega about pi/4, lambda below 1/100 in size, gamma: what training starts from.
void plain_angles(Case& c, Draw& draw) {
  fill(c.inputs.at("omega"), [&](auto) { return pi / 4 + uniform(draw) / 4; });
  fill(c.inputs.at("lambda"), [&](auto) { return uniform(draw) / 128; });
  if (c.has("t0")) fill(c.inputs.at("t0"), [&](auto) { return static_cast<double>(draw.below(2048)); });
}

/// t lambda up to 2^14: by a late first position, or by fast rotation.
void large_angles(Case& c, Draw& draw) {
  plain_angles(c, draw);
  if (c.has("t0"))
    fill(c.inputs.at("t0"), [&](auto) { return static_cast<double>(draw.below((1u << 20) + 1)); });
  else
    fill(c.inputs.at("lambda"), [&](auto) { return scaled_dyadic(draw, -4, 3); });
}

/// gamma = 10: labels reach 1 - 2^-39, in f32 they are 1.
void steep_labels(Case& c, Draw& draw) {
  plain_angles(c, draw);
  c.parameters["gamma"] = 10;
}

void no_rotation(Case& c, Draw& draw) {
  plain_angles(c, draw);
  fill(c.inputs.at("lambda"), [](auto) { return 0.0; });
}

/// A token whose content angle is `anchor` - omega, up to `spread`: pi x / (1 + |x|) is it for
/// x = angle / (pi - |angle|).
template <class Anchor>
Filler at_angle(Anchor anchor, double spread) {
  return [=](Tensor& tensor, const Case& c, Draw& draw) {
    const Tensor& omega = c.inputs.at("omega");
    fill(tensor, [&](std::int64_t i) {
      double angle = anchor(draw) - omega.value(i % omega.count()) + spread * uniform(draw);
      if (angle > pi) angle -= 2 * pi;
      if (angle < -pi) angle += 2 * pi;
      return angle / (pi - (angle < 0 ? -angle : angle));
    });
  };
}

// r = tanh(gamma sqrt(2) cos(theta + omega + pi/4)); within 3/4 of its extremes gamma = 10 makes it ±1 in f32.
Filler positive_labels() {
  return at_angle([](Draw&) { return -pi / 4; }, 0.75);
}
Filler negative_labels() {
  return at_angle([](Draw&) { return 3 * pi / 4; }, 0.75);
}
Filler boundary_labels() {
  return at_angle([](Draw& draw) { return draw.below(2) == 0 ? pi / 4 : -3 * pi / 4; }, 0x1p-20);
}

using Angles = void (*)(Case&, Draw&);

/// A family of sanatan.attention.
auto attention(Filler q, Filler k, Filler v, Angles angles = plain_angles) {
  return [=](Case& c, Draw& draw, const Contract&) {
    set_parameters(c, draw);
    angles(c, draw);
    q(c.inputs.at("q"), c, draw);
    k(c.inputs.at("k"), c, draw);
    v(c.inputs.at("v"), c, draw);
    fill_history(c, draw, static_cast<double>(1 + draw.below(64)));
  };
}

/// A family of sanatan.features.
auto features(Filler x, Angles angles = plain_angles) {
  return [=](Case& c, Draw& draw, const Contract&) {
    set_parameters(c, draw);
    angles(c, draw);
    x(c.inputs.at("x"), c, draw);
  };
}

/// The same with values that are no numbers, or the largest.
template <class Fill>
auto with_specials(Fill fill) {
  return [=](Case& c, Draw& draw, const Contract& contract) {
    fill(c, draw, contract);
    plant_specials(c, draw);
  };
}

}  // namespace

std::span<const Family> sanatan_attention_families() {
  static const Filler bells = each(bell), uniforms = each(uniform);
  static const std::vector<Family> families = {
      {.name = "bell",
       .statement = "q, k bell-shaped of variance 1, v uniform: what a trained layer sees",
       .fill = attention(bells, bells, uniforms)},
      {.name = "uniform", .statement = "q, k, v uniform in [-1, 1)", .fill = attention(uniforms, uniforms, uniforms)},
      {.name = "peaked",
       .statement = "most of q, k about 2^-11, one entry in eight up to 64",
       .fill = attention(each(peaked), each(peaked), uniforms)},
      {.name = "huge",
       .statement = "|q|, |k| from 2^20 to 2^41: angles round to ±pi",
       .fill = attention(each(huge), each(huge), uniforms)},
      {.name = "tiny", .statement = "q, k, v down to 2^-40", .fill = attention(each(tiny), each(tiny), each(tiny))},
      {.name = "cancelling",
       .statement = "equal keys in pairs with opposite values: o is far below |v|",
       .fill = attention(bells, same_for_pairs(bell), nearly_cancelling, no_rotation)},
      {.name = "equal_keys",
       .statement = "one key for all tokens of a head",
       .fill = attention(bells, same_for_all_tokens(bell), uniforms)},
      {.name = "zero_keys",
       .statement = "three entries of k in four are 0",
       .fill = attention(bells, each(mostly_zero), uniforms)},
      {.name = "one_hot",
       .statement = "one entry of every q, k and v is not 0",
       .fill = attention(one_hot(bell), one_hot(bell), one_hot(uniform))},
      {.name = "subnormal",
       .statement = "v and q below the normal numbers",
       .fill = attention(each(subnormal), bells, each(subnormal))},
      {.name = "constant_values",
       .statement = "v is one power of two: o must come out near it",
       .fill = attention(bells, bells, one_power_of_two)},
      {.name = "opposite_labels",
       .statement = "labels of q saturate at 1, those of k at -1: the normaliser is near zero",
       .fill = attention(positive_labels(), negative_labels(), uniforms, steep_labels)},
      {.name = "boundary_labels",
       .statement = "angles where r = 0, within 2^-20",
       .fill = attention(boundary_labels(), boundary_labels(), uniforms, steep_labels)},
      {.name = "large_angles",
       .statement = "rotations by up to 2^14, t0 up to 2^20",
       .fill = attention(bells, bells, uniforms, large_angles)},
      {.name = "specials",
       .statement = "a few NaN, infinities and largest numbers among bell-shaped ones",
       .standard = Standard::laws,
       .fill = with_specials(attention(bells, bells, uniforms))}};
  return families;
}

std::span<const Family> sanatan_features_families() {
  static const std::vector<Family> families = {
      {.name = "bell",
       .statement = "x bell-shaped of variance 1: what a trained layer sees",
       .fill = features(each(bell))},
      {.name = "uniform", .statement = "x uniform in [-1, 1)", .fill = features(each(uniform))},
      {.name = "peaked",
       .statement = "most of x about 2^-11, one entry in eight up to 64",
       .fill = features(each(peaked))},
      {.name = "huge", .statement = "|x| from 2^20 to 2^41: angles round to ±pi", .fill = features(each(huge))},
      {.name = "tiny", .statement = "x down to 2^-40", .fill = features(each(tiny))},
      {.name = "zero_keys", .statement = "three entries of x in four are 0", .fill = features(each(mostly_zero))},
      {.name = "subnormal", .statement = "x below the normal numbers", .fill = features(each(subnormal))},
      {.name = "saturated_labels",
       .statement = "labels are 1 in f32",
       .fill = features(positive_labels(), steep_labels)},
      {.name = "boundary_labels",
       .statement = "angles where r = 0, within 2^-20",
       .fill = features(boundary_labels(), steep_labels)},
      {.name = "large_angles",
       .statement = "rotations by up to 2^14, t0 up to 2^20",
       .fill = features(each(bell), large_angles)},
      {.name = "specials",
       .statement = "a few NaN, infinities and largest numbers among bell-shaped ones",
       .standard = Standard::laws,
       .fill = with_specials(features(each(bell)))}};
  return families;
}

}  // namespace assay::operators
