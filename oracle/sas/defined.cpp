#include "oracle/sas/defined.hpp"

#include <limits>
#include <optional>

#include "arith/multiprecision.hpp"
#include "oracle/certified_value.hpp"
#include "oracle/defined_value.hpp"
#include "oracle/over_field.hpp"
#include "oracle/sas/attention.hpp"
#include "oracle/sas/head.hpp"
#include "oracle/sas/terms_read.hpp"

namespace assay::sas {
namespace {

/// Calls use(row, attention) for every query; with nothing where it reads no key, or over a field powers sum to 0.
template <class Z, class Use>
void for_each_row(const Case& c, Use use) {
  for_each_head(c, [&](std::int64_t n, std::int64_t h, std::int64_t g) {
    const auto x = head_of<PowerOf<Z>>(c, n, h, g);
    for (std::size_t t = 0; t < x.queries(); ++t) {
      std::optional<Attention<Z>> row;
      try {
        if (!x.reads[t].empty()) row = attention(terms_read<Z>(x, t), x.v);
      } catch (const ZeroDenominator&) {
      }
      use(x.index[t], row);
    }
  });
}

template <class F>
Tensors over(const Case& c) {
  Tensors out = empty_outputs(c, c.element);
  const auto dv = static_cast<std::size_t>(c.sizes[Axis::value]);
  for_each_row<Logarithm<F>>(c, [&](std::size_t row, const auto& attention) {
    if (!attention) return;
    out.at("lse").template as<F>()[row] = attention->lse.power;
    std::ranges::copy(attention->o, out.at("o").template as<F>().begin() + static_cast<std::ptrdiff_t>(row * dv));
  });
  return out;
}

}  // namespace

Tensors attention_over_field(const Case& c) {
  return over_element(c, [&]<class F>() { return over<F>(c); });
}

References attention_by_definition(const Case& c) {
  References out = empty_references(c);
  const auto dv = static_cast<std::size_t>(c.sizes[Axis::value]);
  for_each_row<Mpfr50>(c, [&](std::size_t row, const auto& attention) {
    if (!attention) {
      out.at("lse").hi[row] = -std::numeric_limits<double>::infinity();
      return;
    }
    set(out.at("lse"), row, attention->lse);
    for (std::size_t i = 0; i < dv; ++i) set(out.at("o"), row * dv + i, attention->o[i]);
  });
  return out;
}

}  // namespace assay::sas
