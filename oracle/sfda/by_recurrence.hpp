#pragma once

#include "oracle/certified_value.hpp"
#include "oracle/sfda/head.hpp"

namespace assay::sfda {

/// Every sequence and head of a case in the arithmetic K, token after token; put(tensor, first, row) takes the rows of
/// o and S, plane by plane. Source: [SFDA] eq. 13.
template <class K, class Put>
void by_recurrence(const Case& c, Put put) {
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) {
      const Head<K> x = head_of<K>(c, n, h);
      for_every_row(c, n, h, recurrence(x.tokens, x.S0), put);
    }
}

/// The same as references, each number stored by the `set` of its arithmetic.
template <class R>
References references_by_recurrence(const Case& c) {
  References out = empty_references(c);
  const auto put = [&](const std::string& name, std::size_t first, std::span<const R> row) {
    Reference& reference = out.at(name);
    for (std::size_t j = 0; j < row.size(); ++j) set(reference, first + j, row[j]);
  };
  is_complex(c) ? by_recurrence<Cx<R>>(c, put) : by_recurrence<R>(c, put);
  return out;
}

}  // namespace assay::sfda
