#include <algorithm>

#include "problem/transforms.hpp"
#include "problem/values.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/kernels/outputs.hpp"

namespace assay {
namespace {

bool has_features(const TensorSpec& spec) { return spec.has(Axis::channel) && spec.has(Axis::feature); }

/// Whether features are inputs, of queries and of keys.
bool takes_features(const Kernel& kernel) {
  return std::ranges::any_of(kernel.op->tensors,
                             [](const TensorSpec& spec) { return spec.role == Role::input && has_features(spec); });
}

template <class F>
void negate_element(Tensor& tensor, std::int64_t i) {
  F& x = tensor.as<F>()[static_cast<std::size_t>(i)];
  x = -x;
}

void negate(Tensor& tensor, std::int64_t i) {
  if (tensor.format() == Format::gf61)
    negate_element<F61>(tensor, i);
  else if (tensor.format() == Format::gf31)
    negate_element<F31>(tensor, i);
  else
    tensor.set(i, -tensor.value(i));
}

/// Negates a set of features in every tensor that has them.
Tensors with_signs(const Case& c, Tensors tensors, const std::vector<bool>& negative) {
  for (auto& [name, tensor] : tensors) {
    const TensorSpec& spec = *c.op->find(name);
    if (!has_features(spec)) continue;
    for (std::int64_t i = 0; i < tensor.count(); ++i) {
      const Place p = place_of(c, spec, i);
      if (negative[static_cast<std::size_t>(p[Axis::channel] * c.sizes[Axis::feature] + p[Axis::feature])])
        negate(tensor, i);
    }
  }
  return tensors;
}

Outcome signs(const KernelTrial& trial) {
  const Case& c = trial.input;
  std::vector<bool> negative(static_cast<std::size_t>(c.sizes[Axis::channel] * c.sizes[Axis::feature]));
  for (std::size_t f = 0; f < negative.size(); ++f) negative[f] = trial.draw.below(2) == 0;
  Case flipped = c;
  flipped.inputs = with_signs(c, c.inputs, negative);
  return same_values("features of queries, keys and states negated", c, outputs_of(trial, flipped),
                     with_signs(c, outputs_of(trial, c), negative));
}

Outcome zero_keys(const KernelTrial& trial) {
  Case c = trial.input;
  Tensor& k = c.inputs.at("phi_k");
  const std::int64_t width = c.sizes[Axis::channel] * c.sizes[Axis::feature];
  std::vector<bool> silent(static_cast<std::size_t>(k.count() / width));
  for (std::size_t row = 0; row < silent.size(); ++row) silent[row] = trial.draw.below(2) == 0;
  for (std::int64_t i = 0; i < k.count(); ++i)
    if (silent[static_cast<std::size_t>(i / width)]) k.set(i, 0);
  Case other = c;
  Tensor& v = other.inputs.at("v");
  for (std::int64_t i = 0; i < v.count(); ++i)
    if (silent[static_cast<std::size_t>(i / c.sizes[Axis::value])])
      v.set(i, is_field(c.element) ? 7 : shortened(scaled_dyadic(trial.draw, -20, 40), v.format()));
  return same_values("values beside zero keys changed", c, outputs_of(trial, other), outputs_of(trial, c));
}

}  // namespace

std::vector<KernelLaw> kernels_features_laws() {
  return {{.name = "kernel.signs_of_features_cancel",
           .statement = "negating the same features of queries, keys and states leaves o, up to the sign of zero",
           .covers = takes_features,
           .check = signs},
          {.name = "kernel.zero_keys_write_nothing",
           .statement = "beside a key of zeros a value changes neither o nor the state",
           .covers = takes_features,
           .covers_case = [](const Case& c) { return c.standard != Standard::laws; },
           .check = zero_keys}};
}

}  // namespace assay
