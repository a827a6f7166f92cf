#include "oracle/sanatan/feature_error.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "oracle/rounding_units.hpp"

namespace assay::sanatan {
namespace {

/// A value and the bound of a kernel's error in it.
struct Uncertain {
  double value;
  double error;
};

double ulps(const Contract& contract, std::string_view function) {
  const auto it = contract.elementary_ulp.find(function);
  return it == contract.elementary_ulp.end() ? 0 : it->second;
}

/// The features of one dimension, in units of rounding u and η, with functions wrong by so many units in the last
/// place.
struct Encoder {
  double u, eta, cos_ulp, sin_ulp, tanh_ulp;

  Encoder(const Contract& contract, const RoundingUnits& units)
      : u(units.u),
        eta(units.eta),
        cos_ulp(ulps(contract, "cos")),
        sin_ulp(ulps(contract, "sin")),
        tanh_ulp(ulps(contract, "tanh")) {}

  /// f(x) of slope at most |slope|, second derivative at most 1, wrong by `ulp` units in the last place.
  Uncertain elementary(double value, double slope, double e, double ulp) const {
    return {value, e * std::abs(slope) + e * e / 2 + 2 * ulp * (u * std::abs(value) + eta)};
  }

  Uncertain cosine(Uncertain x) const { return elementary(std::cos(x.value), std::sin(x.value), x.error, cos_ulp); }

  Uncertain sine(Uncertain x) const { return elementary(std::sin(x.value), std::cos(x.value), x.error, sin_ulp); }

  Uncertain squashed(double x) const {
    const double angle = std::numbers::pi * x / (1 + std::abs(x));
    return {angle, 3.5 * u * (1 + 4 * u) * std::abs(angle) + 5 * eta};
  }

  /// θ + shift in one rounding.
  Uncertain moved(Uncertain theta, double shift) const {
    const double angle = theta.value + shift;
    return {angle, theta.error + u * (std::abs(angle) + theta.error)};
  }

  Uncertain label(Uncertain anchored, double gamma) const {
    const Uncertain c = cosine(anchored);
    const Uncertain s = sine(anchored);
    const double difference = c.value - s.value;
    const double g = gamma * difference;
    const double before = gamma * (c.error + s.error + u * (std::abs(difference) + c.error + s.error));
    const double dg = before + u * (std::abs(g) + before);
    const double r = std::tanh(g);
    const double slope = std::min(1.0, (1 - r * r) * std::exp(2 * dg));
    return {r, dg * slope + 2 * tanh_ulp * (u * std::abs(r) + eta)};
  }

  Uncertain product(Uncertain a, Uncertain b) const {
    const double propagated = a.error * std::abs(b.value) + std::abs(a.value) * b.error + a.error * b.error;
    return {a.value * b.value, propagated + u * (std::abs(a.value * b.value) + propagated) + eta};
  }

  std::array<Uncertain, 6> channels(std::size_t count, Uncertain c, Uncertain s, Uncertain r) const {
    const Uncertain one = {1, 0};
    if (count == 3) return {one, c, s};
    if (count == 4) return {one, r, product(r, c), product(r, s)};
    return {one, c, s, r, product(r, c), product(r, s)};
  }
};

}  // namespace

EncodingError encoding_error(const Head<double>& head, const Matrix<double>& x, double gamma, const Contract& contract,
                             const RoundingUnits& units) {
  const Encoder encoder(contract, units);
  const auto zeros = [&](std::size_t columns) { return Matrix<double>(x.rows(), columns); };
  EncodingError result{zeros(head.d), zeros(head.d), {zeros(head.width()), zeros(head.width())}};
  for (std::size_t t = 0; t < x.rows(); ++t) {
    for (std::size_t a = 0; a < head.d; ++a) {
      const Uncertain theta = encoder.squashed(x(t, a));
      const double position = static_cast<double>(head.t0) + static_cast<double>(t);
      const Uncertain rotated = encoder.moved(theta, position * head.lambda[a]);
      const Uncertain r = encoder.label(encoder.moved(theta, head.omega[a]), gamma);
      result.theta(t, a) = theta.error;
      result.r(t, a) = r.error;
      const auto phi = encoder.channels(head.channels, encoder.cosine(rotated), encoder.sine(rotated), r);
      for (std::size_t n = 0; n < head.channels; ++n) {
        result.phi.phi(t, n * head.d + a) = phi[n].value;
        result.phi.error(t, n * head.d + a) = phi[n].error;
      }
    }
  }
  return result;
}

FeatureError side_error(const Head<double>& head, const Case& c, const Contract& contract, const Matrix<double>& given,
                        const Matrix<double>& x) {
  const bool computed = !c.has("phi_q");
  FeatureError result = computed ? encoding_error(head, x, c.parameter("gamma"), contract).phi
                                 : FeatureError{given, Matrix<double>(head.T, head.width())};
  // Given features already have the input's format: rounding them to it again is exact.
  const double unit = rounding_units(contract).features;
  if (computed && unit > 0)
    for (std::size_t t = 0; t < head.T; ++t)
      for (std::size_t f = head.d; f < head.width(); ++f)
        result.error(t, f) += unit * (std::abs(result.phi(t, f)) + result.error(t, f)) + bf16_format.eta();
  return result;
}

FeatureError query_error(const Head<double>& head, const Case& c, const Contract& contract) {
  return side_error(head, c, contract, head.phi_q, head.q);
}

FeatureError key_error(const Head<double>& head, const Case& c, const Contract& contract) {
  return side_error(head, c, contract, head.phi_k, head.k);
}

}  // namespace assay::sanatan
