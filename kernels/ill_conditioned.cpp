#include "kernels/ill_conditioned.hpp"

#include <algorithm>
#include <array>

namespace assay {
namespace {

bool multiplies_narrow(const Contract& c) { return c.product == Product::bf16 || c.product == Product::fp16; }
bool multiplies_coarsely(const Contract& c) { return multiplies_narrow(c) || c.product == Product::tf32; }
bool keeps_float32(const Contract& c) { return c.output == Format::f32; }
bool sums_float32(const Contract& c) { return keeps_float32(c) && c.algorithm != Algorithm::decode; }
bool rounds_operands(const Contract& c) { return c.product != Product::fma || c.output != Format::f32; }
bool multiplies_in_tf32(const Contract& c) { return c.product == Product::tf32; }
bool any(const Contract&) { return true; }
bool is_float32_pointwise(const Contract& c) { return c.algorithm == Algorithm::pointwise && keeps_float32(c); }

/// A family with what it does to rounding errors, for the contracts that meet it in full.
struct Cell {
  std::string_view op, family;
  bool (*covers)(const Contract&);
  double amplification;
};

// cancelling: a value and its negative differ by 2^-16, where the format of the values holds that.
// opposite_labels: exact scores are down to 2^-38 of the sums that they are of.
// equal_keys: one score for all tokens of a row, which no other makes up for where it is small beside its terms.
// subnormal: formats of 8 exponent bits round values at 2^-134, however small these are.
// two_keys of gradients: an output of few columns is a small difference where one of the keys is seen once.
// long_keys: tokens whose |k|² is above 2 expand the state.
// history: one component of a complex output may be far below the other, and their bound is one.
// beta_2, beta_beyond_2: tokens reflect or expand, so that an error of the first token is as large at the last.
// no_decay, unit_keys without decays: what many tokens wrote stays, and may cancel in an output of few columns.
// peaked: scores are in the hundreds, and an error of a score is one of a weight's logarithm.
// sharp, peaked of gradients: where one key takes all the weight its dS is what the stored o and L have lost.
// huge_exact of gated gradients: two equal keys of one block take all the weight, and its gate's gradient cancels.
// deep_gates of gradients: weights down to e^-200 are no numbers, nor is what their gates' gradients sum.
// boundary_labels: r is within 2^-20 of 0, the sum of angles that it comes from is not.
constexpr std::array cells = {
    Cell{"sanatan.attention", "cancelling", sums_float32, 0x1p9},
    Cell{"sanatan.attention", "cancelling", multiplies_narrow, 0x1p6},
    Cell{"sanatan.attention", "opposite_labels", any, 0x1p24},
    Cell{"sanatan.attention", "equal_keys", rounds_operands, 0x1p1},
    Cell{"sanatan.attention", "subnormal", rounds_operands, 0x1p4},
    Cell{"sanatan.feature_attention", "cancelling", sums_float32, 0x1p9},
    Cell{"sanatan.feature_attention", "cancelling", multiplies_narrow, 0x1p6},
    Cell{"sanatan.feature_attention", "opposite_labels", multiplies_narrow, 0x1p1},
    Cell{"sanatan.feature_attention", "subnormal", rounds_operands, 0x1p4},
    Cell{"sanatan.features", "boundary_labels", is_float32_pointwise, 0x1p20},
    Cell{"delta.attention", "cancelling", multiplies_coarsely, 0x1p1},
    Cell{"delta.attention", "beta_2", multiplies_coarsely, 0x1p1},
    Cell{"delta.attention", "beta_beyond_2", multiplies_coarsely, 0x1p1},
    Cell{"delta.attention", "unit_keys", multiplies_narrow, 0x1p0},
    Cell{"delta.attention", "equal_keys", multiplies_narrow, 0x1p1},
    Cell{"delta.attention", "subnormal", rounds_operands, 0x1p1},
    Cell{"delta.attention", "long_keys", any, 0x1p1},
    Cell{"gated_delta.attention", "cancelling", multiplies_coarsely, 0x1p1},
    Cell{"gated_delta.attention", "beta_2", multiplies_coarsely, 0x1p1},
    Cell{"gated_delta.attention", "beta_beyond_2", multiplies_coarsely, 0x1p1},
    Cell{"gated_delta.attention", "equal_keys", multiplies_narrow, 0x1p1},
    Cell{"gated_delta.attention", "no_decay", multiplies_narrow, 0x1p1},
    Cell{"gated_delta.attention", "subnormal", rounds_operands, 0x1p1},
    Cell{"gated_delta.attention", "long_keys", any, 0x1p1},
    Cell{"kda.attention", "cancelling", multiplies_coarsely, 0x1p1},
    Cell{"kda.attention", "beta_2", multiplies_coarsely, 0x1p1},
    Cell{"kda.attention", "beta_beyond_2", multiplies_coarsely, 0x1p1},
    Cell{"kda.attention", "equal_keys", multiplies_narrow, 0x1p1},
    Cell{"kda.attention", "no_decay", multiplies_narrow, 0x1p1},
    Cell{"kda.attention", "subnormal", rounds_operands, 0x1p1},
    Cell{"kda.attention", "long_keys", any, 0x1p1},
    Cell{"sfda.attention", "cancelling", multiplies_coarsely, 0x1p1},
    Cell{"sfda.attention", "beta_2", multiplies_coarsely, 0x1p1},
    Cell{"sfda.attention", "beta_beyond_2", multiplies_coarsely, 0x1p1},
    Cell{"sfda.attention", "equal_keys", multiplies_narrow, 0x1p1},
    Cell{"sfda.attention", "no_decay", multiplies_narrow, 0x1p1},
    Cell{"sfda.attention", "subnormal", rounds_operands, 0x1p1},
    Cell{"sfda.attention", "history", multiplies_narrow, 0x1p0},
    Cell{"sfda.attention", "long_keys", any, 0x1p1},
    Cell{"rotation_blocks.attention", "subnormal", rounds_operands, 0x1p1},
    Cell{"rotation_blocks.attention", "long_keys", any, 0x1p1},
    Cell{"softmax.attention", "cancelling", any, 0x1p1},
    Cell{"softmax.attention", "peaked", multiplies_in_tf32, 0x1p4},
    Cell{"softmax.attention", "peaked", keeps_float32, 0x1p1},
    Cell{"softmax.attention", "subnormal", rounds_operands, 0x1p1},
    Cell{"sas.attention", "cancelling", any, 0x1p1},
    Cell{"sas.attention", "peaked", multiplies_in_tf32, 0x1p4},
    Cell{"sas.attention", "peaked", keeps_float32, 0x1p1},
    Cell{"sas.attention", "subnormal", rounds_operands, 0x1p1},
    Cell{"softmax.gradients", "cancelling", any, 0x1p1},
    Cell{"softmax.gradients", "sharp", any, 0x1p1},
    Cell{"softmax.gradients", "peaked", any, 0x1p4},
    Cell{"softmax.gradients", "two_keys", rounds_operands, 0x1p0},
    Cell{"softmax.gradients", "subnormal", rounds_operands, 0x1p1},
    Cell{"sas.gradients", "cancelling", any, 0x1p1},
    Cell{"sas.gradients", "sharp", any, 0x1p1},
    Cell{"sas.gradients", "peaked", any, 0x1p4},
    Cell{"sas.gradients", "huge_exact", any, 0x1p0},
    Cell{"sas.gradients", "deep_gates", any, 0x1p0},
    Cell{"sas.gradients", "zero_queries_deep_gates", any, 0x1p0},
    Cell{"sas.gradients", "two_keys", rounds_operands, 0x1p0},
    Cell{"sas.gradients", "subnormal", rounds_operands, 0x1p1},
    Cell{"softmax.decode", "cancelling", any, 0x1p1},
    Cell{"softmax.decode", "peaked", keeps_float32, 0x1p1},
    Cell{"softmax.decode", "subnormal", rounds_operands, 0x1p1},
    Cell{"sas.decode", "cancelling", any, 0x1p1},
    Cell{"sas.decode", "peaked", keeps_float32, 0x1p1},
    Cell{"sas.decode", "subnormal", rounds_operands, 0x1p1},
};

}  // namespace

std::map<std::string_view, double> ill_conditioned_families(const Operator& op, const Contract& contract) {
  std::map<std::string_view, double> families;
  for (const Cell& cell : cells)
    if (cell.op == op.name && cell.covers(contract)) families.emplace(cell.family, cell.amplification);
  return families;
}

}  // namespace assay
