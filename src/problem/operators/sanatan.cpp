#include "problem/operators/sanatan.hpp"

namespace assay::operators {
namespace {

using enum Axis;

const TensorSpec cu_seqlens{"cu_seqlens", Role::bounds, {bounds}, Storage::index, true};
const TensorSpec omega{"omega", Role::parameter, {head, feature}, Storage::state};
const TensorSpec lambda{"lambda", Role::parameter, {head, feature}, Storage::state};
const TensorSpec t0{"t0", Role::position, {sequences}, Storage::index, true};
const TensorSpec v{"v", Role::input, {batch, time, head, value}};
const TensorSpec initial_S{"S0", Role::initial_state, {sequences, head, channel, feature, value}, Storage::state, true};
const TensorSpec initial_z{"z0", Role::initial_state, {sequences, head, channel, feature}, Storage::state, true};
const TensorSpec o{"o", Role::output, {batch, time, head, value}, Storage::result};
const TensorSpec final_S{"S", Role::final_state, {sequences, head, channel, feature, value}, Storage::state, true};
const TensorSpec final_z{"z", Role::final_state, {sequences, head, channel, feature}, Storage::state, true};
const TensorSpec numerator{"N", Role::sum, {batch, time, head, value}, Storage::state, true};
const TensorSpec denominator{"D", Role::sum, {batch, time, head}, Storage::state, true};

const ParameterSpec power{"p", "exponent of the total score", true};
const ParameterSpec normaliser{"normaliser", "c: the total score is divided by it before the power"};
const ParameterSpec epsilon{"eps", "added to the sum of weights"};
const ParameterSpec gamma{"gamma", "steepness of the label"};

}  // namespace

const Operator& sanatan_features() {
  static const Operator op{
      "sanatan.features",
      "sanatan",
      "theta = pi x/(1+|x|), r = tanh(gamma (cos - sin)(theta + omega)), phi = channels of (theta + t lambda, r)",
      {{"x", Role::input, {batch, time, head, feature}},
       omega,
       lambda,
       cu_seqlens,
       t0,
       {"theta", Role::output, {batch, time, head, feature}, Storage::state},
       {"r", Role::output, {batch, time, head, feature}, Storage::state},
       {"phi", Role::output, {batch, time, head, channel, feature}, Storage::result}},
      {gamma}};
  return op;
}

const Operator& sanatan_attention() {
  static const Operator op{"sanatan.attention",
                           "sanatan",
                           "o_t = sum_{j<=t} (s_tj/c)^p v_j / (sum_{j<=t} (s_tj/c)^p + eps), s = <Phi(q), Phi(k)>",
                           {{"q", Role::input, {batch, time, head, feature}},
                            {"k", Role::input, {batch, time, head, feature}},
                            v,
                            omega,
                            lambda,
                            cu_seqlens,
                            t0,
                            initial_S,
                            initial_z,
                            o,
                            final_S,
                            final_z,
                            numerator,
                            denominator},
                           {power, normaliser, epsilon, gamma}};
  return op;
}

const Operator& sanatan_feature_attention() {
  static const Operator op{"sanatan.feature_attention",
                           "sanatan",
                           "o_t = sum_{j<=t} (s_tj/c)^p v_j / (sum_{j<=t} (s_tj/c)^p + eps), s = <phi_q, phi_k>",
                           {{"phi_q", Role::input, {batch, time, head, channel, feature}},
                            {"phi_k", Role::input, {batch, time, head, channel, feature}},
                            v,
                            cu_seqlens,
                            initial_S,
                            initial_z,
                            o,
                            final_S,
                            final_z,
                            numerator,
                            denominator},
                           {power, normaliser, epsilon}};
  return op;
}

}  // namespace assay::operators
