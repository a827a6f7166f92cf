#include "oracle/sanatan/certified_features.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "arith/dd_elementary.hpp"

namespace assay::sanatan {
namespace {

constexpr double u2 = 0x1p-106;

/// π to 107 bits.
constexpr DoubleDouble pi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

/// f(t, a) in every place of a [T, d] array.
template <class F>
LaneArray tabulate(std::size_t T, std::size_t d, F f) {
  LaneArray result = LaneArray::unset(T, d);
  for (std::size_t t = 0; t < T; ++t) {
    double *const hi = result.hi(t), *const lo = result.lo(t);
    for (std::size_t a = 0; a < d; ++a) {
      const DoubleDouble x = f(t, a);
      hi[a] = x.hi;
      lo[a] = x.lo;
    }
  }
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

/// The sine of an angle below 2^-26 by x - x³/6, right to 2^-100 of itself; x⁵/120 is below 2^-111 of it.
DoubleDouble small_sine(DoubleDouble x) { return x * (DoubleDouble(1) - x * x / DoubleDouble(6)); }

/// Numbers and their radii, [T, d].
struct Channel {
  LaneArray value;
  Matrix<double> radius;
};

/// Everything of one head's tokens, [T, d] each.
struct Encoded {
  LaneArray theta;
  Channel cosine, sine, r;
};

Channel ones(std::size_t T, std::size_t d) {
  return {tabulate(T, d, [](std::size_t, std::size_t) { return DoubleDouble(1); }), Matrix<double>(T, d)};
}

Channel product(const LaneArithmetic& lanes, const Channel& a, const Channel& b) {
  Channel out{lanes.multiply(a.value, b.value), Matrix<double>(a.radius.rows(), a.radius.cols())};
  for (std::size_t t = 0; t < out.radius.rows(); ++t) {
    const double *const a_hi = a.value.hi(t), *const b_hi = b.value.hi(t), *const value = out.value.hi(t);
    const std::span<const double> a_radius = a.radius.row(t), b_radius = b.radius.row(t);
    const std::span<double> radius = out.radius.row(t);
    for (std::size_t i = 0; i < radius.size(); ++i)
      radius[i] = a_radius[i] * std::abs(b_hi[i]) + std::abs(a_hi[i]) * b_radius[i] + a_radius[i] * b_radius[i] +
                  4 * u2 * std::abs(value[i]);
  }
  return out;
}

/// Cosine and sine of the angles turned, and their radii by C1. Of a tiny angle the sine is as certain as the angle,
/// and of no angle at all cos 0 = 1 and sin 0 = 0 are exact.
std::pair<Channel, Channel> point_at(const LaneArithmetic& lanes, const LaneArray& theta, const LaneArray& turned) {
  SinCosLanes point = lanes.sincos(turned);
  Matrix<double> cosine_radius(theta.rows(), theta.lanes()), sine_radius = cosine_radius;
  for (std::size_t t = 0; t < theta.rows(); ++t)
    for (std::size_t a = 0; a < theta.lanes(); ++a) {
      const double size = std::abs(turned.hi(t)[a]), e = theta_radius * std::abs(theta.hi(t)[a]) + 3 * u2 * size;
      cosine_radius(t, a) = sine_radius(t, a) = e + double_double_bound::sincos;
      if (size >= 0x1p-26) continue;
      const DoubleDouble angle = turned.at(t, a);
      const DoubleDouble sine = small_sine(angle);
      point.sin.set(t, a, sine);
      sine_radius(t, a) = e + 0x1p-100 * std::abs(sine.hi);
      if (angle.hi != 0 || e != 0) continue;
      point.cos.set(t, a, DoubleDouble(1));
      cosine_radius(t, a) = 0;
    }
  return {{std::move(point.cos), std::move(cosine_radius)}, {std::move(point.sin), std::move(sine_radius)}};
}

/// C1 for the labels of a head.
double label_radius(const Head<double>& head, double gamma) {
  const double anchored = theta_radius * 4 + 3 * u2 * (4 + largest(head.omega));
  const double point = anchored + double_double_bound::sincos;
  return std::abs(gamma) * (2 * point + (3 * 2 + 4 * 2) * u2) + double_double_bound::tanh;
}

Encoded encoded(const Head<double>& head, const Matrix<double>& x, double gamma, double label) {
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
  const LaneArray turned =
      lanes.add(theta, table([&](std::size_t t, std::size_t a) {
                  return two_product(static_cast<double>(head.t0) + static_cast<double>(t), head.lambda[a]);
                }));
  auto [cosine, sine] = point_at(lanes, theta, turned);
  return {
      std::move(theta), std::move(cosine), std::move(sine), {std::move(r), Matrix<double>(x.rows(), x.cols(), label)}};
}

/// Stores a channel as the next of the features, its radii enlarged by 1 + 2^-40.
void add_channel(CertifiedFeatures& features, Channel channel) {
  const std::size_t d = channel.value.lanes(), first = features.channel_radius.size() * d;
  for (std::size_t t = 0; t < channel.value.rows(); ++t) {
    std::copy_n(channel.value.hi(t), d, features.phi.hi(t) + first);
    std::copy_n(channel.value.lo(t), d, features.phi.lo(t) + first);
    for (double& radius : channel.radius.row(t)) radius *= 1 + 0x1p-40;
  }
  features.channel_radius.push_back(std::move(channel.radius));
}

}  // namespace

std::vector<double> CertifiedFeatures::radius_by_feature() const {
  std::vector<double> radii(phi.lanes(), 0.0);
  double* largest = radii.data();
  for (const Matrix<double>& channel : channel_radius) {
    for (std::size_t t = 0; t < channel.rows(); ++t) {
      const std::span<const double> row = channel.row(t);
      for (std::size_t a = 0; a < row.size(); ++a) largest[a] = largest[a] < row[a] ? row[a] : largest[a];
    }
    largest += channel.cols();
  }
  return radii;
}

CertifiedFeatures certified_features(const Head<double>& head, const Matrix<double>& x, double gamma) {
  const double label = label_radius(head, gamma);
  Encoded tokens = encoded(head, x, gamma, label);
  CertifiedFeatures features{
      std::move(tokens.theta), tokens.r.value, LaneArray::unset(x.rows(), head.width()), label, {}};
  const LaneArithmetic lanes;
  const bool angle = head.channels != 4, labels = head.channels != 3;
  std::vector<Channel> products;
  if (labels) products = {product(lanes, tokens.r, tokens.cosine), product(lanes, tokens.r, tokens.sine)};
  add_channel(features, ones(x.rows(), head.d));
  if (angle) {
    add_channel(features, std::move(tokens.cosine));
    add_channel(features, std::move(tokens.sine));
  }
  if (labels) {
    add_channel(features, std::move(tokens.r));
    for (Channel& channel : products) add_channel(features, std::move(channel));
  }
  return features;
}

CertifiedFeatures certified_features(const Case& c, const Head<double>& head, Side side) {
  if (!c.has("phi_q")) return certified_features(head, side == Side::query ? head.q : head.k, c.parameter("gamma"));
  const Matrix<double>& given = side == Side::query ? head.phi_q : head.phi_k;
  return {LaneArray(0, 0),
          LaneArray(0, 0),
          tabulate(given.rows(), given.cols(), [&](std::size_t t, std::size_t f) { return DoubleDouble(given(t, f)); }),
          0,
          {}};
}

}  // namespace assay::sanatan
