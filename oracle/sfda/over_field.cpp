#include "oracle/sfda/over_field.hpp"

#include <algorithm>

#include "oracle/certified_value.hpp"
#include "oracle/over_field.hpp"
#include "oracle/sfda/by_recurrence.hpp"

namespace assay::sfda {
namespace {

template <class F>
Tensors over(const Case& c) {
  Tensors out = empty_outputs(c, c.element);
  const auto put = [&](const std::string& name, std::size_t first, std::span<const F> row) {
    std::ranges::copy(row, out.at(name).as<F>().begin() + static_cast<std::ptrdiff_t>(first));
  };
  is_complex(c) ? by_recurrence<Cx<F>>(c, put) : by_recurrence<F>(c, put);
  return out;
}

}  // namespace

Tensors delta_rule_over_field(const Case& c) {
  return over_element(c, [&]<class F>() { return over<F>(c); });
}

}  // namespace assay::sfda
