#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "arith/field_exponential.hpp"
#include "oracle/case_values.hpp"
#include "oracle/logarithm.hpp"
#include "oracle/matrix.hpp"

namespace assay::sas {

/// Keys begin ... end - 1, which a query reads, of one block.
struct KeyRange {
  std::size_t begin, end;
  std::size_t block;
  bool gated;  ///< its own block is not
};

/// One query head of a sequence with its head of keys and values.
template <class K>
struct Head {
  Matrix<K> q, k, v;   ///< [queries, d], [n, d], [n, dv]
  Matrix<K> log_gate;  ///< [queries, C]; empty: 0
  K scale;
  bool outside = false;                      ///< the gate is a factor of v
  std::vector<std::vector<KeyRange>> reads;  ///< of each query, ascending
  std::vector<std::size_t> index;            ///< of each query among rows [.., H, G]

  std::size_t queries() const { return q.rows(); }
  K gate(std::size_t t, const KeyRange& range) const {
    return range.gated && log_gate.rows() > 0 ? log_gate(t, range.block) : K(0);
  }
};

namespace detail {

/// What a query at the end of `visible` tokens reads of blocks: its own, and those of `selected` that are full and
/// before it.
inline std::vector<KeyRange> ranges_of(std::size_t visible, std::size_t block_size,
                                       std::span<const std::int64_t> selected) {
  if (visible == 0) return {};
  const std::size_t own = (visible - 1) / block_size;
  std::vector<std::size_t> blocks;
  for (const std::int64_t block : selected)
    if (block >= 0 && static_cast<std::size_t>(block) < own) blocks.push_back(static_cast<std::size_t>(block));
  std::ranges::sort(blocks);
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  std::vector<KeyRange> ranges;
  for (const std::size_t m : blocks) ranges.push_back({m * block_size, (m + 1) * block_size, m, true});
  ranges.push_back({own * block_size, visible, own, false});
  return ranges;
}

/// The same where every token is read.
inline std::vector<KeyRange> all_of(std::size_t visible) {
  if (visible == 0) return {};
  return {{0, visible, 0, false}};
}

}  // namespace detail

/// Whether every token of the case's operator is a query; else one is a sequence.
inline bool has_query_a_token(const Case& c) { return c.op->find("q")->has(Axis::time); }

/// Sequence n, head h of keys, query head g of its group.
template <class K>
Head<K> head_of(const Case& c, std::int64_t n, std::int64_t h, std::int64_t g) {
  const auto length = [&](Axis axis) { return static_cast<std::size_t>(c.sizes[axis]); };
  const std::size_t tokens = length_of(c, n), d = length(Axis::feature), slots = length(Axis::slot);
  const bool of_tokens = has_query_a_token(c), sparse = c.has("selected");
  const std::size_t queries = of_tokens ? tokens : 1;
  const std::size_t first = of_tokens ? static_cast<std::size_t>(c.tokens_of(n).first) : static_cast<std::size_t>(n);
  Head<K> x;
  x.q = Matrix<K>(queries, d);
  x.k = rows_of<K>(c, "k", n, h, 0, tokens, d);
  x.v = rows_of<K>(c, "v", n, h, 0, tokens, length(Axis::value));
  if constexpr (FieldElement<K>)
    x.scale = K(static_cast<std::int64_t>(c.parameter("scale")));
  else
    x.scale = K(c.parameter("scale"));
  x.outside = sparse && c.parameter("position") == 1;
  if (c.has("log_gate")) x.log_gate = Matrix<K>(queries, length(Axis::block));
  const std::size_t block_size = sparse ? static_cast<std::size_t>(c.parameter("b")) : 1;
  for (std::size_t t = 0; t < queries; ++t) {
    const std::size_t pair = (first + t) * length(Axis::head) + static_cast<std::size_t>(h);
    x.index.push_back(pair * length(Axis::group) + static_cast<std::size_t>(g));
    for (std::size_t f = 0; f < d; ++f) x.q(t, f) = element_of<K>(c.inputs.at("q"), x.index[t] * d + f);
    for (std::size_t m = 0; m < x.log_gate.cols(); ++m)
      x.log_gate(t, m) = element_of<K>(c.inputs.at("log_gate"), pair * x.log_gate.cols() + m);
    const std::size_t visible = of_tokens ? t + 1 : tokens;
    x.reads.push_back(sparse
                          ? detail::ranges_of(visible, block_size,
                                              c.inputs.at("selected").as<std::int64_t>().subspan(pair * slots, slots))
                          : detail::all_of(visible));
  }
  return x;
}

/// Calls use(n, h, g) for every sequence, head of keys and head of its group.
template <class Use>
void for_each_head(const Case& c, Use use) {
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h)
      for (std::int64_t g = 0; g < c.sizes[Axis::group]; ++g) use(n, h, g);
}

}  // namespace assay::sas
