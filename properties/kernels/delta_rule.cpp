#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include "problem/transforms.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/kernels/outputs.hpp"

// Symmetries of S_t = (I - beta k k*) Lambda S_(t-1) + beta k v*, o_t = S_t* q_t that rounding does not break.

namespace assay {
namespace {

bool is_delta_rule(const Kernel& kernel) { return kernel.op->find("beta") != nullptr; }
bool is_complex(const Kernel& kernel) { return is_delta_rule(kernel) && kernel.op->find("q_re") != nullptr; }

bool has_moderate_numbers(const Case& c) {
  return (c.standard == Standard::bound || c.standard == Standard::exact) && has_moderate_decays(c);
}
bool has_numbers(const Case& c) { return c.standard == Standard::bound || c.standard == Standard::exact; }

bool is_far_from_the_ends(const Tensors& tensors) {
  return std::ranges::all_of(tensors, [](const auto& entry) { return is_of_moderate_size(entry.second); });
}

/// What an element of a tensor is multiplied by.
using Factor = std::function<double(const TensorSpec&, const Place&)>;

Tensors multiplied(const Case& c, Tensors tensors, const Factor& factor) {
  for (auto& [name, tensor] : tensors) {
    const TensorSpec& spec = *c.op->find(name);
    if (spec.role == Role::bounds) continue;
    for (std::int64_t i = 0; i < tensor.count(); ++i)
      if (const double by = factor(spec, place_of(c, spec, i)); by != 1) tensor.set(i, by * tensor.value(i));
  }
  return tensors;
}

Case multiplied(Case c, const Factor& factor) {
  c.inputs = multiplied(c, c.inputs, factor);
  return c;
}

bool is_key(const TensorSpec& spec) { return spec.name == "k" || spec.name.starts_with("k_"); }

/// -1 in every other pair of rows of what has dimensions, but for decays and phases.
double sign_of_dimension(const TensorSpec& spec, const Place& place) {
  const bool turns =
      is_query(spec) || is_key(spec) || spec.role == Role::initial_state || spec.role == Role::final_state;
  return turns && place[Axis::feature] / 2 % 2 == 1 ? -1 : 1;
}

Outcome dimension_signs(const KernelTrial& trial) {
  const Case& c = trial.input;
  return same_values("every other pair of dimensions negated", c, outputs_of(trial, multiplied(c, sign_of_dimension)),
                     multiplied(c, outputs_of(trial, c), sign_of_dimension));
}

double sign_of_conjugate(const TensorSpec& spec, const Place&) {
  return spec.name == "theta" || spec.name.ends_with("_im") ? -1 : 1;
}

Outcome conjugates(const KernelTrial& trial) {
  const Case& c = trial.input;
  return same_values("conjugated inputs", c, outputs_of(trial, multiplied(c, sign_of_conjugate)),
                     multiplied(c, outputs_of(trial, c), sign_of_conjugate));
}

Outcome queries(const KernelTrial& trial) {
  const Case& c = trial.input;
  const double by = power_of_two(static_cast<int>(trial.draw.below(41)) - 20);
  const Tensors plain = outputs_of(trial, c);
  if (!is_far_from_the_ends(plain) || !is_far_from_the_ends(c.inputs))
    return Outcome::rejected("a number is near the end of its format");
  const Case larger = multiplied(c, [&](const TensorSpec& spec, const Place&) { return is_query(spec) ? by : 1; });
  return same_values(
      "queries times a power of two", c, outputs_of(trial, larger),
      multiplied(c, plain, [&](const TensorSpec& spec, const Place&) { return spec.role == Role::output ? by : 1; }));
}

/// k -> 2^m k, beta -> 2^-2m beta, v -> 2^m v: u becomes 2^-m u, and k u* stays.
Outcome key_lengths(const KernelTrial& trial) {
  const Case& c = trial.input;
  const double by = power_of_two(static_cast<int>(trial.draw.below(21)) - 10);
  const Tensors plain = outputs_of(trial, c);
  if (!is_far_from_the_ends(plain) || !is_far_from_the_ends(c.inputs))
    return Outcome::rejected("a number is near the end of its format");
  const Case longer = multiplied(c, [&](const TensorSpec& spec, const Place&) {
    if (spec.name == "beta") return 1 / (by * by);
    return is_key(spec) || (spec.role == Role::input && spec.has(Axis::value)) ? by : 1;
  });
  return same_values("keys and values times a power of two, beta by its square less", c, outputs_of(trial, longer),
                     plain);
}

}  // namespace

std::vector<KernelLaw> kernels_delta_rule_laws() {
  return {{.name = "kernel.signs_of_dimensions_cancel",
           .statement = "q_i, k_i, S0_i -> -q_i, -k_i, -S0_i gives the same o and -S_i, up to the sign of zero",
           .covers = is_delta_rule,
           .covers_case = has_numbers,
           .check = dimension_signs},
          {.name = "kernel.conjugated_inputs_give_conjugated_outputs",
           .statement = "every imaginary part and theta negated: so is every imaginary part of o and S",
           .covers = is_complex,
           .covers_case = has_numbers,
           .check = conjugates},
          {.name = "kernel.query_scaling_by_powers_of_two_is_exact",
           .statement = "q -> 2^m q gives 2^m o and the same S, bit for bit",
           .covers = is_delta_rule,
           .covers_case = has_moderate_numbers,
           .check = queries},
          {.name = "kernel.key_lengths_cancel_against_beta",
           .statement = "k, v, beta -> 2^m k, 2^m v, 2^-2m beta gives the same o and S, bit for bit",
           .covers = is_delta_rule,
           .covers_case = has_moderate_numbers,
           .check = key_lengths}};
}

}  // namespace assay
