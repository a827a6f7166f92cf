#include "oracle/rounding_units.hpp"

namespace assay {
namespace {

double unit(Format format) { return format == Format::f32 ? 0 : float_format(format).unit_roundoff(); }

/// What a factor loses on its way into the product: to nearest half a unit of its 11 bits, truncated a whole one.
/// Two tf32 words hold a float to 2^-22; the product of the two low words is left out, another 2^-22 of |a b|, which is
/// charged half to each factor.
double operand_unit(const Contract& contract) {
  switch (contract.product) {
    case Product::tf32:
      return contract.tf32_input == Tf32Input::truncated ? 0x1p-10 : 0x1p-11;
    case Product::three_tf32:
      return 0x1p-22 + 0x1p-23;
    default:
      return 0;  // fma takes floats as they are; bf16 and fp16 operands are rounded as the contract says
  }
}

/// An instruction with K products: |err| ≤ (K + 1) 2^(maxE - 25) + 2^-23 |D|, and 2^maxE and |D| are at most the sum of
/// the absolute values that the chain has met.
double chain_unit(const Contract& contract) {
  if (contract.mma_chain == 0) return 0;
  const bool tf32 = contract.product == Product::tf32 || contract.product == Product::three_tf32;
  const double K = tf32 ? 8 : 16;
  return static_cast<double>(contract.mma_chain) * ((K + 1) * 0x1p-25 + 0x1p-23);
}

}  // namespace

RoundingUnits rounding_units(const Contract& contract) {
  RoundingUnits units;
  units.features = unit(contract.features);
  units.weights = unit(contract.weights);
  units.operand = operand_unit(contract);
  units.state = unit(contract.state_operand) + operand_unit(contract);
  units.truncation = chain_unit(contract);
  const bool rounds = units.features + units.weights + units.operand + units.state > 0;
  // bf16's is the largest of them; an instruction keeps nothing below 2^-158 of at most 17 addends.
  units.small = rounds ? bf16_format.eta() : 0;
  units.eta += static_cast<double>(contract.mma_chain) * 17 * 0x1p-158;
  // A GPU adds to global memory without subnormals, in any order: a law demands that the contract says the order.
  if (contract.repeats == Repeats::never) units.added = 0x1p-125;
  if (contract.flushes_subnormals) units.eta = units.small = 0x1p-126;
  return units;
}

}  // namespace assay
