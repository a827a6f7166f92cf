#include "oracle/sanatan/certified_features.hpp"

#include <algorithm>
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

/// C1: from |δθ| ≤ 20u²π the angles, circle points and labels of a head.
double feature_radius(const Head<double>& head, double gamma) {
  const double last = std::abs(static_cast<double>(head.t0)) + static_cast<double>(head.T);
  const double theta = 20 * 4 * u2;
  const double anchored = theta + 3 * u2 * (4 + largest(head.omega));
  const double point = anchored + double_double_bound::sincos;
  const double argument = std::abs(gamma) * (2 * point + (3 * 2 + 4 * 2) * u2);
  const double label = argument + double_double_bound::tanh;
  const double turned = theta + 3 * u2 * (4 + last * largest(head.lambda));
  const double channel = turned + double_double_bound::sincos;
  return (label + channel + label * channel + 4 * u2) * (1 + 0x1p-40);
}

}  // namespace

CertifiedFeatures certified_features(const Head<double>& head, const Matrix<double>& x, double gamma) {
  const LaneArithmetic lanes;
  const std::size_t T = x.rows(), d = x.cols();
  const auto constant = [&](auto f) { return tabulate(T, d, f); };
  const LaneArray quotient =
      lanes.divide(constant([&](std::size_t t, std::size_t a) { return DoubleDouble(x(t, a)); }),
                   constant([&](std::size_t t, std::size_t a) { return two_sum(1, std::abs(x(t, a))); }));
  const LaneArray theta = lanes.multiply(quotient, constant([](std::size_t, std::size_t) { return pi; }));
  const SinCosLanes anchored =
      lanes.sincos(lanes.add(theta, constant([&](std::size_t, std::size_t a) { return DoubleDouble(head.omega[a]); })));
  const LaneArray r =
      lanes.tanh(lanes.multiply(difference(lanes, anchored.cos, anchored.sin),
                                constant([&](std::size_t, std::size_t) { return DoubleDouble(gamma); })));
  const SinCosLanes turned = lanes.sincos(
      lanes.add(theta, constant([&](std::size_t t, std::size_t a) {
                  return two_product(static_cast<double>(head.t0) + static_cast<double>(t), head.lambda[a]);
                })));
  const LaneArray one = constant([](std::size_t, std::size_t) { return DoubleDouble(1); });
  const LaneArray rc = lanes.multiply(r, turned.cos), rs = lanes.multiply(r, turned.sin);
  const std::vector<const LaneArray*> channels = head.channels == 3 ? std::vector{&one, &turned.cos, &turned.sin}
                                                 : head.channels == 4
                                                     ? std::vector{&one, &r, &rc, &rs}
                                                     : std::vector{&one, &turned.cos, &turned.sin, &r, &rc, &rs};
  LaneArray phi =
      tabulate(T, head.width(), [&](std::size_t t, std::size_t f) { return channels[f / d]->at(t, f % d); });
  return {theta, r, std::move(phi), feature_radius(head, gamma)};
}

CertifiedFeatures certified_features(const Case& c, const Head<double>& head, Side side) {
  if (!c.has("phi_q")) return certified_features(head, side == Side::query ? head.q : head.k, c.parameter("gamma"));
  const Matrix<double>& given = side == Side::query ? head.phi_q : head.phi_k;
  return {LaneArray(0, 0), LaneArray(0, 0),
          tabulate(given.rows(), given.cols(), [&](std::size_t t, std::size_t f) { return DoubleDouble(given(t, f)); }),
          0};
}

}  // namespace assay::sanatan
