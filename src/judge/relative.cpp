#include "judge/relative.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "judge/elements.hpp"

namespace assay {
namespace {

/// The norms of value(i) over the determined elements of each block of an output with rows of that length; elements
/// without a value are left out.
std::vector<BlockNorms> norms_of(std::size_t count, std::size_t row, const Allowance& allowed,
                                 const std::function<std::optional<double>(std::size_t)>& value) {
  std::vector<BlockNorms> blocks;
  const std::size_t length = block_length(row);
  for (std::size_t begin = 0; begin + length <= count; begin += length) {
    std::vector<double> sizes;
    double squares = 0;
    for (std::size_t i = begin; i < std::min(begin + length, count); ++i) {
      if (!allowed.degenerate.empty() && allowed.degenerate[i]) continue;
      const std::optional<double> x = value(i);
      if (!x) continue;
      sizes.push_back(std::abs(*x));
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

/// x in units of element i's P. Nothing for an element that is 0: where most of a block is, it has too few errors to be
/// compared, and R1 sees them all.
std::optional<double> in_bounds(double x, const Reference& want, const Allowance& allowed, std::size_t i) {
  if (want.hi[i] == 0 || !(allowed.statistical[i] > 0)) return std::nullopt;
  return std::abs(x) / allowed.statistical[i];
}

std::vector<BlockNorms> errors_in_bounds(const Tensor& got, const Reference& want, const Allowance& allowed) {
  return norms_of(want.hi.size(), row_length(want), allowed, [&](std::size_t i) {
    return in_bounds(element_at(got.value(static_cast<std::int64_t>(i)), want, allowed, i).error, want, allowed, i);
  });
}

void take_larger(std::vector<BlockNorms>& largest, const std::vector<BlockNorms>& norms) {
  for (std::size_t b = 0; b < norms.size(); ++b) {
    largest[b].norm = std::max(largest[b].norm, norms[b].norm);
    largest[b].quantile = std::max(largest[b].quantile, norms[b].quantile);
  }
}

/// max(4 u |o|, P / 64)
std::vector<BlockNorms> unsuspicious_norms(double u, const Reference& want, const Allowance& allowed) {
  return norms_of(want.hi.size(), row_length(want), allowed, [&](std::size_t i) {
    const std::optional<double> rounding = in_bounds(4 * u * want.hi[i], want, allowed, i);
    return rounding ? std::optional(std::max(*rounding, unsuspicious)) : std::nullopt;
  });
}

}  // namespace

std::size_t block_length(std::size_t row) {
  if (row == 0) return block_elements;  // of nothing
  return std::max(block_rows, (block_elements + row - 1) / row) * row;
}

std::vector<BlockNorms> block_norms(const Tensor& got, const Reference& want, const Allowance& allowed) {
  return norms_of(want.hi.size(), row_length(want), allowed, [&](std::size_t i) {
    return element_at(got.value(static_cast<std::int64_t>(i)), want, allowed, i).error;
  });
}

std::string text(const WorseBlock& block, const Shape& shape) {
  return fmt::format("{}{} and on: {} of error / bound {:.3g}, of the plain runs at most {:.3g}", block.output,
                     index_text(index_of(static_cast<std::int64_t>(block.first), shape)),
                     block.by_norm ? "2-norm" : "99 % quantile", block.kernel, block.plain);
}

std::optional<WorseBlock> worse_than_plain(const Tensors& got, const std::vector<Tensors>& plain,
                                           const References& want, const Allowances& allowed) {
  for (const auto& [name, reference] : want) {
    const Allowance& allowance = allowed.at(name);
    const double u = float_format(got.at(name).format()).unit_roundoff();
    std::vector<BlockNorms> largest = unsuspicious_norms(u, reference, allowance);
    for (const Tensors& one : plain) take_larger(largest, errors_in_bounds(one.at(name), reference, allowance));
    const std::vector<BlockNorms> kernel = errors_in_bounds(got.at(name), reference, allowance);
    for (std::size_t b = 0; b < kernel.size(); ++b) {
      const std::size_t first = b * block_length(row_length(reference));
      if (kernel[b].norm > kappa * largest[b].norm)
        return WorseBlock{name, first, true, kernel[b].norm, largest[b].norm};
      if (kernel[b].quantile > kappa * largest[b].quantile)
        return WorseBlock{name, first, false, kernel[b].quantile, largest[b].quantile};
    }
  }
  return std::nullopt;
}

}  // namespace assay
