#include "oracle/sfda/refined.hpp"

#include <limits>

#include "oracle/sfda/by_definition.hpp"

namespace assay::sfda {

References refined_delta_rule(const Case& c, const References& certified) {
  constexpr double of_radius = 0x1p-40;
  References refined = certified;
  const References defined = delta_rule_by_definition(c);
  for (auto& [name, reference] : refined) {
    const Reference& from = defined.at(name);
    for (std::size_t i = 0; i < reference.hi.size(); ++i) {
      const double known = reference.radius[i];
      const double radius = from.radius[i] + of_radius * known;
      if (!(radius < known && known < std::numeric_limits<double>::infinity())) continue;
      reference.hi[i] = from.hi[i];
      reference.lo[i] = from.lo[i];
      reference.radius[i] = radius;
    }
  }
  return refined;
}

}  // namespace assay::sfda
