#include "problem/case.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay {

namespace {

constexpr std::array<std::string_view, 4> standard_names = {"bound", "exact", "field", "laws"};

}  // namespace

std::string_view name_of(Standard standard) { return standard_names[static_cast<std::size_t>(standard)]; }

Standard parse_standard(std::string_view name) {
  const auto it = std::ranges::find(standard_names, name);
  if (it == standard_names.end())
    throw std::invalid_argument(fmt::format("standard '{}': not one of {}", name, fmt::join(standard_names, ", ")));
  return static_cast<Standard>(it - standard_names.begin());
}

const TensorSpec* Operator::find(std::string_view tensor) const {
  const auto it = std::ranges::find(tensors, tensor, &TensorSpec::name);
  return it == tensors.end() ? nullptr : &*it;
}

const TensorSpec* Operator::initial_of(const TensorSpec& final_state) const {
  if (final_state.role != Role::final_state) return nullptr;
  const auto it = std::ranges::find_if(tensors, [&](const TensorSpec& spec) {
    std::string name(spec.name);
    std::erase(name, '0');
    return spec.role == Role::initial_state && name == final_state.name;
  });
  return it == tensors.end() ? nullptr : &*it;
}

bool Operator::uses(Axis axis) const {
  return std::ranges::any_of(tensors, [axis](const TensorSpec& spec) { return spec.has(axis); });
}

double Case::parameter(std::string_view name) const {
  const auto it = parameters.find(name);
  if (it == parameters.end()) throw std::out_of_range(fmt::format("{}: no parameter '{}'", op->name, name));
  return it->second;
}

Format Case::format_of(const TensorSpec& spec, Format result) const {
  switch (spec.storage) {
    case Storage::index:
      return Format::i64;
    case Storage::element:
      return element;
    case Storage::result:
      return is_field(element) ? element : result;
    case Storage::state:
      return is_field(element) ? element : Format::f32;
  }
  return element;
}

std::pair<std::int64_t, std::int64_t> Case::tokens_of(std::int64_t n) const {
  const auto it = inputs.find("cu_seqlens");
  if (it == inputs.end()) return {n * sizes[Axis::time], (n + 1) * sizes[Axis::time]};
  const auto bounds = it->second.as<std::int64_t>();
  return {bounds[static_cast<std::size_t>(n)], bounds[static_cast<std::size_t>(n) + 1]};
}

std::string sizes_text(const Case& c) {
  constexpr std::array axes = {Axis::batch,   Axis::time,    Axis::sequences, Axis::head,  Axis::group,
                               Axis::channel, Axis::feature, Axis::value,     Axis::block, Axis::slot};
  std::string text;
  for (const Axis axis : axes) {
    if (c.op->uses(axis))
      fmt::format_to(std::back_inserter(text), "{}{} = {}", text.empty() ? "" : ", ", name_of(axis), c.sizes[axis]);
  }
  return text;
}

}  // namespace assay
