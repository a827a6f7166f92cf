#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "arith/dual.hpp"
#include "oracle/circle_angle.hpp"
#include "oracle/scalar.hpp"

/// What a field is told of functions that it does not have. One table, so that each axiom is checked once:
///
///   tanh          any odd function; tanh' = 1 − tanh²
///   cos, sin      any point of the circle; cos' = −sin, sin' = cos
///   |u|           σu with a sign σ beside the element; |u|' = σ
///   max(s, 0)     s where a mark beside the element is set, else 0; its derivative is the mark
///   π             any element
namespace assay::axiom {

/// θ moving at the rate `tangent`.
template <Scalar K>
CircleAngle<Dual<K>> moving(const CircleAngle<K>& theta, const K& tangent) {
  return {Dual<K>(theta.cosine, -theta.sine * tangent), Dual<K>(theta.sine, theta.cosine * tangent)};
}

/// |u| for u of sign ±1.
template <Scalar K>
K magnitude(int sign, const K& u) {
  return sign < 0 ? -u : u;
}

/// max(s, 0) for s whose sign is known.
template <Scalar K>
K positive_part(bool positive, const K& s) {
  return positive ? s : K(0);
}

/// tanh as a function of which nothing is known but oddness and its differential equation: each new argument up to
/// sign draws a new value. Copies are the same function.
template <Scalar K>
class Tanh {
 public:
  explicit Tanh(std::function<K()> draw) : draw_(std::move(draw)) {}

  K operator()(const K& x) const {
    if (x == K(0)) return K(0);
    for (const auto& [argument, value] : *known_) {
      if (argument == x) return value;
      if (argument == -x) return -value;
    }
    known_->emplace_back(x, draw_());
    return known_->back().second;
  }

  Dual<K> operator()(const Dual<K>& x) const {
    const K r = (*this)(x.value);
    return chain(x, r, K(1) - r * r);
  }

 private:
  std::function<K()> draw_;
  std::shared_ptr<std::vector<std::pair<K, K>>> known_ = std::make_shared<std::vector<std::pair<K, K>>>();
};

}  // namespace assay::axiom
