#include "problem/operators/sanatan_values.hpp"

#include "problem/values.hpp"

namespace assay::operators {
namespace {

using enum Axis;

}  // namespace

void set_parameters(Case& c, Draw& draw) {
  const auto width = static_cast<double>(c.sizes[feature]), most = c.sizes[channel] == 3 ? 2 * width : 4 * width;
  const Parameters all = {{"gamma", draw.below(4) == 0 ? 1 : 10},
                          {"normaliser", draw.below(4) == 0 ? 1 : most},
                          {"eps", draw.below(4) == 0 ? 1 : 0x1p-20}};
  for (const ParameterSpec& spec : c.op->parameters)
    if (const auto it = all.find(spec.name); it != all.end()) c.parameters.insert(*it);
}

void fill_history(Case& c, Draw& draw, double tokens) {
  if (!c.has("z0")) return;
  Tensor& z = c.inputs.at("z0");
  const std::int64_t a_channel = c.sizes[feature];
  fill(z, [&](std::int64_t i) {
    const bool constant = (i / a_channel) % c.sizes[channel] == 0;
    return constant ? tokens : tokens * uniform(draw) / 4;
  });
  fill(c.inputs.at("S0"), [&](auto) { return tokens * uniform(draw) / 4; });
}

}  // namespace assay::operators
