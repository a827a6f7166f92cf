#include "problem/sized_case.hpp"

#include <algorithm>

#include "problem/case_mix.hpp"

namespace assay {
namespace {

constexpr std::int64_t most_selected = 16;  ///< blocks a row

}  // namespace

Case make_sizes(const Kernel& kernel, const Family& family, std::uint64_t seed, const CaseSize& size) {
  using enum Axis;
  Case c;
  c.op = kernel.op;
  c.family = family.name;
  c.seed = seed;
  c.standard = family.standard;
  c.element = family.standard == Standard::field ? Format::gf61 : kernel.contract.input;
  c.sizes[batch] = c.sizes[sequences] = size.batch;
  c.sizes[bounds] = size.batch + 1;
  c.sizes[Axis::time] = size.tokens;
  c.sizes[head] = size.heads;
  c.sizes[channel] = c.op->uses(channel) ? kernel.limits.channels.front() : 1;
  c.sizes[feature] = std::min(size.feature, kernel.limits.feature);
  c.sizes[value] = std::min(size.value, kernel.limits.value);
  if (c.op->uses(block)) {
    const std::int64_t block_size = kernel.limits.blocks.front();
    c.parameters["b"] = static_cast<double>(block_size);
    c.sizes[block] = blocks_of(size.tokens, block_size);
    if (c.op->uses(slot)) c.sizes[slot] = std::min<std::int64_t>(c.sizes[block], most_selected);
  }
  if (std::ranges::find(c.op->parameters, "p", &ParameterSpec::name) != c.op->parameters.end())
    c.parameters["p"] = static_cast<double>(kernel.limits.powers.front());
  return c;
}

Case make_case(const Kernel& kernel, const Family& family, std::uint64_t seed, const CaseSize& size) {
  return make_window(kernel, family, seed, size, {}, 0);
}

Case make_window(const Kernel& kernel, const Family& family, std::uint64_t seed, const CaseSize& size,
                 const Parameters& parameters, std::uint64_t index) {
  Case c = make_sizes(kernel, family, seed, size);
  for (const auto& [name, value] : parameters) c.parameters[name] = value;
  add_tensors(c, [](const TensorSpec& spec) { return spec.role == Role::input; });
  Draw draw(seed, std::string(c.op->name) + "/" + std::string(family.name) + "/sized", index);
  family.fill(c, draw, kernel.contract);
  return c;
}

}  // namespace assay
