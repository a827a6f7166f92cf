#include "oracle/sfda/over_field.hpp"

#include <algorithm>
#include <stdexcept>

#include "oracle/sfda/head.hpp"

namespace assay::sfda {
namespace {

template <class K>
Tensors by_definition(const Case& c) {
  using R = RealOf<K>;
  Tensors out;
  for (const TensorSpec& spec : c.op->tensors)
    if (is_output(spec.role)) out.emplace(spec.name, Tensor(c.element, spec.shape(c.sizes)));
  const auto put = [&](const std::string& name, std::size_t first, std::span<const R> row) {
    std::ranges::copy(row, out.at(name).as<R>().begin() + static_cast<std::ptrdiff_t>(first));
  };
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) {
      const Head<K> x = head_of<K>(c, n, h);
      for_every_row(c, n, h, recurrence(x.tokens, x.S0), put);
    }
  return out;
}

template <class F>
Tensors over(const Case& c) {
  return is_complex(c) ? by_definition<Cx<F>>(c) : by_definition<F>(c);
}

}  // namespace

Tensors delta_rule_over_field(const Case& c) {
  switch (c.element) {
    case Format::gf61:
      return over<F61>(c);
    case Format::gf31:
      return over<F31>(c);
    default:
      throw std::logic_error("over a field: the case's elements are real");
  }
}

}  // namespace assay::sfda
