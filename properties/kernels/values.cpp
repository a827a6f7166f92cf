#include <algorithm>

#include "problem/operators/sas_gradients.hpp"
#include "problem/transforms.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/kernels/outputs.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

bool is_linear_in_values(const Kernel& kernel) {
  return !operators::is_backward(*kernel.op) &&
         std::ranges::any_of(kernel.op->tensors, [](const TensorSpec& spec) { return spec.has(Axis::value); });
}

/// Every value far from the ends of its format, so that no result leaves the normal numbers.
bool has_moderate_values(const Case& c) {
  return c.standard != Standard::laws && has_moderate_decays(c) &&
         std::ranges::all_of(c.inputs, [&](const auto& entry) {
           return !c.op->find(entry.first)->has(Axis::value) || is_of_moderate_size(entry.second);
         });
}

Outcome scaling(const KernelTrial& trial) {
  const Case& c = trial.input;
  const double factor = power_of_two(static_cast<int>(trial.draw.below(41)) - (is_field(c.element) ? 0 : 20));
  const Tensors plain = outputs_of(trial, c);
  if (!std::ranges::all_of(plain, [](const auto& entry) { return is_of_moderate_size(entry.second); }))
    return Outcome::rejected("an output is near the end of its format");
  return same_values("values times a power of two", c, outputs_of(trial, scaled(c, Axis::value, factor)),
                     scaled(c, plain, Axis::value, factor));
}

Outcome negation(const KernelTrial& trial) {
  const Case& c = trial.input;
  return same_values("values negated", c, outputs_of(trial, scaled(c, Axis::value, -1)),
                     scaled(c, outputs_of(trial, c), Axis::value, -1));
}

/// Sums in which z is a column of S: v is one power of two, S0 as much of z0, and eps is 0.
Case constant_case(Case c, double value) {
  c.parameters["eps"] = 0;
  Tensor& v = c.inputs.at("v");
  for (std::int64_t i = 0; i < v.count(); ++i) v.set(i, value);
  if (!c.has("S0")) return c;
  Tensor& S = c.inputs.at("S0");
  const Tensor& z = c.inputs.at("z0");
  const std::int64_t dv = c.sizes[Axis::value];
  for (std::int64_t i = 0; i < S.count(); ++i) S.set(i, z.value(i / dv) * value);
  return c;
}

Outcome constants(const KernelTrial& trial) {
  const double value = power_of_two(static_cast<int>(trial.draw.below(41)) - 20);
  const Case c = constant_case(trial.input, value);
  if (!trial.kernel.contract.one_order) return meets_its_standard(trial, c);
  const Tensors outputs = outputs_of(trial, c);
  Tensors want = outputs;
  Tensor &o = want.at("o"), &S = want.at("S");
  // 0 / 0 where nothing was written yet, or everything cancels.
  for (std::int64_t i = 0; i < o.count(); ++i)
    if (!std::isnan(o.value(i))) o.set(i, value);
  for (std::int64_t i = 0; i < S.count(); ++i) S.set(i, outputs.at("z").value(i / c.sizes[Axis::value]) * value);
  return same_bits("v = 2^k", c, outputs, want);
}

bool has_normaliser(const Kernel& kernel) { return kernel.op->find("v") != nullptr && kernel.op->find("z") != nullptr; }

}  // namespace

std::vector<KernelLaw> kernels_values_laws() {
  return {
      {.name = "kernel.value_scaling_by_powers_of_two_is_exact",
       .statement = "v, S0 -> 2^k v, 2^k S0 gives 2^k o, 2^k S, bit for bit",
       .covers = is_linear_in_values,
       .covers_case = has_moderate_values,
       .check = scaling},
      {.name = "kernel.sign_flip_of_values_is_exact",
       .statement = "v, S0 -> -v, -S0 gives -o, -S, up to the sign of zero",
       .covers = is_linear_in_values,
       .check = negation},
      {.name = "kernel.constant_values_give_constant_output",
       .statement =
           "v = 2^k and eps = 0 give o = 2^k, S = 2^k z: bit for bit where S and z are summed in one order, elsewhere "
           "within the bound",
       .covers = has_normaliser,
       .covers_case = [](const Case& c) { return c.standard == Standard::bound; },
       .check = constants}};
}

}  // namespace assay
