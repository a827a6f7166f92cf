#include "oracle/sfda/compose_oracle.hpp"

#include <cmath>
#include <limits>

#include "oracle/certified_value.hpp"
#include "oracle/defined_value.hpp"
#include "oracle/exact_value.hpp"
#include "oracle/over_field.hpp"
#include "oracle/sfda/given_maps.hpp"
#include "oracle/sfda/transition_norms.hpp"
#include "oracle/sfda/wide_map.hpp"

namespace assay::sfda {
namespace {

void write(const WideMap& map, std::size_t row, References& out) {
  const auto write_part = [&](const std::string& name, std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < map.d; ++i)
      for (std::size_t j = 0; j < count; ++j) {
        const Cx<DoubleDouble> x = map(i, first + j);
        const bool known = std::isfinite(x.re.hi + x.re.lo + x.im.hi + x.im.lo + map.radius[first + j]);
        const double radius = known ? map.radius_of(i, first + j) : std::numeric_limits<double>::infinity();
        const std::size_t at = (row * map.d + i) * count + j;
        set(out.at(name + "_re"), at, {known ? x.re : DoubleDouble(), radius});
        set(out.at(name + "_im"), at, {known ? x.im : DoubleDouble(), radius});
      }
  };
  write_part("P", 0, map.d);
  write_part("Z", map.d, map.columns - map.d);
}

WideMap composed_widely(const Case& c, std::int64_t n, std::int64_t h) {
  const auto maps = given_maps<double>(c, n, h);
  if (maps.empty()) return WideMap(composition_of<double>(c, n, h));
  WideMap result(maps.front());
  for (std::size_t t = 1; t < maps.size(); ++t) result = carried(maps[t], result, spectral_norm(maps[t].A));
  return result;
}

/// P and Z alone.
References references_of_results(const Case& c) {
  References out = empty_references(c);
  std::erase_if(out, [&](const auto& entry) { return !is_result(c.op->find(entry.first)->role); });
  return out;
}

template <class F>
Tensors over(const Case& c) {
  Tensors out;
  for (const TensorSpec& spec : c.op->tensors)
    if (is_result(spec.role)) out.emplace(spec.name, Tensor(c.element, spec.shape(c.sizes)));
  for_every_head(c, [&](std::int64_t n, std::int64_t h) {
    put_map(composition_of<F>(c, n, h), "P", "Z", state_index(c, n, h),
            [&](const std::string& name, std::size_t at, const F& x) { out.at(name).as<F>()[at] = x; });
  });
  return out;
}

/// Every result in the arithmetic R, each number stored by the `set` of it.
template <class R>
References references_in(const Case& c) {
  References out = references_of_results(c);
  for_every_head(c, [&](std::int64_t n, std::int64_t h) {
    put_map(composition_of<R>(c, n, h), "P", "Z", state_index(c, n, h),
            [&](const std::string& name, std::size_t at, const R& x) { set(out.at(name), at, x); });
  });
  return out;
}

}  // namespace

References certified_composition(const Case& c) {
  if (c.standard == Standard::exact) return references_in<FlaggedNumber>(c);
  References out = references_of_results(c);
  for_every_head(c,
                 [&](std::int64_t n, std::int64_t h) { write(composed_widely(c, n, h), state_index(c, n, h), out); });
  return out;
}

References composition_by_definition(const Case& c) { return references_in<Mpfr50>(c); }

Tensors composition_over_field(const Case& c) {
  return over_element(c, [&]<class F>() { return over<F>(c); });
}

}  // namespace assay::sfda
