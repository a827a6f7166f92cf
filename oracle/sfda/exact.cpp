#include "oracle/sfda/exact.hpp"

#include <limits>

#include "oracle/certified_value.hpp"
#include "oracle/sfda/flagged_head.hpp"

namespace assay::sfda {
namespace {

template <class K>
void write_head(const Case& c, std::int64_t n, std::int64_t h, References& out) {
  const Head<K> doubles = head_of<K>(c, n, h);
  const bool decays = decays_are_exact(doubles.tokens);
  const Head<Flagged<K>> x = flagged(doubles);
  for_every_row(c, n, h, recurrence(x.tokens, x.S0),
                [&](const std::string& name, std::size_t first, std::span<const FlaggedNumber> row) {
                  Reference& reference = out.at(name);
                  for (std::size_t j = 0; j < row.size(); ++j) {
                    reference.hi[first + j] = row[j].value();
                    reference.radius[first + j] =
                        row[j].inexact() || !decays ? std::numeric_limits<double>::infinity() : 0;
                  }
                });
}

}  // namespace

References exact_attention(const Case& c) {
  References out = empty_references(c);
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h)
      is_complex(c) ? write_head<Cx<double>>(c, n, h, out) : write_head<double>(c, n, h, out);
  return out;
}

}  // namespace assay::sfda
