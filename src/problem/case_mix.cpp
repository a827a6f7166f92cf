#include "problem/case_mix.hpp"

#include <algorithm>
#include <vector>

#include "problem/operators/sas_gradients.hpp"

namespace assay {
namespace {

using enum Axis;

/// Widths met in practice and their neighbours, below and from 64.
constexpr std::array<std::int64_t, 12> narrow_widths = {1, 2, 3, 4, 5, 8, 12, 16, 17, 24, 32, 33};
constexpr std::array<std::int64_t, 5> wide_widths = {64, 65, 80, 96, 128};
constexpr std::int64_t longest = 2048;
constexpr std::int64_t at_length = 256;  ///< NUMERICS asks for a share of cases as long as this

/// Multiply-adds of an element of a pointwise operator.
constexpr std::int64_t pointwise_work = 100;

/// Real products that a complex one takes: maps are composed over complex numbers.
constexpr std::int64_t products_of_complex_ones = 4;

/// Gradients take scores and <do, v> twice, a product for each of dq, dk and dv.
constexpr std::int64_t passes_of_gradients = 4;

bool composes_maps(const Operator& op) { return std::ranges::any_of(op.tensors, &TensorSpec::is_square); }

bool has_optional_inputs(const Operator& op) {
  return std::ranges::any_of(op.tensors,
                             [](const TensorSpec& spec) { return spec.role == Role::input && spec.optional; });
}

/// Lengths of sequences, and everything else that a case's work depends on.
struct Draft {
  Sizes sizes;
  std::vector<std::int64_t> ends;  ///< of packed sequences; empty: one length for all
  std::int64_t block_size = 0;
};

/// What a case must look like: sizes are drawn until it does.
struct Wish {
  std::int64_t least_work, most_work;
  bool wide;            ///< d ≥ 64
  std::int64_t length;  ///< T is above it; 0: at most two chunks
};

std::int64_t work_of(const Sizes& s, const std::vector<std::int64_t>& lengths, const Operator& op,
                     Algorithm algorithm) {
  const bool pointwise = std::ranges::none_of(op.tensors, [](const TensorSpec& spec) { return spec.has(Axis::value); });
  std::int64_t tokens = 0, pairs = 0;
  for (const std::int64_t T : lengths) {
    tokens += T;
    pairs += T * (T + 1) / 2;
  }
  if (pointwise) return pointwise_work * tokens * s[head] * (op.uses(feature) ? s[feature] : s[block]);
  if (composes_maps(op))
    return products_of_complex_ones * tokens * s[head] * s[feature] * s[feature] * (s[feature] + s[value]);
  if (op.uses(group))
    return (has_rows_of_tokens(op) ? pairs : tokens) * s[head] * s[group] * (s[feature] + s[value]) *
           (operators::is_backward(op) ? passes_of_gradients : 1);
  const std::int64_t features = s[channel] * s[feature];
  if (algorithm == Algorithm::parallel) return pairs * s[head] * (features + s[value]);
  return op.state_work * tokens * s[head] * features * s[value];
}

std::vector<std::int64_t> lengths_of(const Draft& draft) {
  if (draft.ends.empty())
    return std::vector<std::int64_t>(static_cast<std::size_t>(draft.sizes[batch]), draft.sizes[time]);
  std::vector<std::int64_t> lengths;
  for (std::int64_t begin = 0; const std::int64_t end : draft.ends) {
    lengths.push_back(end - begin);
    begin = end;
  }
  return lengths;
}

template <std::size_t N>
std::int64_t draw_width(Draw& draw, const std::array<std::int64_t, N>& widths, std::int64_t limit) {
  return std::min(widths[draw.below(N)], limit);
}

/// In [low, high], every doubling as likely as another.
std::int64_t draw_by_doublings(Draw& draw, std::int64_t low, std::int64_t high) {
  std::int64_t top = low;
  while (top < high && draw.below(3) != 0) top = std::min(2 * top, high);
  return low + static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(top - low) + 1));
}

/// A length above the wish's, or one at a chunk's edge or any up to two chunks.
std::int64_t draw_length(Draw& draw, const Wish& wish, std::int64_t chunk) {
  if (wish.length > 0) return draw_by_doublings(draw, wish.length + 1, longest);
  const std::array<std::int64_t, 9> edges = {0, 1, 2, 3, chunk - 1, chunk, chunk + 1, 2 * chunk - 1, 2 * chunk};
  if (draw.below(2) == 0) return edges[draw.below(edges.size())];
  return static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(2 * chunk) + 1));
}

