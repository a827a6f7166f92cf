#include "properties/within_radii.hpp"

#include <cmath>

#include <fmt/format.h>

namespace assay {

Outcome within_radii(const Case& c, const References& some, const References& all) {
  for (const auto& [name, a] : some) {
    const Reference& b = all.at(name);
    for (std::size_t i = 0; i < a.hi.size(); ++i) {
      if (std::isinf(a.hi[i]) && a.hi[i] == b.hi[i] && a.lo[i] == b.lo[i]) continue;
      const double difference = std::abs((a.hi[i] - b.hi[i]) + (a.lo[i] - b.lo[i]));
      if (difference <= a.radius[i] + b.radius[i]) continue;
      return Outcome::fails(fmt::format("{}, {}: {}, element {}: {:.3g} apart, radii {:.3g} and {:.3g}", c.op->name,
                                        c.family, name, i, difference, a.radius[i], b.radius[i]));
    }
  }
  return Outcome::holds();
}

const Family& draw_family_with_values(const Operator& op, Draw& draw) {
  const std::span<const Family> families = families_of(op);
  for (;;) {
    const Family& family = families[draw.below(families.size())];
    if (family.standard == Standard::bound || family.standard == Standard::exact) return family;
  }
}

}  // namespace assay
