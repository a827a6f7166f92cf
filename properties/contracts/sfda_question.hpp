#pragma once

#include <array>
#include <string>
#include <string_view>

#include "properties/contracts/asked_case.hpp"

namespace assay::sfda_probes {

using enum Axis;

constexpr std::int64_t largest_chunk = 128;
constexpr std::int64_t block_tokens = 16;  ///< of a chunk: scores within one are summed by fused multiply-adds

/// What the names of the planes of a kind of tensor end with: of complex numbers, of pairs of dimensions, or of one
/// plane.
using Suffixes = std::array<std::string_view, 2>;

inline Suffixes suffixes_of(const Kernel& kernel, const std::string& tensor) {
  for (const Suffixes& suffixes : {Suffixes{"_re", "_im"}, Suffixes{"_x", "_y"}})
    if (kernel.op->find(tensor + std::string(suffixes[0])) != nullptr) return suffixes;
  return {};
}

/// Planes of what has dimensions, and of values: both of complex numbers, the first alone of pairs of dimensions.
inline std::int64_t planes_of(const Kernel& kernel) { return suffixes_of(kernel, "q")[0].empty() ? 1 : 2; }
inline std::int64_t value_planes_of(const Kernel& kernel) { return suffixes_of(kernel, "v")[0].empty() ? 1 : 2; }

/// A case of the delta rule that a kernel is asked: without decay, and beta is 1.
class Question : public AskedCase {
 public:
  /// Plane and dimension, or plane and value.
  struct Place {
    std::int64_t plane, index;
  };

  Question(const Kernel& kernel, const Shape& shape, std::int64_t chunk = 64)
      : AskedCase(kernel, shape, {{"C", static_cast<double>(chunk)}}) {
    add_tensors(input(), [](const TensorSpec& spec) { return spec.role == Role::initial_state; });
    for (std::int64_t i = 0; i < input().inputs.at("beta").count(); ++i) AskedCase::set("beta", i, 1);
  }

  void set_q(std::int64_t n, std::int64_t t, Place at, double x) { set("q", at.plane, key(n, t, at.index), x); }
  void set_k(std::int64_t n, std::int64_t t, Place at, double x) { set("k", at.plane, key(n, t, at.index), x); }
  void set_v(std::int64_t n, std::int64_t t, Place at, double x) { set("v", at.plane, value_at(n, t, at.index), x); }
  void set_S0(std::int64_t n, Place at, std::int64_t j, double x) { set("S0", at.plane, entry(n, at.index, j), x); }

  /// The first plane of o, and of S.
  double o(std::int64_t n, std::int64_t t, std::int64_t j) const { return returned(name("o", 0), value_at(n, t, j)); }
  double S(std::int64_t n, std::int64_t i, std::int64_t j) const { return returned(name("S", 0), entry(n, i, j)); }

 private:
  std::string name(std::string_view tensor, std::int64_t plane) const {
    return std::string(tensor) + std::string(suffixes_of(kernel(), std::string(tensor))[plane]);
  }
  std::int64_t key(std::int64_t n, std::int64_t t, std::int64_t i) const { return row(n, t) * size(feature) + i; }
  std::int64_t value_at(std::int64_t n, std::int64_t t, std::int64_t j) const { return row(n, t) * size(value) + j; }
  std::int64_t entry(std::int64_t n, std::int64_t i, std::int64_t j) const {
    return (n * size(feature) + i) * size(value) + j;
  }
  void set(std::string_view tensor, std::int64_t plane, std::int64_t i, double x) {
    AskedCase::set(name(tensor, plane), i, x);
  }
};

}  // namespace assay::sfda_probes
