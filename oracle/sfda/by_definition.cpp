#include "oracle/sfda/by_definition.hpp"

#include "arith/multiprecision.hpp"
#include "oracle/certified_value.hpp"
#include "oracle/defined_value.hpp"
#include "oracle/sfda/head.hpp"

namespace assay::sfda {
namespace {

template <class K>
References evaluated(const Case& c) {
  References out = empty_references(c);
  const auto put = [&](const std::string& name, std::size_t first, std::span<const Mpfr50> row) {
    Reference& reference = out.at(name);
    for (std::size_t j = 0; j < row.size(); ++j) set(reference, first + j, row[j]);
  };
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) {
      const Head<K> x = head_of<K>(c, n, h);
      for_every_row(c, n, h, recurrence(x.tokens, x.S0), put);
    }
  return out;
}

}  // namespace

References delta_rule_by_definition(const Case& c) {
  return is_complex(c) ? evaluated<Cx<Mpfr50>>(c) : evaluated<Mpfr50>(c);
}

}  // namespace assay::sfda
