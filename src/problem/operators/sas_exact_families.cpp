#include "problem/operators/sas_exact_families.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "problem/operators/sas_values.hpp"
#include "problem/values.hpp"

namespace assay::operators::sas_exact {
namespace {

using enum Axis;

constexpr double lead = 128;  ///< e^-128 is below a quarter of the least float32
constexpr double largest_score = 0x1p24;

/// Significant bits of numbers that a product of this kind takes whole.
int bits_of_factors(const Contract& contract, bool one_word) {
  switch (contract.product) {
    case Product::fma:
      return 24;
    case Product::bf16:
      return 8;
    case Product::three_tf32:
      return one_word ? 11 : 21;
    default:
      return 11;
  }
}

/// `count` integers of so many bits that are at least `lead` apart, positive and negative, in random order.
std::vector<double> drawn_levels(Draw& draw, std::size_t count, int bits) {
  std::vector<double> levels;
  for (double x = lead; levels.size() < count && x < largest_score;) {
    levels.push_back(x);
    levels.push_back(-x);
    const double next = x + lead + static_cast<double>(draw.below(16));
    const double spacing = std::max(1.0, std::ldexp(1.0, std::ilogb(next) + 1 - bits));
    x = std::ceil(next / spacing) * spacing;
  }
  levels.resize(count, 0);
  for (std::size_t i = count; i > 1; --i) std::swap(levels[i - 1], levels[draw.below(i)]);
  return levels;
}

double signed_one(Draw& draw) { return draw.below(2) == 0 ? 1 : -1; }

/// ±2^(bits-1) to ±(2^bits - 1), the last bit set.
double full_width(Draw& draw, int bits) {
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  return signed_one(draw) * static_cast<double>(top | draw.below(top) | 1);
}

double open(Draw&) { return 0; }
double open_or_closed(Draw& draw) { return draw.below(3) == 0 ? -std::numeric_limits<double>::infinity() : 0; }

void fill_keys(Case& c, Draw& draw, int bits) {
  Tensor& k = c.inputs.at("k");
  const std::int64_t H = c.sizes[head], d = c.sizes[feature];
  for (std::int64_t n = 0; n < c.sequences(); ++n) {
    const auto [begin, end] = c.tokens_of(n);
    for (std::int64_t column = 0; column < H * d; ++column) {
      const std::vector<double> levels = drawn_levels(draw, static_cast<std::size_t>(end - begin), bits);
      for (std::int64_t j = begin; j < end; ++j) k.set(j * H * d + column, levels[static_cast<std::size_t>(j - begin)]);
    }
  }
}

}  // namespace

void fill_winners(Case& c, Draw& draw, const Contract& contract) {
  const int input_bits = float_format(c.element).precision;
  const int value_bits =
      std::min({input_bits, bits_of_factors(contract, false), float_format(contract.output).precision});
  c.parameters["scale"] = static_cast<double>(1 << draw.below(2));
  fill_keys(c, draw, std::min(input_bits, bits_of_factors(contract, true)));
  fill(c.inputs.at("v"), [&](auto) { return full_width(draw, value_bits); });
  Tensor& q = c.inputs.at("q");
  const std::int64_t d = c.sizes[feature];
  for (std::int64_t row = 0; row < q.count() / d; ++row)
    q.set(row * d + static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(d))), signed_one(draw));
  const bool outside = draw.below(2) == 0;
  if (c.op->uses(slot)) c.parameters["position"] = outside ? 1 : 0;
  fill_selection(c, draw);
  fill_gates(c, draw, outside ? open : open_or_closed);
}

}  // namespace assay::operators::sas_exact
