#include "problem/precision.hpp"

#include <array>

namespace assay {

std::string_view name_of(Product product) {
  constexpr std::array<std::string_view, 5> names = {"fma", "tf32", "3xtf32", "bf16", "fp16"};
  return names[static_cast<std::size_t>(product)];
}

std::string_view name_of(Order order) {
  constexpr std::array<std::string_view, 4> names = {"sequential", "tree", "blocked", "any"};
  return names[static_cast<std::size_t>(order)];
}

std::string_view name_of(Repeats repeats) {
  constexpr std::array<std::string_view, 3> names = {"never", "run_to_run", "same_bits"};
  return names[static_cast<std::size_t>(repeats)];
}

std::string_view name_of(Algorithm algorithm) {
  constexpr std::array<std::string_view, 7> names = {
      "pointwise", "scan", "chunk", "parallel", "decode", "compose_in_order", "compose_as_tree"};
  return names[static_cast<std::size_t>(algorithm)];
}

}  // namespace assay
