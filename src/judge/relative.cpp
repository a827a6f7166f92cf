#include "judge/relative.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "judge/elements.hpp"

namespace assay {
namespace {

/// The norms of value(i) over the determined elements of each block of an output with rows of that length.
std::vector<BlockNorms> norms_of(std::size_t count, std::size_t row, const Allowance& allowed,
                                 const std::function<double(std::size_t)>& value) {
  std::vector<BlockNorms> blocks;
  const std::size_t length = block_length(row);
  for (std::size_t begin = 0; begin + length <= count; begin += length) {
    std::vector<double> sizes;
    double squares = 0;
    for (std::size_t i = begin; i < std::min(begin + length, count); ++i) {
      if (!allowed.degenerate.empty() && allowed.degenerate[i]) continue;
      sizes.push_back(std::abs(value(i)));
      squares += sizes.back() * sizes.back();
    }
    if (sizes.size() < block_elements) {
      blocks.push_back({});
      continue;
    }
    const auto at = static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(sizes.size() - 1));
    std::ranges::nth_element(sizes, sizes.begin() + at);
    blocks.push_back({std::sqrt(squares), sizes[static_cast<std::size_t>(at)]});
  }
  return blocks;
}

}  // namespace

std::size_t block_length(std::size_t row) { return std::max(block_rows, (block_elements + row - 1) / row) * row; }

std::vector<BlockNorms> block_norms(const Tensor& got, const Reference& want, const Allowance& allowed) {
  return norms_of(want.hi.size(), row_length(want), allowed, [&](std::size_t i) {
    return element_at(got.value(static_cast<std::int64_t>(i)), want, allowed, i).error;
  });
}

bool worse_than_plain(const Tensors& got, const std::vector<Tensors>& plain, const References& want,
                      const Allowances& allowed) {
  for (const auto& [name, reference] : want) {
    const Allowance& allowance = allowed.at(name);
    const double u = float_format(got.at(name).format()).unit_roundoff();
    std::vector<BlockNorms> largest = norms_of(reference.hi.size(), row_length(reference), allowance,
                                               [&](std::size_t i) { return 4 * u * reference.hi[i]; });
    for (const Tensors& one : plain) {
      const std::vector<BlockNorms> norms = block_norms(one.at(name), reference, allowance);
      for (std::size_t b = 0; b < norms.size(); ++b) {
        largest[b].norm = std::max(largest[b].norm, norms[b].norm);
        largest[b].quantile = std::max(largest[b].quantile, norms[b].quantile);
      }
    }
    const std::vector<BlockNorms> kernel = block_norms(got.at(name), reference, allowance);
    for (std::size_t b = 0; b < kernel.size(); ++b)
      if (kernel[b].norm > kappa * largest[b].norm || kernel[b].quantile > kappa * largest[b].quantile) return true;
  }
  return false;
}

}  // namespace assay
