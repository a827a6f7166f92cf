#include "run/cell_list.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "judge/relative.hpp"
#include "problem/case_mix.hpp"
#include "problem/families.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seeds_tried = 20000;

std::int64_t longest_sequence(const Case& c) {
  std::int64_t longest = 0;
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    longest = std::max(longest, c.tokens_of(n).second - c.tokens_of(n).first);
  return longest;
}

/// Whether every output of the kernel has a whole block of rows.
bool has_blocks(const Case& c, const Kernel& kernel) {
  return std::ranges::all_of(c.op->tensors, [&](const TensorSpec& spec) {
    const Shape shape = spec.shape(c.sizes);
    return !kernel.limits.returns(spec) ||
           count_of(shape) >= static_cast<std::int64_t>(block_length(static_cast<std::size_t>(shape.back())));
  });
}

bool fits(const Case& c, const Kernel& kernel, const SizeClass& size, const CellChoice& choice) {
  const std::int64_t longest = longest_sequence(c);
  return longest >= size.shortest && longest <= size.longest &&
         work_of(c, kernel.contract.algorithm) <= choice.most_work &&
         c.sizes[Axis::batch] * c.sizes[Axis::time] * c.sizes[Axis::head] <= choice.most_rows && has_blocks(c, kernel);
}

std::vector<const Family*> families_with_bound(const Kernel& kernel, std::size_t most) {
  std::vector<const Family*> families = families_for(kernel);
  std::erase_if(families, [](const Family* family) { return family->standard != Standard::bound; });
  if (families.size() > most) families.resize(most);
  return families;
}

std::vector<Cell> cells_of(const Kernel& kernel, const Family& family, const CellChoice& choice) {
  std::vector<Cell> cells;
  for (const SizeClass& size : size_classes())
    cells.push_back({.name = {kernel.name, std::string(family.name), std::string(size.name)}});
  for (std::uint64_t seed = 1; seed <= seeds_tried; ++seed) {
    const Case c = make_sizes(kernel, family, seed);
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i].seeds.size() < choice.cases && fits(c, kernel, size_classes()[i], choice))
        cells[i].seeds.push_back(seed);
    if (std::ranges::all_of(cells, [&](const Cell& cell) { return cell.seeds.size() == choice.cases; })) break;
  }
  std::erase_if(cells, [&](const Cell& cell) { return cell.seeds.size() < choice.cases; });
  return cells;
}

}  // namespace

std::span<const SizeClass> size_classes() {
  static constexpr std::array<SizeClass, 2> classes = {
      {{"T ≤ 64", 1, 64}, {"T > 64", 65, std::numeric_limits<std::int64_t>::max()}}};
  return classes;
}

std::vector<Cell> choose_cells(std::span<const Kernel> kernels, const CellChoice& choice) {
  std::vector<Cell> cells;
  for (const Kernel& kernel : kernels)
    for (const Family* family : families_with_bound(kernel, choice.families))
      for (Cell& cell : cells_of(kernel, *family, choice)) cells.push_back(std::move(cell));
  return cells;
}

}  // namespace assay
