#include "run/shapes.hpp"

namespace assay {

Json shapes_json(const Case& c) {
  Json shapes = Json::object();
  for (std::size_t i = 0; i < axis_count; ++i) {
    const auto axis = static_cast<Axis>(i);
    if (c.op->uses(axis) && axis != Axis::bounds) shapes[std::string(name_of(axis))] = c.sizes[axis];
  }
  if (c.has("cu_seqlens")) {
    Json lengths = Json::array();
    for (std::int64_t n = 0; n < c.sequences(); ++n) lengths.push_back(c.tokens_of(n).second - c.tokens_of(n).first);
    shapes["T"] = lengths;
  }
  return shapes;
}

}  // namespace assay
