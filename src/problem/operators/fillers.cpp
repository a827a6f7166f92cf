#include "problem/operators/fillers.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "problem/values.hpp"

namespace assay::operators {
namespace {

using enum Axis;

/// Elements of one token: [H, width].
std::int64_t elements_of_a_token(const Tensor& tensor) {
  return tensor.count() / (tensor.shape()[0] * tensor.shape()[1]);
}

double special(Draw& draw) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::array<double, 4> specials = {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity, 0x1.fep127};
  return specials[draw.below(specials.size())];
}

}  // namespace

Filler each(double (*value)(Draw&)) {
  return [value](Tensor& tensor, const Case&, Draw& draw) { fill(tensor, [&](auto) { return value(draw); }); };
}

Filler same_for_all_tokens(double (*value)(Draw&)) {
  return [value](Tensor& tensor, const Case&, Draw& draw) {
    if (tensor.count() == 0) return;
    std::vector<double> token(static_cast<std::size_t>(elements_of_a_token(tensor)));
    for (double& x : token) x = value(draw);
    fill(tensor, [&](std::int64_t i) { return token[static_cast<std::size_t>(i) % token.size()]; });
  };
}

Filler same_for_pairs(double (*value)(Draw&)) {
  return [value](Tensor& tensor, const Case&, Draw& draw) {
    if (tensor.count() == 0) return;
    std::vector<double> token(static_cast<std::size_t>(elements_of_a_token(tensor)));
    fill(tensor, [&](std::int64_t i) {
      double& x = token[static_cast<std::size_t>(i) % token.size()];
      if (i / static_cast<std::int64_t>(token.size()) % 2 == 0) x = value(draw);
      return x;
    });
  };
}

Filler two_tokens_in_turn(double (*value)(Draw&)) {
  return [value](Tensor& tensor, const Case&, Draw& draw) {
    if (tensor.count() == 0) return;
    std::vector<double> tokens(static_cast<std::size_t>(2 * elements_of_a_token(tensor)));
    std::ranges::generate(tokens, [&] { return value(draw); });
    fill(tensor, [&](std::int64_t i) { return tokens[static_cast<std::size_t>(i) % tokens.size()]; });
  };
}

Filler with_first_entry(const Filler& filler, double (*first)(Draw&)) {
  return [filler, first](Tensor& tensor, const Case& c, Draw& draw) {
    filler(tensor, c, draw);
    for (std::int64_t i = 0; i < tensor.count(); i += tensor.shape().back())
      tensor.set(i, shortened(first(draw), tensor.format()));
  };
}

Filler one_hot(double (*value)(Draw&)) {
  return [value](Tensor& tensor, const Case&, Draw& draw) {
    const std::int64_t width = tensor.shape().back();
    for (std::int64_t row = 0; row < tensor.count() / width; ++row) {
      const auto at = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(width)));
      tensor.set(row * width + at, shortened(value(draw), tensor.format()));
    }
  };
}

void nearly_cancelling(Tensor& tensor, const Case& c, Draw& draw) {
  same_for_pairs(uniform)(tensor, c, draw);
  if (tensor.count() == 0) return;
  const std::int64_t width = elements_of_a_token(tensor);
  fill(tensor, [&](std::int64_t i) {
    const double x = tensor.value(i);
    return i / width % 2 == 0 ? x : -x * (1 + uniform(draw) * 0x1p-16);
  });
}

void one_power_of_two(Tensor& tensor, const Case&, Draw& draw) {
  const double value = power_of_two(static_cast<int>(draw.below(41)) - 20);
  fill(tensor, [&](auto) { return value; });
}

double bell(Draw& draw) { return bell_dyadic(draw, value_bits); }
double uniform(Draw& draw) { return uniform_dyadic(draw, value_bits); }
double zero(Draw&) { return 0; }
double mostly_zero(Draw& draw) { return draw.below(4) == 0 ? bell(draw) : 0; }
double peaked(Draw& draw) { return draw.below(8) == 0 ? scaled_dyadic(draw, 3, 5) : scaled_dyadic(draw, -12, -10); }
double huge(Draw& draw) { return scaled_dyadic(draw, 20, 40); }
double tiny(Draw& draw) { return scaled_dyadic(draw, -40, -20); }
double subnormal(Draw& draw) { return scaled_dyadic(draw, -149, -127); }

void plant_specials(Tensor& tensor, Draw& draw) {
  for (std::uint64_t n = tensor.count() == 0 ? 0 : draw.below(4); n > 0; --n)
    tensor.set(static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(tensor.count()))), special(draw));
}

void plant_specials(Case& c, Draw& draw) {
  for (const TensorSpec& spec : c.op->tensors)
    if (spec.storage == Storage::element && spec.role == Role::input)
      plant_specials(c.inputs.at(std::string(spec.name)), draw);
}

}  // namespace assay::operators
