#include <array>
#include <vector>

#include "problem/operators/sanatan_exact_families.hpp"
#include "problem/operators/sanatan_families.hpp"
#include "problem/operators/sanatan_values.hpp"
#include "problem/values.hpp"

// Families of sanatan.feature_attention: features are given.

namespace assay::operators {
namespace {

using enum Axis;

double free_label(Draw& draw) { return uniform(draw); }
double hard_label(Draw& draw) { return draw.below(2) == 0 ? 1 : -1; }
double positive_label(Draw&) { return 1; }
double negative_label(Draw&) { return -1; }
double no_label(Draw&) { return 0; }

/// Features of tokens: in every dimension a circle point ((1 - x²)/(1 + x²), 2x/(1 + x²)) and a label.
Filler circle(double (*label)(Draw&)) {
  return [label](Tensor& phi, const Case& c, Draw& draw) {
    const std::int64_t d = c.sizes[feature], channels = c.sizes[channel];
    for (std::int64_t token = 0; token < phi.count() / (channels * d); ++token) {
      for (std::int64_t a = 0; a < d; ++a) {
        const double x = 4 * uniform(draw), r = label(draw);
        const double cosine = (1 - x * x) / (1 + x * x), sine = 2 * x / (1 + x * x);
        const std::array<double, 6> six = {1, cosine, sine, r, r * cosine, r * sine};
        const std::array<double, 4> four = {1, r, r * cosine, r * sine};
        for (std::int64_t n = 0; n < channels; ++n) {
          const auto at = static_cast<std::size_t>(n);
          phi.set((token * channels + n) * d + a, shortened(channels == 4 ? four[at] : six[at], phi.format()));
        }
      }
    }
  };
}

/// Tokens 2n and 2n + 1 are equal.
Filler circle_in_pairs() {
  return [](Tensor& phi, const Case& c, Draw& draw) {
    circle(free_label)(phi, c, draw);
    const std::int64_t width = c.sizes[head] * c.sizes[channel] * c.sizes[feature];
    for (std::int64_t i = 0; i < phi.count(); ++i)
      if (i / width % 2 == 1) phi.set(i, phi.value(i - width));
  };
}

auto attention(Filler q, Filler k, Filler v, double most_tokens = 64) {
  return [=](Case& c, Draw& draw, const Contract&) {
    set_parameters(c, draw);
    q(c.inputs.at("phi_q"), c, draw);
    k(c.inputs.at("phi_k"), c, draw);
    v(c.inputs.at("v"), c, draw);
    fill_history(c, draw, 1 + static_cast<double>(draw.below(static_cast<std::uint64_t>(most_tokens))));
  };
}

template <class F>
void free_elements(Tensor& tensor, Draw& draw) {
  for (F& x : tensor.as<F>()) x = draw.element<F>();
}

/// Every element free; eps and the normaliser small integers.
void fill_field(Case& c, Draw& draw, const Contract&) {
  c.parameters["normaliser"] = static_cast<double>(1 + draw.below(64));
  c.parameters["eps"] = static_cast<double>(1 + draw.below(64));
  for (auto& [name, tensor] : c.inputs) {
    if (tensor.format() == Format::gf61) free_elements<F61>(tensor, draw);
    if (tensor.format() == Format::gf31) free_elements<F31>(tensor, draw);
  }
}

}  // namespace

std::span<const Family> sanatan_feature_attention_families() {
  static const Filler free = circle(free_label), uniforms = each(uniform);
  static const std::vector<Family> families = {
      {.name = "circle",
       .statement = "features of uniform circle points and labels, v uniform",
       .fill = attention(free, free, uniforms)},
      {.name = "hard_labels",
       .statement = "labels are 1 or -1: half of the dimensions of a pair are closed",
       .fill = attention(circle(hard_label), circle(hard_label), uniforms)},
      {.name = "opposite_labels",
       .statement = "labels of q are 1, those of k -1: the normaliser is near zero",
       .fill = attention(circle(positive_label), circle(negative_label), uniforms)},
      {.name = "no_labels",
       .statement = "r = 0: phases alone",
       .fill = attention(circle(no_label), circle(no_label), uniforms)},
      {.name = "cancelling",
       .statement = "equal keys in pairs with opposite values: o is far below |v|",
       .fill = attention(free, circle_in_pairs(), nearly_cancelling)},
      {.name = "constant_values",
       .statement = "v is one power of two: o must come out near it",
       .fill = attention(free, free, one_power_of_two)},
      {.name = "subnormal", .statement = "v below the normal numbers", .fill = attention(free, free, each(subnormal))},
      {.name = "history",
       .statement = "the initial state is of up to 2^16 tokens",
       .resumed = true,
       .fill = attention(free, free, uniforms, 0x1p16)},
      {.name = "exact_small",
       .statement = "integers of at most 8 bits and powers of two: nothing rounds, in any order",
       .standard = Standard::exact,
       .fill = fill_exact_small},
      {.name = "exact_full",
       .statement = "nothing rounds, in any order, but every bit of the contract's formats is needed",
       .standard = Standard::exact,
       .fill = fill_exact_full},
      {.name = "field",
       .statement = "free elements of a prime field: the kernel must equal its definition",
       .standard = Standard::field,
       .fill = fill_field},
      {.name = "specials",
       .statement = "a few NaN, infinities and largest numbers among features of circle points",
       .standard = Standard::laws,
       .fill = [](Case& c, Draw& draw, const Contract& contract) {
         attention(circle(free_label), circle(free_label), each(uniform))(c, draw, contract);
         plant_specials(c, draw);
       }}};
  return families;
}

}  // namespace assay::operators
