#include "problem/places.hpp"

namespace assay {
namespace {

/// The sequence that has row `row` of an array of B T tokens.
std::int64_t sequence_of(const Case& c, std::int64_t row) {
  if (!c.has("cu_seqlens")) return row / c.sizes[Axis::time];
  std::int64_t n = 0;
  while (row >= c.tokens_of(n).second) ++n;
  return n;
}

}  // namespace

Place place_of(const Case& c, const TensorSpec& spec, std::int64_t i) {
  Place place;
  place.coordinates.fill(-1);
  for (std::size_t k = spec.axes.size(); k-- > 0;) {
    const std::int64_t length = c.sizes[spec.axes[k]];
    place.coordinates[static_cast<std::size_t>(spec.axes[k])] = i % length;
    i /= length;
  }
  if (spec.has(Axis::time)) {
    const std::int64_t row = place[Axis::batch] * c.sizes[Axis::time] + place[Axis::time];
    place.sequence = sequence_of(c, row);
    if (spec.role != Role::node) place.token = row - c.tokens_of(place.sequence).first;
  } else if (spec.has(Axis::sequences)) {
    place.sequence = place[Axis::sequences];
  }
  return place;
}

}  // namespace assay
