#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "arith/complex.hpp"
#include "problem/draw.hpp"

namespace assay::sfda {

/// e^{2πi j/m} for j = 0 … m − 1, rounded to T from double.
template <class T>
std::vector<Cx<T>> phases(std::size_t m) {
  std::vector<Cx<T>> result;
  for (std::size_t j = 0; j < m; ++j) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(m);
    result.push_back({static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))});
  }
  return result;
}

/// The largest distances of a counter's state from its exact phase and from the unit circle over n random steps.
struct OrbitError {
  double phase = 0, norm = 0;
};

/// z ← λ z in T, λ the rounded phase of a random increment. Exact phases are doubles, good to 2^-52.
template <class T>
OrbitError orbit_error(std::size_t m, std::size_t steps) {
  Draw draw(1, "sfda.phase_orbit", m);
  const std::vector<Cx<T>> step = phases<T>(m);
  const std::vector<Cx<double>> exact = phases<double>(m);
  Cx<T> z(T(1));
  std::size_t count = 0;
  OrbitError error;
  for (std::size_t t = 0; t < steps; ++t) {
    const std::size_t a = draw.below(m);
    z = step[a] * z;
    count = (count + a) % m;
    const Cx<double> wide(z.re, z.im), difference = wide - exact[count];
    error.phase = std::max(error.phase, std::sqrt(abs2(difference)));
    error.norm = std::max(error.norm, std::abs(std::sqrt(abs2(wide)) - 1));
  }
  return error;
}

}  // namespace assay::sfda
