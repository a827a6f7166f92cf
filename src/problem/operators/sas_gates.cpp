#include "problem/operators/sas_gates.hpp"

namespace assay::operators {
namespace {

using enum Axis;

const std::vector<Axis> of_blocks{batch, time, head, block};

const ParameterSpec tokens_a_block{"b", "tokens a block", true};
const ParameterSpec normalisation{"normalisation", "0: softmax over the history, 1: sigmoid, 2: the score as it is",
                                  true};

}  // namespace

const Operator& sas_gates() {
  static const Operator op{"sas.gates",
                           "sas",
                           "L = log sum_l e^(s_l) over the history; log g_m = s_m - L, s_m - log(1 + e^(s_m)) or s_m",
                           {{"scores", Role::input, of_blocks, Storage::state, false, true},
                            {"cu_seqlens", Role::bounds, {bounds}, Storage::index, true},
                            {"log_gate", Role::output, of_blocks, Storage::state, false, true},
                            {"lse", Role::output, {batch, time, head}, Storage::state, false, true}},
                           {tokens_a_block, normalisation}};
  return op;
}

const Operator& sas_score_gradients() {
  static const Operator op{
      "sas.score_gradients",
      "sas",
      "ds_m = a_m - g_m sum_l a_l, (1 - g_m) a_m or a_m, with a_m = d log g_m, or g_m dg_m of a straight-through gate",
      {{"log_gate", Role::input, of_blocks, Storage::state, false, true},
       {"d_gate", Role::input, of_blocks, Storage::state},
       {"cu_seqlens", Role::bounds, {bounds}, Storage::index, true},
       {"d_scores", Role::output, of_blocks, Storage::state}},
      {tokens_a_block, normalisation, {"form", "0: d_gate is in log g, 1: in a straight-through gate", true}}};
  return op;
}

}  // namespace assay::operators
