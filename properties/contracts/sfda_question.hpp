#pragma once

#include <array>
#include <string>
#include <string_view>

#include "problem/case_mix.hpp"
#include "properties/contracts/sum_site.hpp"

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

/// A case of one head that a kernel is asked: all zeros, and so without decay, but for beta, which is 1.
class Question {
 public:
  struct Shape {
    std::int64_t sequences = 1, tokens = 1, dimensions = 1, values = 1, chunk = 64;
  };

  /// Plane and dimension, or plane and value.
  struct Place {
    std::int64_t plane, index;
  };

  Question(const Kernel& kernel, const Shape& shape) : kernel_(kernel) {
    case_.op = kernel.op;
    case_.family = "probe";
    case_.element = kernel.contract.input;
    case_.standard = Standard::laws;
    case_.parameters = {{"C", static_cast<double>(shape.chunk)}};
    case_.sizes[batch] = case_.sizes[sequences] = shape.sequences;
    case_.sizes[bounds] = shape.sequences + 1;
    case_.sizes[time] = shape.tokens;
    case_.sizes[feature] = shape.dimensions;
    case_.sizes[value] = shape.values;
    add_tensors(case_, [](const TensorSpec& spec) { return spec.role == Role::initial_state; });
    Tensor& beta = case_.inputs.at("beta");
    for (std::int64_t i = 0; i < beta.count(); ++i) beta.set(i, 1);
  }

  void set_q(std::int64_t n, std::int64_t t, Place at, double x) { set("q", at.plane, key(n, t, at.index), x); }
  void set_k(std::int64_t n, std::int64_t t, Place at, double x) { set("k", at.plane, key(n, t, at.index), x); }
  void set_v(std::int64_t n, std::int64_t t, Place at, double x) { set("v", at.plane, row(n, t, at.index), x); }
  void set_S0(std::int64_t n, Place at, std::int64_t j, double x) { set("S0", at.plane, entry(n, at.index, j), x); }

  void ask() { outputs_ = kernel_.run(case_, {}).outputs; }

  /// The first plane of o, and of S.
  double o(std::int64_t n, std::int64_t t, std::int64_t j) const {
    return outputs_.find(name("o", 0))->second.value(row(n, t, j));
  }
  double S(std::int64_t n, std::int64_t i, std::int64_t j) const {
    return outputs_.find(name("S", 0))->second.value(entry(n, i, j));
  }

 private:
  std::string name(std::string_view tensor, std::int64_t plane) const {
    return std::string(tensor) + std::string(suffixes_of(kernel_, std::string(tensor))[plane]);
  }
  std::int64_t token(std::int64_t n, std::int64_t t) const { return n * case_.sizes[time] + t; }
  std::int64_t key(std::int64_t n, std::int64_t t, std::int64_t i) const {
    return token(n, t) * case_.sizes[feature] + i;
  }
  std::int64_t row(std::int64_t n, std::int64_t t, std::int64_t j) const {
    return token(n, t) * case_.sizes[value] + j;
  }
  std::int64_t entry(std::int64_t n, std::int64_t i, std::int64_t j) const {
    return (n * case_.sizes[feature] + i) * case_.sizes[value] + j;
  }
  void set(std::string_view tensor, std::int64_t plane, std::int64_t i, double x) {
    case_.inputs.find(name(tensor, plane))->second.set(i, x);
  }

  const Kernel& kernel_;
  Case case_;
  Tensors outputs_;
};

}  // namespace assay::sfda_probes
