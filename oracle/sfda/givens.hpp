#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "oracle/circle_angle.hpp"
#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"

namespace assay::sfda {

/// A rotation by `angle` in the plane of coordinates (from, to).
template <Scalar R>
struct Givens {
  std::size_t from, to;
  CircleAngle<R> angle;
};

/// The rotated x: from a to b it moves x_from towards x_to.
/// Source: [SFDA] App. F.5; [SFDA-notes] s3.5.
template <Scalar R>
std::vector<R> rotated(std::vector<R> x, const Givens<R>& g) {
  if (g.from >= x.size() || g.to >= x.size() || g.from == g.to)
    throw OutsideDomain("plane (" + std::to_string(g.from) + ", " + std::to_string(g.to) +
                        "): needs two coordinates of " + std::to_string(x.size()));
  const R a = x[g.from], b = x[g.to];
  x[g.from] = g.angle.cosine * a - g.angle.sine * b;
  x[g.to] = g.angle.sine * a + g.angle.cosine * b;
  return x;
}

/// At most d − 1 rotations that take e_1 to w: step i leaves in coordinate i what w has there and hands the rest of
/// the norm on.
/// Source: [SFDA] App. F.5; [SFDA-notes] s3.5; the steps are own.
/// Domain: w of norm 1, d ≥ 1; for d = 1, w = e_1, as a rotation has no plane. `norm` of a tail of w is asked where its
/// square root is known.
/// Error: of the roots and quotients.
template <Scalar R, class Norm>
std::vector<Givens<R>> routing(std::span<const R> w, const Norm& norm) {
  if (w.empty() || (w.size() == 1 && !(w[0] == R(1)))) throw OutsideDomain("d = 1: only e_1 itself can be reached");
  std::vector<Givens<R>> steps;
  R left(1);
  for (std::size_t i = 0; i + 1 < w.size() && !(left == R(0)); ++i) {
    const bool last = i + 2 == w.size();
    const R rest = last ? w[i + 1] : norm(w.subspan(i + 1));
    steps.push_back({i, i + 1, {w[i] / left, rest / left}});
    left = rest;
  }
  return steps;
}

}  // namespace assay::sfda