/// Ends of up to four packed sequences of T tokens, some of them perhaps empty; the last is longer than `length`, where
/// that is not 0.
std::vector<std::int64_t> draw_ends(Draw& draw, std::int64_t T, std::int64_t length) {
  const std::int64_t latest = length == 0 ? T : T - length - 1;
  std::vector<std::int64_t> ends(1 + draw.below(4), T);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i)
    ends[i] = draw.below(4) == 0 ? 0 : static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(latest) + 1));
  std::ranges::sort(ends);
  return ends;
}

/// Tokens a block, blocks for the longest sequence, and how many of them a row may select.
void draw_blocks(const Kernel& kernel, Draw& draw, Draft& draft) {
  constexpr std::array<std::int64_t, 8> slots = {0, 1, 1, 2, 3, 4, 8, 16};
  const std::vector<std::int64_t>& sizes = kernel.limits.blocks;
  draft.block_size = sizes[draw.below(sizes.size())];
  draft.sizes[block] = blocks_of(draft.sizes[time], draft.block_size);
  draft.sizes[slot] = slots[draw.below(slots.size())];
  if (draw.below(4) == 0) draft.sizes[slot] = draft.sizes[block] + 1;
}

Draft draw_draft(const Kernel& kernel, Draw& draw, const Wish& wish, bool packed) {
  const Limits& limits = kernel.limits;
  Draft draft;
  Sizes& s = draft.sizes;
  s[feature] =
      wish.wide ? draw_width(draw, wide_widths, limits.feature) : draw_width(draw, narrow_widths, limits.feature);
  s[value] =
      draw.below(3) == 0 ? draw_width(draw, wide_widths, limits.value) : draw_width(draw, narrow_widths, limits.value);
  s[channel] = limits.channels[draw.below(limits.channels.size())];
  if (!kernel.op->uses(channel)) s[channel] = 1;
  s[head] = 1 + static_cast<std::int64_t>(draw.below(4));
  s[batch] = packed ? 1 : draw_by_doublings(draw, 1, limits.one_token ? 64 : 4);
  s[time] = limits.one_token ? 1 : draw_length(draw, wish, two_chunks(kernel) / 2);
  if (packed) draft.ends = draw_ends(draw, s[time], wish.length);
  s[sequences] = packed ? static_cast<std::int64_t>(draft.ends.size()) : s[batch];
  s[bounds] = s[sequences] + 1;
  if (kernel.op->uses(group)) s[group] = std::max<std::int64_t>(1, static_cast<std::int64_t>(draw.below(5)));
  if (kernel.op->uses(block)) draw_blocks(kernel, draw, draft);
  return draft;
}

/// Three tenths of the cases in the smallest bin are wide and others long: both together exceed it. In the others half
/// are wide and, independently, half are long. Half of the long ones have 256 tokens or more. That many of gradients
/// hardly fit the smallest bin, so that three fifths of the others are long, and three fifths of these so long.
Wish draw_wish(const Kernel& kernel, Draw& draw, std::size_t bin) {
  const std::uint64_t percent = draw.below(100);
  const bool smallest = bin == 0;
  const bool wide = percent < (smallest ? 34 : 50);
  const bool often_long = operators::is_backward(*kernel.op);
  const auto half_or_more = [&] { return often_long ? draw.below(5) < 3 : draw.below(2) == 0; };
  const bool is_long = smallest ? percent >= 62 : half_or_more();
  const bool longer = half_or_more();
  const std::int64_t two = two_chunks(kernel);
  return {.least_work = smallest ? 0 : work_bins[bin - 1] + 1,
          .most_work = work_bins[bin],
          .wide = wide && kernel.limits.feature >= wide_widths[0],
          .length = kernel.limits.one_token || !is_long ? 0
                    : longer                            ? std::max(two, at_length - 1)
                                                        : two};
}

/// Sizes as wished; after many draws in vain as wished but for width and length, and then of less work.
Draft draw_sizes(const Kernel& kernel, Draw& draw, bool packed) {
  const std::uint64_t percent = draw.below(100);
  Wish wish = draw_wish(kernel, draw, percent < 60 ? 0 : percent < 90 ? 1 : percent < 99 ? 2 : 3);
  for (int tries = 1;; ++tries) {
    const Draft draft = draw_draft(kernel, draw, wish, packed);
    const std::int64_t work = work_of(draft.sizes, lengths_of(draft), *kernel.op, kernel.contract.algorithm);
    if (work >= wish.least_work && work <= wish.most_work) return draft;
    if (tries == 2000) wish.wide = false, wish.length = 0;
    if (tries == 4000) wish.least_work = 0;
  }
}

bool has_parameter(const Operator& op, std::string_view name) {
  return std::ranges::find(op.parameters, name, &ParameterSpec::name) != op.parameters.end();
}

