#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/logarithm.hpp"
#include "oracle/matrix.hpp"
#include "oracle/sas/query.hpp"
#include "properties/source.hpp"

namespace assay {

/// e^z of a logit or score: not 0, positive where K has an order; of the listed points 1 alone, so that few sums
/// vanish.
template <class K>
K drawn_power(Source<K>& from) {
  if (from.listed() && from.below(2) == 0) return K(1);
  for (;;) {
    const K x = from.free();
    if (x == K(0)) continue;
    if constexpr (OrderedScalar<K>) return x < K(0) ? K(-x) : x;
    return x;
  }
}
template <class K>
Matrix<K> drawn_powers(Source<K>& from, std::size_t rows, std::size_t cols) {
  return Source<K>::filled(rows, cols, [&from] { return drawn_power(from); });
}
template <class K>
std::vector<K> drawn_powers(Source<K>& from, std::size_t n) {
  const Matrix<K> row = drawn_powers(from, 1, n);
  return {row.row(0).begin(), row.row(0).end()};
}

template <class K>
Logarithm<K> drawn_score(Source<K>& from) {
  return {drawn_power(from)};
}
template <class K>
std::vector<Logarithm<K>> drawn_scores(Source<K>& from, std::size_t n) {
  std::vector<Logarithm<K>> s;
  for (std::size_t i = 0; i < n; ++i) s.push_back(drawn_score(from));
  return s;
}

/// A place with so many blocks of history, blocks of 1 to 3 tokens, and one token or more in its own block.
template <class K>
sas::QueryPlace drawn_place(Source<K>& from, std::int64_t fewest = 0, std::int64_t most = 4) {
  const std::size_t b = from.size("block_size", 1, 3), C = from.size("C", fewest, most);
  return {C * b + from.size("own", 1, static_cast<std::int64_t>(b)) - 1, b};
}

template <class K>
sas::Query<Logarithm<K>> drawn_query(Source<K>& from, const sas::QueryPlace& place) {
  return {place, drawn_scores(from, place.visible()), drawn_scores(from, place.history())};
}

/// Any blocks, none and all among them.
template <class K>
sas::BlockSet drawn_blocks(Source<K>& from, std::size_t C) {
  sas::BlockSet blocks;
  for (std::size_t m = 0; m < C; ++m)
    if (from.below(2) == 0) blocks.push_back(m);
  return blocks;
}

}  // namespace assay
