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
constexpr int bits_of_scores = 23;  ///< of blocks, so that differences have 24

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

/// Whether a query reads token j of those that it sees: its own block, and those that it selects unless they are
/// closed.
bool reads(const Case& c, const QueryRow& query, std::int64_t j) {
  if (!c.op->uses(slot)) return true;
  const auto b = static_cast<std::int64_t>(c.parameter("b"));
  if (j / b == (query.visible - 1) / b) return true;
  const auto selected =
      c.inputs.at("selected")
          .as<std::int64_t>()
          .subspan(static_cast<std::size_t>(query.index * c.sizes[slot]), static_cast<std::size_t>(c.sizes[slot]));
  if (std::ranges::find(selected, j / b) == selected.end()) return false;
  return !c.has("log_gate") || c.inputs.at("log_gate").value(query.index * c.sizes[block] + j / b) == 0;
}

struct Winner {
  std::int64_t key;  ///< counted from the sequence's first
  double score;
};

/// The key of the highest score that query g of a row reads; q has one entry other than 0.
Winner winner_of(const Case& c, const QueryRow& query, std::int64_t first_key, std::int64_t g) {
  const Tensor &q = c.inputs.at("q"), &k = c.inputs.at("k");
  const std::int64_t d = c.sizes[feature], row = (query.index * c.sizes[group] + g) * d;
  std::int64_t f = 0;
  while (q.value(row + f) == 0) ++f;
  Winner first{0, -std::numeric_limits<double>::infinity()};
  for (std::int64_t j = 0; j < query.visible; ++j) {
    const double score =
        c.parameter("scale") * q.value(row + f) * k.value(((first_key + j) * c.sizes[head] + query.head) * d + f);
    if (score > first.score && reads(c, query, j)) first = {j, score};
  }
  return first;
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

void fill_gradients_of_winners(Case& c, Draw& draw, const Contract& contract) {
  const int bits = std::min(
      {float_format(c.element).precision, bits_of_factors(contract, false), float_format(contract.output).precision});
  Tensor &v = c.inputs.at("v"), &o = c.inputs.at("o"), &lse = c.inputs.at("lse"), &d_output = c.inputs.at("do");
  const std::int64_t H = c.sizes[head], G = c.sizes[group], dv = c.sizes[value];
  // Products with a number of full width have as many bits as it has where the value is a power of two.
  fill(v, [&](std::int64_t i) { return v.value(i) < 0 ? std::copysign(0x1p4, v.value(i)) : v.value(i); });
  std::vector<bool> is_met(static_cast<std::size_t>(v.count() / dv), false);
  // Outside, d log g sums numbers of full width over the heads of a group.
  const bool one_head_a_row = c.op->uses(slot) && c.parameter("position") == 1;
  for_each_query(c, [&](const QueryRow& query) {
    const std::int64_t first_key = query.index / H + 1 - query.visible;
    bool has_loss = false;
    for (std::int64_t g = 0; g < G; ++g) {
      const std::int64_t row = query.index * G + g;
      const Winner winner = winner_of(c, query, first_key, g);
      lse.set(row, winner.score);
      const std::int64_t key = (first_key + winner.key) * H + query.head;
      for (std::int64_t i = 0; i < dv; ++i) o.set(row * dv + i, v.value(key * dv + i));
      if (is_met[static_cast<std::size_t>(key)] || (one_head_a_row && has_loss)) continue;
      is_met[static_cast<std::size_t>(key)] = has_loss = true;
      const auto i = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(dv)));
      const double met = v.value(key * dv + i);
      const bool narrow = std::abs(met) == 0x1p4;
      d_output.set(row * dv + i, narrow ? full_width(draw, bits) : signed_one(draw));
      if (!narrow) o.set(row * dv + i, met - 1);
    }
  });
}

void fill_scores_of_winners(Case& c, Draw& draw, const Contract&) {
  draw_normalisation(c, draw);
  Tensor& scores = c.inputs.at("scores");
  const std::int64_t blocks = c.sizes[block];
  for (std::int64_t first = 0; first < scores.count(); first += blocks) {
    const std::vector<double> levels = drawn_levels(draw, static_cast<std::size_t>(blocks), bits_of_scores);
    for (std::int64_t m = 0; m < blocks; ++m)
      scores.set(first + m, levels[static_cast<std::size_t>(m)] + open_or_closed(draw));
  }
}

void fill_open_and_closed_gates(Case& c, Draw& draw, const Contract&) {
  draw_normalisation(c, draw);
  fill(c.inputs.at("log_gate"), [&](auto) { return open_or_closed(draw); });
  const std::int64_t largest = (std::int64_t{1} << 23) / std::max<std::int64_t>(c.sizes[block], 1);
  fill(c.inputs.at("d_gate"), [&](auto) {
    return static_cast<double>(static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(2 * largest + 1))) -
                               largest);
  });
}

}  // namespace assay::operators::sas_exact
