#include "problem/kernel.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay {
namespace {

std::string over(std::string_view axis, std::int64_t length, std::int64_t limit) {
  return length <= limit ? "" : fmt::format("{} = {}: at most {}", axis, length, limit);
}

std::string not_among(std::string_view what, std::int64_t value, const std::vector<std::int64_t>& allowed) {
  if (std::ranges::find(allowed, value) != allowed.end()) return "";
  return fmt::format("{} = {}: one of {}", what, value, fmt::join(allowed, ", "));
}

}  // namespace

bool Limits::returns(const TensorSpec& spec, bool with_sums) const {
  if (spec.role == Role::sum) return with_sums && sums;
  if (spec.role == Role::node) return nodes;
  return is_output(spec.role) && (final_state || spec.role != Role::final_state || !spec.optional);
}

std::string Kernel::refusal(const Case& c) const {
  if (c.op != op) return fmt::format("operator {}: the kernel implements {}", c.op->name, op->name);
  if (is_field(c.element) && !over_fields) return "the kernel is not built over fields";
  if (!is_field(c.element) && c.element != contract.input)
    return fmt::format("inputs of {}: the kernel takes {}", name_of(c.element), name_of(contract.input));
  if (c.has("cu_seqlens") && !limits.ragged) return "cu_seqlens: the kernel takes sequences of one length";
  for (const TensorSpec& spec : op->tensors)
    if (spec.role == Role::initial_state && c.has(spec.name) && !limits.initial_state)
      return fmt::format("{}: the kernel starts from zero", spec.name);
  if (limits.one_token && c.sizes[Axis::time] != c.sequences() / c.sizes[Axis::batch])
    return fmt::format("T = {}: a decode step takes one token a sequence", c.sizes[Axis::time]);
  for (std::string rule :
       {over("d", c.sizes[Axis::feature], limits.feature), over("dv", c.sizes[Axis::value], limits.value),
        not_among("channels", c.sizes[Axis::channel], limits.channels),
        c.parameters.contains("p") ? not_among("p", static_cast<std::int64_t>(c.parameter("p")), limits.powers)
                                   : std::string(),
        c.parameters.contains("b") ? not_among("b", static_cast<std::int64_t>(c.parameter("b")), limits.blocks)
                                   : std::string(),
        limits.chunks.empty() ? std::string()
                              : not_among("C", static_cast<std::int64_t>(c.parameter("C")), limits.chunks)})
    if (!rule.empty()) return rule;
  return "";
}

}  // namespace assay
