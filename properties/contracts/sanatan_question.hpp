#pragma once

#include <string_view>

#include "problem/case_mix.hpp"
#include "properties/contracts/sum_site.hpp"

namespace assay::sanatan_probes {

using enum Axis;

/// A quotient by it is exact, and it absorbs every D below 2^36.
constexpr double large_eps = 0x1p60;
/// Keeps D = 0 apart from its neighbours.
constexpr double small_eps = 0x1p-40;

/// A case of one head, all zeros, that a kernel is asked.
class Question {
 public:
  struct Shape {
    std::int64_t sequences = 1, tokens = 1, dimensions = 1, values = 1;
  };

  Question(const Kernel& kernel, const Shape& shape, double eps) : kernel_(kernel) {
    case_.op = kernel.op;
    case_.family = "probe";
    case_.element = kernel.contract.input;
    case_.standard = Standard::laws;
    case_.parameters = {{"p", 1}, {"normaliser", 1}, {"eps", eps}};
    case_.sizes[batch] = case_.sizes[sequences] = shape.sequences;
    case_.sizes[bounds] = shape.sequences + 1;
    case_.sizes[time] = shape.tokens;
    case_.sizes[channel] = kernel.limits.channels.front();
    case_.sizes[feature] = shape.dimensions;
    case_.sizes[Axis::value] = shape.values;
    add_tensors(
        case_, [&](const TensorSpec& spec) { return spec.role == Role::initial_state && kernel.limits.initial_state; });
  }

  std::int64_t width() const { return case_.sizes[channel] * case_.sizes[feature]; }
  Case& input() { return case_; }

  void set_q(std::int64_t n, std::int64_t t, std::int64_t f, double x) { set("phi_q", row(n, t) * width() + f, x); }
  void set_k(std::int64_t n, std::int64_t t, std::int64_t f, double x) { set("phi_k", row(n, t) * width() + f, x); }
  void set_v(std::int64_t n, std::int64_t t, std::int64_t j, double x) { set("v", row(n, t) * values() + j, x); }
  void set_S0(std::int64_t n, std::int64_t f, std::int64_t j, double x) {
    set("S0", (n * width() + f) * values() + j, x);
  }
  void set_z0(std::int64_t n, std::int64_t f, double x) { set("z0", n * width() + f, x); }

  void ask() { outputs_ = kernel_.run(case_, {}).outputs; }

  double o(std::int64_t n, std::int64_t t, std::int64_t j) const {
    return outputs_.at("o").value(row(n, t) * values() + j);
  }
  Terms row_of_o(std::int64_t n, std::int64_t t) const {
    Terms row;
    for (std::int64_t j = 0; j < values(); ++j) row.push_back(o(n, t, j));
    return row;
  }
  double S(std::int64_t n, std::int64_t f, std::int64_t j) const {
    return outputs_.at("S").value((n * width() + f) * values() + j);
  }
  double z(std::int64_t n, std::int64_t f) const { return outputs_.at("z").value(n * width() + f); }

 private:
  std::int64_t row(std::int64_t n, std::int64_t t) const { return n * case_.sizes[time] + t; }
  std::int64_t values() const { return case_.sizes[Axis::value]; }
  void set(std::string_view tensor, std::int64_t i, double x) { case_.inputs.find(tensor)->second.set(i, x); }

  const Kernel& kernel_;
  Case case_;
  Tensors outputs_;
};

}  // namespace assay::sanatan_probes
