#include "problem/operators/sfda.hpp"

namespace assay::operators {
namespace {

using enum Axis;

const std::vector<Axis> of_keys{batch, time, head, feature};
const std::vector<Axis> of_values{batch, time, head, value};
const std::vector<Axis> of_tokens{batch, time, head};
const std::vector<Axis> of_states{sequences, head, feature, value};

TensorSpec input(std::string_view name, const std::vector<Axis>& axes) { return {name, Role::input, axes}; }
TensorSpec control(std::string_view name, const std::vector<Axis>& axes) {
  return {name, Role::input, axes, Storage::state};
}
TensorSpec decay(const std::vector<Axis>& axes) {
  return {"log_alpha", Role::input, axes, Storage::state, false, true};
}
TensorSpec initial(std::string_view name) { return {name, Role::initial_state, of_states, Storage::state, true}; }
TensorSpec output(std::string_view name) { return {name, Role::output, of_values, Storage::result}; }
TensorSpec final(std::string_view name) { return {name, Role::final_state, of_states, Storage::state, true}; }

const TensorSpec cu_seqlens{"cu_seqlens", Role::bounds, {bounds}, Storage::index, true};
const TensorSpec beta = control("beta", of_tokens);
const ParameterSpec chunk{"C", "tokens a chunk, for the kernels that take chunks", true};

/// A real operator, which has `decays` beside q k v beta.
Operator real_operator(std::string_view name, std::string_view statement, const std::vector<TensorSpec>& decays) {
  Operator op{name,    "sfda", statement, {input("q", of_keys), input("k", of_keys), input("v", of_values)},
              {chunk}, true,   3};
  op.tensors.insert(op.tensors.end(), decays.begin(), decays.end());
  for (const TensorSpec& spec : {beta, cu_seqlens, initial("S0"), output("o"), final("S")}) op.tensors.push_back(spec);
  return op;
}

}  // namespace

const Operator& sfda_attention() {
  static const Operator op{
      "sfda.attention",
      "sfda",
      "S_t = (I - beta k k*) diag(e^(log_alpha + i theta)) S_(t-1) + beta k v*, o_t = S_t* q_t, complex",
      {input("q_re", of_keys), input("q_im", of_keys), input("k_re", of_keys), input("k_im", of_keys),
       input("v_re", of_values), input("v_im", of_values), decay(of_keys), control("theta", of_keys), beta, cu_seqlens,
       initial("S0_re"), initial("S0_im"), output("o_re"), output("o_im"), final("S_re"), final("S_im")},
      {chunk},
      true,
      12};
  return op;
}

const Operator& kda_attention() {
  static const Operator op =
      real_operator("kda.attention", "S_t = (I - beta k k^T) diag(e^log_alpha) S_(t-1) + beta k v^T, o_t = S_t^T q_t",
                    {decay(of_keys)});
  return op;
}

const Operator& gated_delta_attention() {
  static const Operator op =
      real_operator("gated_delta.attention", "S_t = (I - beta k k^T) e^log_alpha S_(t-1) + beta k v^T, o_t = S_t^T q_t",
                    {decay(of_tokens)});
  return op;
}

const Operator& delta_attention() {
  static const Operator op =
      real_operator("delta.attention", "S_t = (I - beta k k^T) S_(t-1) + beta k v^T, o_t = S_t^T q_t", {});
  return op;
}

const Operator& rotation_blocks_attention() {
  static const Operator op{"rotation_blocks.attention",
                           "sfda",
                           "S_t = (I - beta k k^T) R(e^(log_alpha + i theta)) S_(t-1) + beta k v^T, o_t = S_t^T q_t, "
                           "real, R of 2 x 2 blocks",
                           {input("q_x", of_keys), input("q_y", of_keys), input("k_x", of_keys), input("k_y", of_keys),
                            input("v", of_values), decay(of_keys), control("theta", of_keys), beta, cu_seqlens,
                            initial("S0_x"), initial("S0_y"), output("o"), final("S_x"), final("S_y")},
                           {chunk},
                           true,
                           10};
  return op;
}

const Operator& sfda_compose() {
  static const std::vector<Axis> of_maps{batch, time, head, feature, feature},
      of_writes{batch, time, head, feature, value}, of_products{sequences, head, feature, feature};
  const auto node = [](std::string_view name, const std::vector<Axis>& axes) {
    return TensorSpec{name, Role::node, axes, Storage::state};
  };
  const auto result = [](std::string_view name, const std::vector<Axis>& axes) {
    return TensorSpec{name, Role::output, axes, Storage::state};
  };
  static const Operator op{
      "sfda.compose",
      "sfda",
      "P = A_n ... A_1, Z = A_n (... (A_2 B_1 + B_2) ...) + B_n: one map S -> P S + Z for maps S -> A_t S + B_t, "
      "complex",
      {input("A_re", of_maps), input("A_im", of_maps), input("B_re", of_writes), input("B_im", of_writes), cu_seqlens,
       result("P_re", of_products), result("P_im", of_products), result("Z_re", of_states), result("Z_im", of_states),
       node("P_node_re", of_maps), node("P_node_im", of_maps), node("Z_node_re", of_writes),
       node("Z_node_im", of_writes)},
      {},
      true};
  return op;
}

}  // namespace assay::operators
