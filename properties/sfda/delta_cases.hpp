#pragma once

#include <functional>
#include <span>

#include "problem/case.hpp"
#include "problem/draw.hpp"
#include "problem/sized_case.hpp"

/// Cases of the operators of the delta rule, for laws of their oracle.
namespace assay::sfda {

/// The operators of the delta rule: complex, by dimensions, by heads, without decay.
std::span<const Operator* const> delta_operators();

enum class Keys { unit, equal, one_hot, free };

/// How a case is filled; values are cut to the tensors' format.
struct DeltaInputs {
  Keys keys = Keys::unit;
  std::function<double(Draw&)> beta;       ///< of a token
  std::function<double(Draw&)> log_alpha;  ///< of a dimension, or of a token where there is one decay
  std::function<double(Draw&)> theta;
  double value_scale = 1;
  bool resumed = false;  ///< from an initial state
};

/// β and α in (0, 1), α close to 1, θ in [-4, 4], unit keys.
DeltaInputs plain_inputs();

/// β one of 0, 1, 2, 2.1 or all of them; log α one of 0, -1e-3, -10, -200, -inf or all; θ up to 2^40; any keys.
DeltaInputs hard_inputs(Draw& draw);

/// Sequences of size.tokens each, `size.batch` of them; packed in one row of another order of lengths, or not.
Case delta_case(const Operator& op, const CaseSize& size, const DeltaInputs& inputs, Draw& draw);

/// Over a field: everything free, decays and phases small whole numbers, some decays 0.
Case delta_case_over_field(const Operator& op, Format field, const CaseSize& size, bool packed, Draw& draw);

}  // namespace assay::sfda
