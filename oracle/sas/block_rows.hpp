#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "oracle/case_values.hpp"
#include "oracle/sas/gates.hpp"
#include "problem/precision.hpp"

namespace assay::sas {

/// One token and head of a case that has numbers by block: its row among [tokens, H], the blocks of its history, and
/// where else it has inputs.
struct BlockRow {
  std::size_t row, history, sequence, head;
};

/// Calls use(BlockRow) for every token and head.
template <class Use>
void for_each_block_row(const Case& c, Use use) {
  const auto H = static_cast<std::size_t>(c.sizes[Axis::head]), b = static_cast<std::size_t>(c.parameter("b"));
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::size_t t = 0; t < length_of(c, n); ++t)
      for (std::size_t h = 0; h < H; ++h)
        use(BlockRow{(static_cast<std::size_t>(c.tokens_of(n).first) + t) * H + h, t / b, static_cast<std::size_t>(n),
                     h});
}

/// How the case makes gates of scores.
inline Normalisation normalisation_of(const Case& c) {
  return static_cast<Normalisation>(static_cast<int>(c.parameter("normalisation")));
}

/// Where a row's numbers begin in an array [tokens, H, blocks].
inline std::size_t first_of(const Case& c, const BlockRow& at) {
  return at.row * static_cast<std::size_t>(c.sizes[Axis::block]);
}

/// A row's numbers of its history blocks.
template <class K>
std::vector<K> history_of(const Case& c, std::string_view name, const BlockRow& at) {
  const Tensor& tensor = c.inputs.find(name)->second;
  std::vector<K> values;
  for (std::size_t m = 0; m < at.history; ++m) values.push_back(element_of<K>(tensor, first_of(c, at) + m));
  return values;
}

/// Roundings on the longest path of a sum over so many blocks, by tiles of contract.chunk, or in any order where the
/// contract does not say; a path has one fewer than there are terms other than 0.
inline double sum_height(const Contract& contract, std::size_t blocks, std::size_t terms) {
  if (terms < 2) return 0;
  const auto all = static_cast<std::int64_t>(terms - 1);
  if (contract.value_height == 0) return static_cast<double>(all);
  const std::int64_t tiles = (static_cast<std::int64_t>(blocks) + contract.chunk - 1) / contract.chunk;
  return static_cast<double>(std::min(all, contract.value_height + tiles - 1));
}

}  // namespace assay::sas
