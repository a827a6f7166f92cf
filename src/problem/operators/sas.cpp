#include "problem/operators/sas.hpp"

namespace assay::operators {
namespace {

using enum Axis;

/// Axes of a query's tensors: a query a token, or one a sequence.
const std::vector<Axis> of_tokens{batch, time, head}, of_sequences{sequences, head};

std::vector<Axis> with(std::vector<Axis> axes, std::initializer_list<Axis> more) {
  axes.insert(axes.end(), more);
  return axes;
}

/// Softmax attention with queries of these axes; `sparse`: by selected blocks.
Operator attention(std::string_view name, std::string_view statement, const std::vector<Axis>& query, bool sparse) {
  Operator op{name, "sas", statement, {}, {{"scale", "factor of every inner product of a query and a key"}}};
  op.tensors = {{"q", Role::input, with(query, {group, feature})},
                {"k", Role::input, {batch, time, head, feature}},
                {"v", Role::input, {batch, time, head, value}}};
  if (sparse) {
    op.tensors.push_back({"selected", Role::input, with(query, {slot}), Storage::index});
    op.tensors.push_back({"log_gate", Role::input, with(query, {block}), Storage::state, true, true});
    op.parameters.push_back({"b", "tokens a block", true});
    op.parameters.push_back({"position", "0: a gate is inside the softmax, 1: outside", true});
  }
  op.tensors.push_back({"cu_seqlens", Role::bounds, {bounds}, Storage::index, true});
  op.tensors.push_back({"o", Role::output, with(query, {group, value}), Storage::result});
  op.tensors.push_back({"lse", Role::output, with(query, {group}), Storage::state, false, true});
  return op;
}

}  // namespace

const Operator& softmax_attention() {
  static const Operator op =
      attention("softmax.attention", "o_t = sum_{j<=t} e^(scale q_t k_j - L) v_j, L = log sum_{j<=t} e^(scale q_t k_j)",
                of_tokens, false);
  return op;
}

const Operator& sas_attention() {
  static const Operator op = attention(
      "sas.attention", "softmax over t's own block up to t and its selected blocks, log-gates inside or gates outside",
      of_tokens, true);
  return op;
}

const Operator& sas_select() {
  static const Operator op{
      "sas.select",
      "sas",
      "the K blocks of the highest scores scale q k_m among the full ones before a query's own",
      {{"q", Role::input, {batch, time, head, feature}},
       {"block_key", Role::input, {sequences, block, head, feature}},
       {"cu_seqlens", Role::bounds, {bounds}, Storage::index, true},
       {"scores", Role::node, {batch, time, head, block}, Storage::state},
       {"threshold", Role::output, {batch, time, head}, Storage::state},
       {"selected", Role::output, {batch, time, head, slot}, Storage::index}},
      {{"scale", "factor of every inner product of a query and a key"}, {"b", "tokens a block", true}}};
  return op;
}

const Operator& softmax_decode() {
  static const Operator op =
      attention("softmax.decode", "softmax.attention for one query a sequence, which sees all of its tokens",
                of_sequences, false);
  return op;
}

const Operator& sas_decode() {
  static const Operator op =
      attention("sas.decode", "sas.attention for one query a sequence, at its last token", of_sequences, true);
  return op;
}

}  // namespace assay::operators
