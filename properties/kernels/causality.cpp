#include <algorithm>
#include <optional>

#include "problem/case_mix.hpp"
#include "problem/families.hpp"
#include "problem/operators/sas_gradients.hpp"
#include "problem/transforms.hpp"
#include "problem/values.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/kernels/outputs.hpp"

namespace assay {
namespace {

/// Whether rows of one sequence follow each other.
bool has_time(const Kernel& kernel) {
  return !kernel.limits.one_token && std::ranges::any_of(kernel.op->tensors, [](const TensorSpec& spec) {
    return spec.role == Role::output && spec.has(Axis::time);
  });
}

/// A token of one head that others follow.
struct Moment {
  std::int64_t sequence, head, token;
};

std::optional<Moment> draw_moment(const Case& c, Draw& draw) {
  std::vector<Stretch> long_enough;
  for (const Stretch& s : whole(c))
    if (s.length() >= 2) long_enough.push_back(s);
  if (long_enough.empty()) return std::nullopt;
  const Stretch& s = long_enough[draw.below(long_enough.size())];
  return Moment{s.sequence, static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(c.sizes[Axis::head]))),
                static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(s.length()) - 1))};
}

/// Another value of the tensor's format, of any size that leaves room for sums.
void replace(Tensor& tensor, std::int64_t i, Draw& draw) {
  const auto at = static_cast<std::size_t>(i);
  if (tensor.format() == Format::gf61)
    tensor.as<F61>()[at] = draw.element<F61>();
  else if (tensor.format() == Format::gf31)
    tensor.as<F31>()[at] = draw.element<F31>();
  else
    tensor.set(i, shortened(scaled_dyadic(draw, -20, 40), tensor.format()));
}

bool holds_indices(const TensorSpec& spec) { return spec.role == Role::input && spec.storage == Storage::index; }

/// Inputs to replace others by, where not any finite number will do.
Tensors other_inputs(const Case& c) {
  Tensors others;
  const bool joint = c.op->joint_domain && !is_field(c.element);
  if (!joint && std::ranges::none_of(c.op->tensors, holds_indices)) return others;
  for (const auto& [name, tensor] : refilled(c, families_of(*c.op).front()).inputs)
    if (joint || holds_indices(*c.op->find(name))) others.emplace(name, tensor);
  return others;
}

/// Replaces the elements of inputs for which `chosen` holds.
template <class Chosen>
Case replaced(Case c, Draw& draw, Chosen chosen) {
  const Tensors others = other_inputs(c);
  for (const TensorSpec& spec : c.op->tensors) {
    if (spec.role != Role::input || !spec.has(Axis::time) || !c.has(spec.name)) continue;
    const auto other = others.find(spec.name);
    Tensor& tensor = c.inputs.at(std::string(spec.name));
    for (std::int64_t i = 0; i < tensor.count(); ++i)
      if (!chosen(spec, place_of(c, spec, i)))
        continue;
      else if (other == others.end())
        replace(tensor, i, draw);
      else
        tensor.set(i, other->second.value(i));
  }
  return c;
}

bool has_queries(const Kernel& kernel) { return std::ranges::any_of(kernel.op->tensors, is_query); }

Outcome future(const KernelTrial& trial) {
  const Case& c = trial.input;
  if (c.standard == Standard::laws && trial.kernel.contract.causal_tile > 1)
    return Outcome::rejected("values that are not finite reach back to the start of their tile, as the contract says");
  const std::optional<Moment> now = draw_moment(c, trial.draw);
  if (!now) return Outcome::rejected("no sequence has two tokens");
  const auto later = [&](const TensorSpec&, const Place& p) {
    return p.sequence == now->sequence && p[Axis::head] == now->head && (p.token == -1 || p.token > now->token);
  };
  const Case changed = replaced(c, trial.draw, later);
  return same_bits("tokens after a moment changed", c, outputs_of(trial, changed), outputs_of(trial, c),
                   [&](const TensorSpec& spec, const Place& p) {
                     return later(spec, p) || operators::is_of_later_queries(*c.op, spec);
                   });
}

Outcome queries(const KernelTrial& trial) {
  const Case& c = trial.input;
  const Case changed = replaced(c, trial.draw, [](const TensorSpec& spec, const Place&) { return is_query(spec); });
  return same_bits("queries changed", c, outputs_of(trial, changed), outputs_of(trial, c),
                   [](const TensorSpec& spec, const Place&) { return spec.role == Role::output; });
}

}  // namespace

std::vector<KernelLaw> kernels_causality_laws() {
  return {{.name = "kernel.future_does_not_change_the_past",
           .statement = "tokens after t of one sequence and head change no bit of rows up to t, nor of other sequences "
                        "and heads; gradients of keys and values are of later queries",
           .covers = has_time,
           .check = future},
          {.name = "kernel.queries_leave_the_state_alone",
           .statement = "no bit of a final state depends on a query",
           .covers = [](const Kernel& kernel) { return has_queries(kernel) && kernel.limits.initial_state; },
           .check = queries}};
}

}  // namespace assay
