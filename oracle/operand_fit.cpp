#include "oracle/operand_fit.hpp"

#include "arith/rounding.hpp"

namespace assay {

bool fits_operand(const Contract& contract, double x) {
  const auto fits = [x](const FloatFormat& format) { return round_to(format, x) == x; };
  switch (contract.product) {
    case Product::fma:
      return fits(float32_format);
    case Product::tf32:
      return fits(tf32_format);
    case Product::bf16:
      return fits(bf16_format);
    case Product::fp16:
      return fits(fp16_format);
    case Product::three_tf32:
      return round_to(tf32_format, x - round_to(tf32_format, x)) == x - round_to(tf32_format, x);
  }
  return false;
}

bool fits_one_word(const Contract& contract, double x) {
  return contract.product == Product::three_tf32 ? round_to(tf32_format, x) == x : fits_operand(contract, x);
}

}  // namespace assay
