#pragma once

#include "properties/contracts/asked_case.hpp"

namespace assay::sanatan_probes {

using enum Axis;

/// A quotient by it is exact, and it absorbs every D below 2^36.
constexpr double large_eps = 0x1p60;
/// Keeps D = 0 apart from its neighbours.
constexpr double small_eps = 0x1p-40;

/// A case of SANATAN from given features that a kernel is asked.
class Question : public AskedCase {
 public:
  Question(const Kernel& kernel, const Shape& shape, double eps)
      : AskedCase(kernel, shape, {{"p", 1}, {"normaliser", 1}, {"eps", eps}}) {
    size(channel) = kernel.limits.channels.front();
    add_tensors(input(), [&](const TensorSpec& spec) {
      return spec.role == Role::initial_state && kernel.limits.initial_state;
    });
  }

  std::int64_t width() const { return size(channel) * size(feature); }

  void set_q(std::int64_t n, std::int64_t t, std::int64_t f, double x) { set("phi_q", row(n, t) * width() + f, x); }
  void set_k(std::int64_t n, std::int64_t t, std::int64_t f, double x) { set("phi_k", row(n, t) * width() + f, x); }
  void set_v(std::int64_t n, std::int64_t t, std::int64_t j, double x) { set("v", row(n, t) * values() + j, x); }
  void set_S0(std::int64_t n, std::int64_t f, std::int64_t j, double x) {
    set("S0", (n * width() + f) * values() + j, x);
  }
  void set_z0(std::int64_t n, std::int64_t f, double x) { set("z0", n * width() + f, x); }

  double o(std::int64_t n, std::int64_t t, std::int64_t j) const { return returned("o", row(n, t) * values() + j); }
  Terms row_of_o(std::int64_t n, std::int64_t t) const {
    Terms row;
    for (std::int64_t j = 0; j < values(); ++j) row.push_back(o(n, t, j));
    return row;
  }
  double S(std::int64_t n, std::int64_t f, std::int64_t j) const {
    return returned("S", (n * width() + f) * values() + j);
  }
  double z(std::int64_t n, std::int64_t f) const { return returned("z", n * width() + f); }

 private:
  std::int64_t values() const { return size(Axis::value); }
};

}  // namespace assay::sanatan_probes
