#include "problem/case_mix.hpp"

#include <algorithm>
#include <array>

namespace assay {
namespace {

using enum Axis;

/// Widths met in practice and their neighbours; a quarter of the draws is 64 or more.
constexpr std::array<std::int64_t, 16> widths = {1, 2, 3, 4, 5, 8, 12, 16, 17, 24, 32, 33, 64, 80, 96, 128};

std::int64_t draw_width(Draw& draw, std::string_view name, std::int64_t limit) {
  return std::min(draw.pick<std::int64_t>(name, widths), limit);
}

std::int64_t draw_work(Draw& draw) {
  const std::uint64_t percent = draw.below(100);
  const std::size_t bin = percent < 60 ? 0 : percent < 90 ? 1 : percent < 99 ? 2 : 3;
  const std::int64_t low = bin == 0 ? 1000 : work_bins[bin - 1];
  return low + static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(work_bins[bin] - low)));
}

/// The definition takes T² scores: longer sequences belong to drift.
constexpr std::int64_t longest = 2048;

/// A length at a chunk's edge, or any; at most `limit`.
std::int64_t draw_length(Draw& draw, std::int64_t chunk, std::int64_t limit) {
  const std::array<std::int64_t, 8> edges = {0, 1, 2, chunk - 1, chunk, chunk + 1, 2 * chunk + 1, 5 * chunk};
  const std::int64_t any = draw.size("T", 0, limit);
  if (draw.below(2) == 0) return any;
  return std::min(draw.pick<std::int64_t>("T at an edge", edges), limit);
}

/// Lengths of N packed sequences that sum to T, some of them perhaps 0.
void draw_bounds(Case& c, Draw& draw) {
  const auto bounds = c.inputs.at("cu_seqlens").as<std::int64_t>();
  const std::int64_t n = c.sizes[sequences];
  for (std::int64_t i = 1; i < n; ++i) bounds[static_cast<std::size_t>(i)] = draw.size("cut", 0, c.sizes[time]);
  std::ranges::sort(bounds.subspan(1, static_cast<std::size_t>(n) - 1));
  bounds[0] = 0;
  bounds[static_cast<std::size_t>(n)] = c.sizes[time];
}

void draw_sizes(Case& c, const Kernel& kernel, Draw& draw, bool packed) {
  const Limits& limits = kernel.limits;
  c.sizes[feature] = draw_width(draw, "d", limits.feature);
  c.sizes[value] = draw_width(draw, "dv", limits.value);
  c.sizes[channel] = draw.pick<std::int64_t>("c", limits.channels);
  const std::int64_t a_token = 2 * c.sizes[channel] * c.sizes[feature] * c.sizes[value];
  const std::int64_t tokens = std::max<std::int64_t>(1, draw_work(draw) / a_token);
  c.sizes[head] = draw.size("H", 1, std::min<std::int64_t>(4, tokens));
  const std::int64_t of_a_head = tokens / c.sizes[head];
  c.sizes[batch] = packed ? 1 : draw.size("B", 1, std::min<std::int64_t>(3, of_a_head));
  c.sizes[time] =
      limits.one_token
          ? 1
          : draw_length(draw, std::max<std::int64_t>(kernel.contract.chunk, 16),
                        std::clamp<std::int64_t>(of_a_head / c.sizes[batch], 1, is_field(c.element) ? 256 : longest));
  c.sizes[sequences] = packed ? draw.size("N", 1, 4) : c.sizes[batch];
  c.sizes[bounds] = c.sizes[sequences] + 1;
}

}  // namespace

std::int64_t work_of(const Case& c) {
  return 2 * c.sizes[batch] * c.sizes[time] * c.sizes[head] * c.sizes[channel] * c.sizes[feature] * c.sizes[value];
}

void add_tensors(Case& c, const std::function<bool(const TensorSpec&)>& wanted) {
  for (const TensorSpec& spec : c.op->tensors)
    if (!is_output(spec.role) && (!spec.optional || wanted(spec)))
      c.inputs.emplace(spec.name, Tensor(c.format_of(spec, c.element), spec.shape(c.sizes)));
}

Case make_case(const Kernel& kernel, const Family& family, std::uint64_t seed) {
  Draw draw(seed, std::string(kernel.op->name) + "/" + std::string(family.name), 0);
  Case c;
  c.op = kernel.op;
  c.family = family.name;
  c.seed = seed;
  c.element = family.field ? Format::gf61 : kernel.contract.input;
  const bool packed = kernel.limits.ragged && !kernel.limits.one_token && draw.below(4) == 0;
  const bool resumed = kernel.limits.initial_state && draw.below(3) == 0;
  const bool shifted = draw.below(4) == 0;
  draw_sizes(c, kernel, draw, packed);
  if (std::ranges::find(kernel.op->parameters, "p", &ParameterSpec::name) != kernel.op->parameters.end())
    c.parameters["p"] = static_cast<double>(draw.pick<std::int64_t>("p", kernel.limits.powers));
  add_tensors(c, [&](const TensorSpec& spec) {
    if (spec.role == Role::bounds) return packed;
    if (spec.role == Role::initial_state) return resumed;
    return shifted;
  });
  if (packed) draw_bounds(c, draw);
  family.fill(c, draw);
  return c;
}

}  // namespace assay
