#include "problem/operators/sas_gradients.hpp"

#include "problem/operators/sas.hpp"

namespace assay::operators {
namespace {

using enum Axis;

/// The inputs of attention and its outputs, stored; then the gradients of the former.
Operator gradients(std::string_view name, std::string_view statement, const Operator& forward) {
  Operator op{name, "sas", statement, {}, forward.parameters};
  for (const TensorSpec& spec : forward.tensors)
    if (!is_output(spec.role)) op.tensors.push_back(spec);
  op.tensors.push_back({"o", Role::input, {batch, time, head, group, value}});
  op.tensors.push_back({"lse", Role::input, {batch, time, head, group}, Storage::state, false, true});
  op.tensors.push_back({"do", Role::input, {batch, time, head, group, value}});
  op.tensors.push_back({"dq", Role::output, {batch, time, head, group, feature}, Storage::result});
  op.tensors.push_back({"dk", Role::output, {batch, time, head, feature}, Storage::result});
  op.tensors.push_back({"dv", Role::output, {batch, time, head, value}, Storage::result});
  if (forward.uses(slot))
    op.tensors.push_back({"d_log_gate", Role::output, {batch, time, head, block}, Storage::state});
  return op;
}

}  // namespace

const Operator& softmax_gradients() {
  static const Operator op = gradients("softmax.gradients",
                                       "dS = P (do V^T - <do, o>), P = e^(scale q k - L) from the stored o and L; "
                                       "dq = scale dS k, dk = scale dS^T q, dv = P^T do",
                                       softmax_attention());
  return op;
}

const Operator& sas_gradients() {
  static const Operator op = gradients(
      "sas.gradients", "gradients of sas.attention from the stored o and L, its log-gates' as sums of dS over a block",
      sas_attention());
  return op;
}

bool is_backward(const Operator& op) { return op.find("do") != nullptr; }

Case forward_case(const Case& gradients) {
  Case c = gradients;
  c.op = gradients.op->uses(slot) ? &sas_attention() : &softmax_attention();
  std::erase_if(c.inputs, [&](const auto& input) {
    const TensorSpec* const spec = c.op->find(input.first);
    return spec == nullptr || is_output(spec->role);
  });
  return c;
}

bool is_of_later_queries(const Operator& op, const TensorSpec& output) {
  return is_backward(op) && is_output(output.role) && !output.has(group) && !output.has(block);
}

}  // namespace assay::operators
