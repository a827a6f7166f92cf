#include "oracle/sfda/over_field.hpp"

#include <algorithm>
#include <stdexcept>

#include "oracle/sfda/by_recurrence.hpp"

namespace assay::sfda {
namespace {

template <class F>
Tensors over(const Case& c) {
  Tensors out;
  for (const TensorSpec& spec : c.op->tensors)
    if (is_output(spec.role)) out.emplace(spec.name, Tensor(c.element, spec.shape(c.sizes)));
  const auto put = [&](const std::string& name, std::size_t first, std::span<const F> row) {
    std::ranges::copy(row, out.at(name).as<F>().begin() + static_cast<std::ptrdiff_t>(first));
  };
  is_complex(c) ? by_recurrence<Cx<F>>(c, put) : by_recurrence<F>(c, put);
  return out;
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
