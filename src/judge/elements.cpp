#include "judge/elements.hpp"

#include <algorithm>
#include <limits>

namespace assay {
namespace {

/// Double arithmetic on bounds may lose a few units in the last place: 1 + 2^-40 covers it.
constexpr double enlarged = 1 + 0x1p-40;

bool same_kind(double a, double b) { return (std::isnan(a) && std::isnan(b)) || a == b; }

}  // namespace

Element element_at(double got, const Reference& want, const Allowance& allowed, std::size_t i) {
  Element e{got,
            want.hi[i],
            0,
            want.radius[i],
            allowed.statistical[i],
            allowed.deterministic[i],
            allowed.degenerate.empty() || !allowed.degenerate[i],
            allowed.largest.empty() ? std::numeric_limits<double>::infinity() : allowed.largest[i]};
  if (std::isfinite(got) && std::isfinite(e.want))
    e.error = std::abs((got - e.want) - want.lo[i]) * enlarged;
  else
    e.error = same_kind(got, e.want) ? 0 : std::numeric_limits<double>::infinity();
  return e;
}

Shape index_of(std::int64_t i, const Shape& shape) {
  Shape index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0; i /= shape[axis]) index[axis] = i % shape[axis];
  return index;
}

std::size_t row_length(const Reference& want) {
  return want.shape.empty() ? 1 : static_cast<std::size_t>(std::max<std::int64_t>(1, want.shape.back()));
}

std::string index_text(const Shape& index) { return text_of(index); }

}  // namespace assay
