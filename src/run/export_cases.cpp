#include "run/export_cases.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "problem/case_mix.hpp"
#include "problem/exchange.hpp"
#include "problem/families.hpp"
#include "run/glob.hpp"

namespace assay {
namespace {

using enum Axis;

constexpr std::int64_t usual_chunk = 64;

/// What exact families fit their widths to: the narrowest arithmetic that inputs of the format meet.
Contract narrowest_contract(Format element) {
  if (element == Format::f32) return {.algorithm = Algorithm::chunk, .product = Product::tf32, .chunk = usual_chunk};
  return {.algorithm = Algorithm::chunk,
          .input = element,
          .product = element == Format::bf16 ? Product::bf16 : Product::fp16,
          .features = element,
          .weights = element,
          .state_operand = element,
          .output = element,
          .chunk = usual_chunk};
}

std::vector<const Family*> families_for(const Export& order) {
  std::vector<const Family*> families;
  for (const Family& family : families_of(*order.op)) {
    const bool has_values = family.standard == Standard::bound || family.standard == Standard::exact;
    if (has_values && !(family.resumed && order.from_zero) && matches(order.family, family.name))
      families.push_back(&family);
  }
  return families;
}

std::int64_t draw_up_to(Draw& draw, std::int64_t most) {
  return 1 + static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(most)));
}

/// The largest in half of the cases.
std::int64_t draw_width(Draw& draw, std::int64_t most) {
  if (draw.below(2) == 0) return most;
  std::vector<std::int64_t> widths;
  for (std::int64_t width = 16; width <= most; width *= 2) widths.push_back(width);
  return widths.empty() ? most : widths[draw.below(widths.size())];
}

/// In one case of two at the edge of a chunk; else any.
std::int64_t draw_length(Draw& draw, std::int64_t most) {
  constexpr std::array<std::int64_t, 8> edges = {1, 16, 63, 64, 65, 127, 128, 129};
  if (draw.below(2) == 0) return std::min(edges[draw.below(edges.size())], most);
  return draw_up_to(draw, most);
}

/// Ends of up to four sequences packed into T tokens, rising from 0.
std::vector<std::int64_t> draw_ends(Draw& draw, std::int64_t T) {
  std::vector<std::int64_t> ends(draw.below(4), 0);
  for (std::int64_t& end : ends) end = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(T) + 1));
  ends.push_back(0);
  ends.push_back(T);
  std::ranges::sort(ends);
  return ends;
}

void set_parameters(Case& c) {
  for (const ParameterSpec& spec : c.op->parameters) {
    if (spec.name == "C") c.parameters["C"] = usual_chunk;
    if (spec.name == "p") c.parameters["p"] = 1;
  }
}

/// Blocks of 64 tokens, of which a query selects up to 16.
void set_blocks(Case& c) {
  c.parameters["b"] = 64;
  c.sizes[block] = blocks_of(c.sizes[Axis::time], 64);
  if (c.op->uses(slot)) c.sizes[slot] = std::min<std::int64_t>(c.sizes[block], 16);
}

/// Sizes and parameters; of the tensors the ends of packed sequences alone.
Case draw_outline(const Export& order, const Family& family, Draw& draw, std::uint64_t seed) {
  Case c;
  c.op = order.op;
  c.family = family.name;
  c.seed = seed;
  c.standard = family.standard;
  c.element = order.element;
  const bool packed = order.ragged && draw.below(4) == 0;
  c.sizes[Axis::time] = draw_length(draw, order.tokens);
  c.sizes[batch] = packed ? 1 : draw_up_to(draw, 2);
  c.sizes[head] = draw_up_to(draw, order.heads);
  c.sizes[feature] = c.op->uses(feature) ? draw_width(draw, order.width) : 1;
  c.sizes[value] = c.op->uses(value) ? draw_width(draw, order.width) : 1;
  c.sizes[channel] = c.op->uses(channel) ? 6 : 1;
  const std::vector<std::int64_t> ends = packed ? draw_ends(draw, c.sizes[Axis::time]) : std::vector<std::int64_t>();
  c.sizes[sequences] = packed ? static_cast<std::int64_t>(ends.size()) - 1 : c.sizes[batch];
  c.sizes[bounds] = c.sizes[sequences] + 1;
  set_parameters(c);
  if (c.op->uses(group)) c.sizes[group] = draw_up_to(draw, order.group);
  if (c.op->uses(block)) set_blocks(c);
  if (!packed) return c;
  Tensor& tensor = c.inputs.emplace("cu_seqlens", Tensor(Format::i64, {c.sizes[bounds]})).first->second;
  std::ranges::copy(ends, tensor.as<std::int64_t>().begin());
  return c;
}

}  // namespace

bool has_families(const Export& order) { return !families_for(order).empty(); }

Case exported_case(const Export& order, std::uint64_t i) {
  const std::vector<const Family*> families = families_for(order);
  const Family& family = *families[i % families.size()];
  const std::uint64_t seed = Draw(order.seed, "exported case", i).bits() >> 11;  // exact as a JSON number
  Draw draw(seed, fmt::format("{}/{}/exported", order.op->name, family.name), 0);
  Case c = draw_outline(order, family, draw, seed);
  const bool resumed = !order.from_zero && (family.resumed || draw.below(3) == 0);
  add_tensors(c, [&](const TensorSpec& spec) {
    return spec.role == Role::input || (spec.role == Role::initial_state && resumed);
  });
  family.fill(c, draw, narrowest_contract(order.element));
  return c;
}

void export_cases(const Export& order, const std::filesystem::path& folder) {
  for (std::uint64_t i = 0; i < order.cases; ++i) {
    const Case c = exported_case(order, i);
    write_case({c, "", ""}, folder / fmt::format("{:04}-{}", i + 1, c.family));
  }
}

}  // namespace assay
