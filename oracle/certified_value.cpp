#include "oracle/certified_value.hpp"

namespace assay {

void set(Reference& reference, std::size_t i, const CertifiedValue& x) {
  reference.hi[i] = x.value.hi;
  reference.lo[i] = x.value.lo;
  reference.radius[i] = x.radius * (1 + 0x1p-40);
}

References empty_references(const Case& c) {
  References out;
  for (const TensorSpec& spec : c.op->tensors) {
    if (!is_output(spec.role)) continue;
    const Shape shape = spec.shape(c.sizes);
    const std::vector<double> zeros(static_cast<std::size_t>(count_of(shape)));
    out.emplace(spec.name, Reference{shape, zeros, zeros, zeros});
  }
  return out;
}

Tensors empty_outputs(const Case& c, Format result) {
  Tensors out;
  for (const TensorSpec& spec : c.op->tensors)
    if (is_output(spec.role)) out.emplace(spec.name, Tensor(c.format_of(spec, result), spec.shape(c.sizes)));
  return out;
}

}  // namespace assay