/// A case without tensors but for the ends of packed sequences, and which optional tensors it is to have.
struct Outline {
  Case c;
  bool packed, resumed, shifted, optional_inputs = false;
};

Outline draw_outline(const Kernel& kernel, const Family& family, Draw& draw, std::uint64_t seed) {
  Outline outline;
  Case& c = outline.c;
  c.op = kernel.op;
  c.family = family.name;
  c.seed = seed;
  c.standard = family.standard;
  c.element = family.standard != Standard::field ? kernel.contract.input
              : draw.below(2) == 0               ? Format::gf61
                                                 : Format::gf31;
  outline.packed = kernel.limits.ragged && !kernel.limits.one_token && draw.below(4) == 0;
  outline.resumed = kernel.limits.initial_state && (family.resumed || draw.below(3) == 0);
  outline.shifted = draw.below(4) == 0;
  const Draft draft = draw_sizes(kernel, draw, outline.packed);
  c.sizes = draft.sizes;
  for (const Axis axis : {feature, value, slot})
    if (!c.op->uses(axis)) c.sizes[axis] = 1;
  if (has_parameter(*c.op, "p"))
    c.parameters["p"] = static_cast<double>(kernel.limits.powers[draw.below(kernel.limits.powers.size())]);
  if (draft.block_size > 0) c.parameters["b"] = static_cast<double>(draft.block_size);
  if (has_optional_inputs(*c.op)) outline.optional_inputs = draw.below(4) != 0;
  if (!outline.packed) return outline;
  Tensor& ends = c.inputs.emplace("cu_seqlens", Tensor(Format::i64, {c.sizes[bounds]})).first->second;
  std::ranges::copy(draft.ends, ends.as<std::int64_t>().begin() + 1);
  return outline;
}

/// Trial 0 draws sizes and values, trial 1 values for sizes that stand.
Draw draw_of(const Operator& op, const Family& family, std::uint64_t seed, std::uint64_t trial) {
  return {seed, std::string(op.name) + "/" + std::string(family.name), trial};
}

}  // namespace

bool has_rows_of_tokens(const Operator& op) {
  return std::ranges::any_of(op.tensors,
                             [](const TensorSpec& spec) { return is_output(spec.role) && spec.has(Axis::time); });
}

std::int64_t two_chunks(const Kernel& kernel) { return 2 * std::max<std::int64_t>(kernel.contract.chunk, 16); }

std::int64_t work_of(const Case& c, Algorithm algorithm) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = 0; n < c.sequences(); ++n) lengths.push_back(c.tokens_of(n).second - c.tokens_of(n).first);
  return work_of(c.sizes, lengths, *c.op, algorithm);
}

std::size_t work_bin_of(const Case& c, Algorithm algorithm) {
  const std::int64_t work = work_of(c, algorithm);
  std::size_t bin = 0;
  while (bin + 1 < work_bins.size() && work > work_bins[bin]) ++bin;
  return bin;
}

std::int64_t blocks_of(std::int64_t tokens, std::int64_t block_size) {
  return std::max<std::int64_t>(1, (tokens + block_size - 1) / block_size);
}

void add_tensors(Case& c, const std::function<bool(const TensorSpec&)>& wanted) {
  for (const TensorSpec& spec : c.op->tensors)
    if (!is_output(spec.role) && (!spec.optional || wanted(spec)))
      c.inputs.emplace(spec.name, Tensor(c.format_of(spec, c.element), spec.shape(c.sizes)));
}

Case make_sizes(const Kernel& kernel, const Family& family, std::uint64_t seed) {
  Draw draw = draw_of(*kernel.op, family, seed, 0);
  return draw_outline(kernel, family, draw, seed).c;
}

Case make_case(const Kernel& kernel, const Family& family, std::uint64_t seed) {
  Draw draw = draw_of(*kernel.op, family, seed, 0);
  Outline outline = draw_outline(kernel, family, draw, seed);
  add_tensors(outline.c, [&](const TensorSpec& spec) {
    if (spec.role == Role::bounds) return outline.packed;
    if (spec.role == Role::initial_state) return outline.resumed;
    if (spec.role == Role::input) return outline.optional_inputs;
    return spec.role == Role::position && outline.shifted;
  });
  family.fill(outline.c, draw, kernel.contract);
  return outline.c;
}

Case refilled(Case c, const Family& family) {
  c.family = family.name;
  for (auto& [name, tensor] : c.inputs)
    if (c.op->find(name)->role != Role::bounds) tensor = Tensor(tensor.format(), tensor.shape());
  Draw draw = draw_of(*c.op, family, c.seed, 1);
  family.fill(c, draw, Contract{.input = c.element});
  return c;
}

}  // namespace assay
