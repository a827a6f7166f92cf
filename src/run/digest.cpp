#include "run/digest.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "arith/rounding.hpp"
#include "problem/tensor.hpp"

namespace assay {
namespace {

class Fnv {
 public:
  void add(std::string_view text) {
    for (const char c : text) step(static_cast<unsigned char>(c));
  }
  template <class T>
  void add_integer(T n) {
    for (std::size_t i = 0; i < sizeof(T); ++i) step(static_cast<std::uint64_t>(n) >> (8 * i) & 0xff);
  }
  std::uint64_t value() const { return hash_; }

 private:
  void step(std::uint64_t byte) { hash_ = (hash_ ^ byte) * 0x100000001b3; }
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

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
