#pragma once

#include <functional>
#include <string_view>

#include "problem/kernel_law.hpp"
#include "problem/places.hpp"

namespace assay {

/// What the trial's kernel returns for a case.
Tensors outputs_of(const KernelTrial& trial, const Case& c, const Execution& execution = {});

/// Elements that a comparison leaves out.
using Except = std::function<bool(const TensorSpec&, const Place&)>;

/// Holds if both have the same bits, every NaN counting as the same one. Names the first element that differs.
/// `c` is the case that has outputs of these shapes.
Outcome same_bits(std::string_view what, const Case& c, const Tensors& got, const Tensors& want,
                  const Except& except = nullptr);

/// The same where zeros of both signs are one value.
Outcome same_values(std::string_view what, const Case& c, const Tensors& got, const Tensors& want);

/// Whether the tensor, or its plane, holds what states are read with.
bool is_query(const TensorSpec& spec);

/// The case judged by its standard.
Outcome meets_its_standard(const KernelTrial& trial, const Case& c);

/// Whether every element but zeros is between 2^-80 and 2^80, far from the ends of f32 and bf16.
bool is_of_moderate_size(const Tensor& tensor);

/// Whether no decay takes a state of moderate size below the normal numbers but to 0: what is lost there may break a
/// tie.
bool has_moderate_decays(const Case& c);

}  // namespace assay
