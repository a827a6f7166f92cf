#include "oracle/sanatan/certified_features.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "arith/dd_elementary.hpp"

namespace assay::sanatan {
namespace {

constexpr double u2 = 0x1p-106;

/// π to 107 bits.
constexpr DoubleDouble pi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

/// f(t, a) in every place of a [T, d] array.
template <class F>
LaneArray tabulate(std::size_t T, std::size_t d, F f) {
  LaneArray result(T, d);
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t a = 0; a < d; ++a) result.set(t, a, f(t, a));
  return result;
}

LaneArray difference(const LaneArithmetic& lanes, const LaneArray& a, const LaneArray& b) {
  return lanes.add(a, tabulate(b.rows(), b.lanes(), [&](std::size_t t, std::size_t i) { return -b.at(t, i); }));
}

double largest(const std::vector<double>& values) {
  double size = 0;
  for (const double x : values) size = std::max(size, std::abs(x));
  return size;
}

/// A number and its radius.
struct Certified {
  DoubleDouble value;
  double radius;
};

Certified product(const Certified& a, const Certified& b) {
  const DoubleDouble value = a.value * b.value;
  return {value, a.radius * std::abs(b.value.hi) + std::abs(a.value.hi) * b.radius + a.radius * b.radius +
                     4 * u2 * std::abs(value.hi)};
}

/// The sine of an angle below 2^-26 by x - x³/6, right to 2^-100 of itself; x⁵/120 is below 2^-111 of it.
Certified small_sine(DoubleDouble x, double e) {
  const DoubleDouble value = x * (DoubleDouble(1) - x * x / DoubleDouble(6));
  return {value, e + 0x1p-100 * std::abs(value.hi)};
}

/// Everything of one head's tokens, [T, d] each.
struct Encoded {
  LaneArray theta, turned, cosine, sine, r;
};

Encoded encoded(const Head<double>& head, const Matrix<double>& x, double gamma) {
  const LaneArithmetic lanes;
  const auto table = [&](auto f) { return tabulate(x.rows(), x.cols(), f); };
  const LaneArray quotient =
      lanes.divide(table([&](std::size_t t, std::size_t a) { return DoubleDouble(x(t, a)); }),
                   table([&](std::size_t t, std::size_t a) { return two_sum(1, std::abs(x(t, a))); }));
  LaneArray theta = lanes.multiply(quotient, table([](std::size_t, std::size_t) { return pi; }));
  const SinCosLanes anchored =
      lanes.sincos(lanes.add(theta, table([&](std::size_t, std::size_t a) { return DoubleDouble(head.omega[a]); })));
  LaneArray r = lanes.tanh(lanes.multiply(difference(lanes, anchored.cos, anchored.sin),
                                          table([&](std::size_t, std::size_t) { return DoubleDouble(gamma); })));
  LaneArray turned =
      lanes.add(theta, table([&](std::size_t t, std::size_t a) {
                  return two_product(static_cast<double>(head.t0) + static_cast<double>(t), head.lambda[a]);
                }));
  SinCosLanes point = lanes.sincos(turned);
  return {std::move(theta), std::move(turned), std::move(point.cos), std::move(point.sin), std::move(r)};
}

/// C1 for the labels of a head.
double label_radius(const Head<double>& head, double gamma) {
  const double anchored = theta_radius * 4 + 3 * u2 * (4 + largest(head.omega));
  const double point = anchored + double_double_bound::sincos;
  return std::abs(gamma) * (2 * point + (3 * 2 + 4 * 2) * u2) + double_double_bound::tanh;
}

/// C1 for the channels of one token and dimension.
std::array<Certified, 6> channels_of(const Encoded& x, double label, std::size_t count, std::size_t t, std::size_t a) {
  const DoubleDouble angle = x.turned.at(t, a);
  const double e = theta_radius * std::abs(x.theta.at(t, a).hi) + 3 * u2 * std::abs(angle.hi);
  const Certified one = {DoubleDouble(1), 0}, r = {x.r.at(t, a), label};
  // No angle at all: cos 0 = 1 and sin 0 = 0 exactly.
  const bool none = angle.hi == 0 && e == 0;
  const Certified c = none ? one : Certified{x.cosine.at(t, a), e + double_double_bound::sincos};
  const Certified s =
      std::abs(angle.hi) < 0x1p-26 ? small_sine(angle, e) : Certified{x.sine.at(t, a), e + double_double_bound::sincos};
  if (count == 3) return {one, c, s};
  if (count == 4) return {one, r, product(r, c), product(r, s)};
  return {one, c, s, r, product(r, c), product(r, s)};
}

}  // namespace

std::vector<double> CertifiedFeatures::radius_by_feature() const {
  std::vector<double> radii(phi.lanes(), 0.0);
  for (std::size_t t = 0; t < phi_radius.rows(); ++t)
    for (std::size_t f = 0; f < radii.size(); ++f) radii[f] = std::max(radii[f], phi_radius(t, f));
  return radii;
}

CertifiedFeatures certified_features(const Head<double>& head, const Matrix<double>& x, double gamma) {
  Encoded tokens = encoded(head, x, gamma);
  const double label = label_radius(head, gamma);
  LaneArray phi(x.rows(), head.width());
  Matrix<double> radius(x.rows(), head.width());
  for (std::size_t t = 0; t < x.rows(); ++t) {
    for (std::size_t a = 0; a < head.d; ++a) {
      const std::array<Certified, 6> channels = channels_of(tokens, label, head.channels, t, a);
      for (std::size_t n = 0; n < head.channels; ++n) {
        phi.set(t, n * head.d + a, channels[n].value);
        radius(t, n * head.d + a) = channels[n].radius * (1 + 0x1p-40);
      }
    }
  }
  return {std::move(tokens.theta), std::move(tokens.r), std::move(phi), label, std::move(radius)};
}

CertifiedFeatures certified_features(const Case& c, const Head<double>& head, Side side) {
  if (!c.has("phi_q")) return certified_features(head, side == Side::query ? head.q : head.k, c.parameter("gamma"));
  const Matrix<double>& given = side == Side::query ? head.phi_q : head.phi_k;
  return {LaneArray(0, 0), LaneArray(0, 0),
          tabulate(given.rows(), given.cols(), [&](std::size_t t, std::size_t f) { return DoubleDouble(given(t, f)); }),
          0, Matrix<double>()};
}

}  // namespace assay::sanatan
