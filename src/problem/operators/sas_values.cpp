#include "problem/operators/sas_values.hpp"

#include <algorithm>
#include <vector>

#include "problem/case_mix.hpp"
#include "problem/values.hpp"

namespace assay::operators {
namespace {

using enum Axis;

constexpr std::int64_t queries_a_choice = 64;

/// `count` of the blocks 0 ... history - 1, each set as likely as another, in ascending order.
std::vector<std::int64_t> drawn_blocks(Draw& draw, std::int64_t history, std::int64_t count) {
  std::vector<std::int64_t> blocks;
  for (std::int64_t m = 0; m < history && count > 0; ++m) {
    if (static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(history - m))) >= count) continue;
    blocks.push_back(m);
    --count;
  }
  return blocks;
}

}  // namespace

void for_each_query(const Case& c, const std::function<void(const QueryRow&)>& use) {
  const bool of_tokens = has_rows_of_tokens(*c.op);
  std::int64_t index = 0;
  for (std::int64_t n = 0; n < c.sequences(); ++n) {
    const auto [begin, end] = c.tokens_of(n);
    for (std::int64_t visible = of_tokens ? 1 : end - begin; visible <= end - begin; ++visible)
      for (std::int64_t h = 0; h < c.sizes[head]; ++h) use({visible, h, index++});
  }
}

std::int64_t history_of(const Case& c, const QueryRow& query) {
  return std::max<std::int64_t>(query.visible - 1, 0) / static_cast<std::int64_t>(c.parameter("b"));
}

void fill_selection(Case& c, Draw& draw) {
  const auto found = c.inputs.find("selected");
  if (found == c.inputs.end()) return;
  const auto selected = found->second.as<std::int64_t>();
  std::ranges::fill(selected, -1);
  const std::int64_t slots = c.sizes[slot];
  const bool shared = draw.below(2) == 0;
  std::vector<std::vector<std::int64_t>> choice(static_cast<std::size_t>(c.sizes[head]));
  for_each_query(c, [&](const QueryRow& row) {
    std::vector<std::int64_t>& blocks = choice[static_cast<std::size_t>(row.head)];
    if (!shared || row.visible % queries_a_choice <= 1) blocks = drawn_blocks(draw, history_of(c, row), slots);
    std::ranges::copy(blocks, selected.begin() + row.index * slots);
  });
}

void fill_gates(Case& c, Draw& draw, double (*log_gate)(Draw&)) {
  const auto found = c.inputs.find("log_gate");
  if (found != c.inputs.end()) fill(found->second, [&](auto) { return log_gate(draw); });
}

void draw_normalisation(Case& c, Draw& draw) {
  const std::uint64_t quarter = draw.below(4);
  c.parameters["normalisation"] = quarter < 2 ? 0 : static_cast<double>(quarter - 1);
}

Filler same_for_blocks(double (*value)(Draw&)) {
  return [value](Tensor& tensor, const Case& c, Draw& draw) {
    double of_row = 0;
    fill(tensor, [&](std::int64_t i) { return i % c.sizes[block] == 0 ? of_row = value(draw) : of_row; });
  };
}

}  // namespace assay::operators
