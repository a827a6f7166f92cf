#include "problem/axes.hpp"

#include <algorithm>

namespace assay {

std::string_view name_of(Axis axis) {
  constexpr std::array<std::string_view, axis_count> names = {"B", "T", "H", "c", "d", "dv", "N", "N+1", "G", "C", "K"};
  return names[static_cast<std::size_t>(axis)];
}

bool TensorSpec::has(Axis axis) const { return std::ranges::find(axes, axis) != axes.end(); }

bool TensorSpec::is_square() const { return std::ranges::count(axes, Axis::feature) == 2; }

Shape TensorSpec::shape(const Sizes& sizes) const {
  Shape result;
  for (const Axis axis : axes) result.push_back(sizes[axis]);
  return result;
}

}  // namespace assay
