#include "run/digest.hpp"

#include <algorithm>
#include <cmath>

#include "arith/rounding.hpp"
#include "problem/fnv.hpp"
#include "problem/tensor.hpp"

namespace assay {
namespace {

/// The bytes with every NaN replaced by one pattern.
std::vector<std::byte> canonical_bytes(const Tensor& tensor) {
  Tensor copy = tensor;
  if (copy.format() == Format::f32) {
    for (float& x : copy.as<float>())
      if (std::isnan(x)) x = canonical_nan;
  } else if (copy.format() == Format::bf16) {
    for (Bf16& x : copy.as<Bf16>())
      if (std::isnan(to_float(x))) x = round_to<Bf16>(canonical_nan);
  }
  return {copy.bytes().begin(), copy.bytes().end()};
}

}  // namespace

std::uint64_t digest(const Tensors& tensors) {
  Fnv hash;
  for (const auto& [name, tensor] : tensors) {
    hash.add(name);
    for (const std::int64_t length : tensor.shape()) hash.add_integer(length);
    for (const std::byte b : canonical_bytes(tensor)) hash.add_integer(static_cast<unsigned char>(b));
  }
  return hash.value();
}

bool same_bits(const Tensors& a, const Tensors& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.shape() == y.second.shape() &&
           canonical_bytes(x.second) == canonical_bytes(y.second);
  });
}

}  // namespace assay
