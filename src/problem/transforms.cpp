#include "problem/transforms.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "problem/case_mix.hpp"

namespace assay {
namespace {

const TensorSpec& spec_of(const Case& c, std::string_view name) {
  if (const TensorSpec* spec = c.op->find(name)) return *spec;
  throw std::logic_error(fmt::format("{}: no tensor '{}'", c.op->name, name));
}

bool is_among(const Case& c, const Tensors& tensors, Role role) {
  return std::ranges::any_of(tensors, [&](const auto& entry) { return spec_of(c, entry.first).role == role; });
}

/// Appends the bytes of rows [begin, end) of an array whose rows are `row` bytes.
void append_rows(const Tensor& from, std::int64_t begin, std::int64_t end, std::size_t row, std::byte*& to) {
  const std::span<const std::byte> bytes =
      from.bytes().subspan(static_cast<std::size_t>(begin) * row, static_cast<std::size_t>(end - begin) * row);
  to = std::ranges::copy(bytes, to).out;
}

/// A tensor of tokens or states, put together from those of the stretches.
Tensor gathered_tensor(const Case& c, const TensorSpec& spec, const Tensor& from, std::span<const Stretch> stretches,
                       const Sizes& sizes) {
  Tensor result(from.format(), spec.shape(sizes));
  if (result.count() == 0) return result;
  const bool of_tokens = spec.has(Axis::time);
  const std::int64_t rows = of_tokens ? c.sizes[Axis::batch] * c.sizes[Axis::time] : c.sequences();
  const std::size_t row = from.bytes().size() / static_cast<std::size_t>(rows);
  std::byte* to = result.bytes().data();
  for (const Stretch& s : stretches) {
    const std::int64_t first = of_tokens ? c.tokens_of(s.sequence).first + s.begin : s.sequence;
    append_rows(from, first, of_tokens ? first + s.length() : first + 1, row, to);
  }
  return result;
}

Sizes gathered_sizes(const Case& c, std::span<const Stretch> stretches, Layout layout) {
  Sizes sizes = c.sizes;
  const auto count = static_cast<std::int64_t>(stretches.size());
  sizes[Axis::sequences] = count;
  sizes[Axis::bounds] = count + 1;
  sizes[Axis::batch] = layout == Layout::packed ? 1 : count;
  sizes[Axis::time] = stretches.empty() ? 0 : stretches.front().length();
  if (layout == Layout::packed)
    sizes[Axis::time] = std::accumulate(stretches.begin(), stretches.end(), std::int64_t{0},
                                        [](std::int64_t sum, const Stretch& s) { return sum + s.length(); });
  else if (std::ranges::any_of(stretches, [&](const Stretch& s) { return s.length() != sizes[Axis::time]; }))
    throw std::logic_error("a batch has sequences of one length");
  return sizes;
}

Tensors gathered_tensors(const Case& c, const Tensors& tensors, std::span<const Stretch> stretches,
                         const Sizes& sizes) {
  Tensors result;
  for (const auto& [name, tensor] : tensors) {
    const TensorSpec& spec = spec_of(c, name);
    if (spec.role == Role::bounds) continue;
    const bool gathers = spec.has(Axis::time) || spec.has(Axis::sequences);
    result.emplace(name, gathers ? gathered_tensor(c, spec, tensor, stretches, sizes) : tensor);
  }
  return result;
}

Tensor ends_of(const TensorSpec& spec, std::span<const Stretch> stretches, const Sizes& sizes) {
  Tensor ends(Format::i64, spec.shape(sizes));
  for (std::size_t n = 0; n < stretches.size(); ++n)
    ends.as<std::int64_t>()[n + 1] = ends.as<std::int64_t>()[n] + stretches[n].length();
  return ends;
}

/// Moves the positions to the stretches' beginnings; adds them if one of these is late.
void move_positions(Case& c, std::span<const Stretch> stretches) {
  const bool late = std::ranges::any_of(stretches, [](const Stretch& s) { return s.begin > 0; });
  for (const TensorSpec& spec : c.op->tensors) {
    if (spec.role != Role::position || !(late || c.has(spec.name))) continue;
    Tensor& positions =
        c.inputs.try_emplace(std::string(spec.name), Tensor(Format::i64, spec.shape(c.sizes))).first->second;
    for (std::size_t n = 0; n < stretches.size(); ++n) positions.as<std::int64_t>()[n] += stretches[n].begin;
  }
}

/// The tensor with these indices of one axis, in this order.
Tensor with_indices_at(const Tensor& from, std::size_t at, std::span<const std::int64_t> indices) {
  Shape shape = from.shape();
  const std::int64_t outer = count_of({shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(at)});
  const std::int64_t length = std::exchange(shape[at], static_cast<std::int64_t>(indices.size()));
  Tensor result(from.format(), shape);
  if (result.count() == 0) return result;
  const std::size_t inner = from.bytes().size() / static_cast<std::size_t>(outer * length);
  std::byte* to = result.bytes().data();
  for (std::int64_t i = 0; i < outer; ++i)
    for (const std::int64_t index : indices) append_rows(from, i * length + index, i * length + index + 1, inner, to);
  return result;
}

/// A square matrix has the axis twice.
Tensor with_indices(Tensor tensor, const TensorSpec& spec, Axis axis, std::span<const std::int64_t> indices) {
  for (std::size_t at = 0; at < spec.axes.size(); ++at)
    if (spec.axes[at] == axis) tensor = with_indices_at(tensor, at, indices);
  return tensor;
}

Tensors tensors_with_indices(const Case& c, const Tensors& tensors, Axis axis, std::span<const std::int64_t> indices) {
  Tensors result;
  for (const auto& [name, tensor] : tensors)
    result.emplace(name, with_indices(tensor, spec_of(c, name), axis, indices));
  return result;
}

template <class F>
void scale_field(Tensor& tensor, double factor) {
  for (F& x : tensor.as<F>()) x = x * F(static_cast<std::int64_t>(factor));
}

void scale_all(const Case& c, Tensors& tensors, Axis axis, double factor) {
  for (auto& [name, tensor] : tensors)
    if (spec_of(c, name).has(axis)) scale(tensor, factor);
}

/// NaN in everything of sequence n, or an element that nothing is equal to by chance.
void poison_sequence(Case& c, std::int64_t n) {
  for (auto& [name, tensor] : c.inputs) {
    const TensorSpec& spec = spec_of(c, name);
    const bool of_tokens = spec.has(Axis::time);
    if (tensor.format() == Format::i64 || (!of_tokens && !spec.has(Axis::sequences))) continue;
    const std::int64_t rows = of_tokens ? c.sizes[Axis::batch] * c.sizes[Axis::time] : c.sequences();
    const std::int64_t row = rows == 0 ? 0 : tensor.count() / rows;
    const auto [begin, end] = of_tokens ? c.tokens_of(n) : std::pair(n, n + 1);
    const double poison = is_field(tensor.format()) ? 0x1.23456789abcdep50 : std::numeric_limits<double>::quiet_NaN();
    for (std::int64_t i = begin * row; i < end * row; ++i) tensor.set(i, poison);
  }
}

}  // namespace

void scale(Tensor& tensor, double factor) {
  if (tensor.format() == Format::gf61) return scale_field<F61>(tensor, factor);
  if (tensor.format() == Format::gf31) return scale_field<F31>(tensor, factor);
  for (std::int64_t i = 0; i < tensor.count(); ++i) tensor.set(i, tensor.value(i) * factor);
}

Layout layout_of(const Case& c) { return is_among(c, c.inputs, Role::bounds) ? Layout::packed : Layout::batched; }

std::vector<Stretch> whole(const Case& c) {
  std::vector<Stretch> stretches;
  for (std::int64_t n = 0; n < c.sequences(); ++n) {
    const auto [begin, end] = c.tokens_of(n);
    stretches.push_back({n, 0, end - begin});
  }
  return stretches;
}

Case gathered(const Case& c, std::span<const Stretch> stretches, Layout layout) {
  Case result{.op = c.op,
              .sizes = gathered_sizes(c, stretches, layout),
              .parameters = c.parameters,
              .family = c.family,
              .seed = c.seed,
              .element = c.element,
              .standard = c.standard,
              .inputs = {}};
  result.inputs = gathered_tensors(c, c.inputs, stretches, result.sizes);
  move_positions(result, stretches);
  for (const TensorSpec& spec : c.op->tensors)
    if (spec.role == Role::bounds && layout == Layout::packed)
      result.inputs.emplace(spec.name, ends_of(spec, stretches, result.sizes));
  return result;
}

Tensors gathered(const Case& c, const Tensors& outputs, std::span<const Stretch> stretches, Layout layout) {
  return gathered_tensors(c, outputs, stretches, gathered_sizes(c, stretches, layout));
}

Case with_indices(const Case& c, Axis axis, std::span<const std::int64_t> indices) {
  Case result = c;
  result.inputs = tensors_with_indices(c, c.inputs, axis, indices);
  result.sizes[axis] = static_cast<std::int64_t>(indices.size());
  return result;
}

Tensors with_indices(const Case& c, const Tensors& outputs, Axis axis, std::span<const std::int64_t> indices) {
  return tensors_with_indices(c, outputs, axis, indices);
}

Case resumed(Case c, const Tensors& outputs) {
  std::vector<std::string_view> initial, final;
  for (const TensorSpec& spec : c.op->tensors) {
    if (spec.role == Role::initial_state) initial.push_back(spec.name);
    if (spec.role == Role::final_state) final.push_back(spec.name);
  }
  for (std::size_t i = 0; i < initial.size(); ++i)
    if (const auto it = outputs.find(final.at(i)); it != outputs.end())
      c.inputs.insert_or_assign(std::string(initial[i]), it->second);
  return c;
}

Case with_neutral_options(Case c, const Limits& limits) {
  add_tensors(c, [&](const TensorSpec& spec) {
    return spec.role == Role::position || (spec.role == Role::initial_state && limits.initial_state);
  });
  return c;
}

Case scaled(Case c, Axis axis, double factor) {
  scale_all(c, c.inputs, axis, factor);
  return c;
}

Tensors scaled(const Case& c, Tensors outputs, Axis axis, double factor) {
  scale_all(c, outputs, axis, factor);
  return outputs;
}

Case among_poisoned_sequences(const Case& c) {
  if (c.sequences() == 0) return c;
  std::vector<Stretch> stretches;
  const auto neighbour = [](const Stretch& s) { return Stretch{s.sequence, 0, std::min<std::int64_t>(s.end, 3)}; };
  for (const Stretch& s : whole(c)) {
    stretches.push_back(neighbour(s));
    stretches.push_back(s);
  }
  stretches.push_back(neighbour(stretches.back()));
  Case result = gathered(c, stretches, Layout::packed);
  for (std::int64_t n = 0; n < result.sequences(); n += 2) poison_sequence(result, n);
  return result;
}

}  // namespace assay
