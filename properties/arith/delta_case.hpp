#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "arith/dd_lanes.hpp"
#include "arith/delta_scan.hpp"
#include "properties/arith/draws.hpp"

namespace assay {

/// How operands are drawn: hard numbers that cancel or add up; small integers, which leave no error.
enum class Numbers { hard, alike, integers };

/// A block of tokens for some lanes, with an initial state.
struct DeltaCase {
  DeltaTokens tokens;
  DeltaOutputs outputs;
  PlanePair v;
  PlanePair initial;  ///< [features, lanes]
  std::size_t lanes;

  DeltaCase(Draw& draw, std::size_t steps, std::size_t features, std::size_t lanes, bool complex, Numbers numbers)
      : tokens(steps, features, complex),
        outputs(lanes, complex),
        v(outputs.radius.size(), complex),
        initial(features * lanes, complex),
        lanes(lanes) {
    const double common = std::abs(hard_double(draw, 0, 0));
    const auto number = [&]() -> double {
      if (numbers == Numbers::integers) return static_cast<double>(draw.below(5)) - 2;
      return numbers == Numbers::alike ? common : hard_double(draw, -6, 0);
    };
    for (std::size_t plane = 0; plane <= complex; ++plane)
      for (std::size_t t = 0; t < steps; ++t) {
        for (std::size_t f = 0; f < features; ++f) {
          const std::size_t at = t * tokens.stride + f;
          tokens.k.part(plane)[at] = number() / 2;
          tokens.q.part(plane)[at] = number();
          const DoubleDouble lambda = numbers == Numbers::integers ? DoubleDouble(plane == 0) : hard_pair(draw, -4, -1);
          tokens.lambda_hi.part(plane)[at] = lambda.hi;
          tokens.lambda_lo.part(plane)[at] = lambda.lo;
        }
        for (std::size_t j = 0; j < lanes; ++j) v.part(plane)[t * outputs.stride + j] = number();
      }
    for (std::size_t plane = 0; plane <= complex; ++plane)
      for (double& x : initial.part(plane)) x = draw.below(2) ? number() : 0;
    for (std::size_t t = 0; t < steps; ++t) set_norms(t, numbers == Numbers::integers ? 2 : std::abs(number()));
  }

  /// The outputs are kept, the scan with its last state returned.
  DeltaScan run(LanePath path = chosen_lane_path()) {
    DeltaScan result(tokens.features, lanes, initial, LaneArithmetic(path));
    result.advance(tokens, v, outputs);
    return result;
  }

  /// One token whose key is orthogonal to what it finds, but for its last bits, and strong: what the prediction rounds
  /// is multiplied, the state is not. Real, two features, every lane the same.
  static DeltaCase orthogonal(Draw& draw) {
    DeltaCase c(draw, 1, 2, 3, false, Numbers::hard);
    const double beta = std::ldexp(1.0, 6 + static_cast<int>(draw.below(10)));
    for (std::size_t f = 0; f < 2; ++f) {
      const double s = hard_double(draw, -1, 0);
      for (std::size_t j = 0; j < c.lanes; ++j) c.initial.re[f * c.lanes + j] = s;
      const DoubleDouble found = DoubleDouble(c.tokens.lambda_hi.re[f], c.tokens.lambda_lo.re[f]) * s;
      c.tokens.k.re[1 - f] = f == 0 ? found.hi : -found.hi;
    }
    for (double& v : c.v.re) v = 0;
    c.set_norms(0, beta);
    return c;
  }

  void scale_lane(std::size_t lane, double factor) {
    for (std::size_t plane = 0; plane <= v.complex(); ++plane) {
      for (std::size_t at = lane; at < v.re.size(); at += outputs.stride) v.part(plane)[at] *= factor;
      for (std::size_t at = lane; at < initial.re.size(); at += lanes) initial.part(plane)[at] *= factor;
    }
  }

  /// Tokens from `first` on.
  DeltaCase from(std::size_t first) const {
    DeltaCase rest = *this;
    const auto cut = [&](PlanePair& rows, std::size_t stride) {
      for (std::size_t plane = 0; plane <= rows.complex(); ++plane)
        std::copy(rows.part(plane).begin() + first * stride, rows.part(plane).end(), rows.part(plane).begin());
    };
    for (PlanePair* const rows : {&rest.tokens.k, &rest.tokens.q, &rest.tokens.lambda_hi, &rest.tokens.lambda_lo})
      cut(*rows, tokens.stride);
    cut(rest.v, outputs.stride);
    rest.tokens.steps -= first;
    for (std::size_t t = 0; t < rest.tokens.steps; ++t) rest.set_norms(t, tokens.norms[first + t].beta);
    return rest;
  }

 private:
  void set_norms(std::size_t t, double beta) {
    DeltaNorms& x = tokens.norms[t];
    double key = 0, query = 0, decay = 0;
    for (std::size_t plane = 0; plane <= v.complex(); ++plane)
      for (std::size_t at = t * tokens.stride; at < (t + 1) * tokens.stride; ++at) {
        key += tokens.k.part(plane)[at] * tokens.k.part(plane)[at];
        query += tokens.q.part(plane)[at] * tokens.q.part(plane)[at];
      }
    for (std::size_t at = t * tokens.stride; at < (t + 1) * tokens.stride; ++at)
      decay = std::max(decay, std::hypot(tokens.lambda_hi.re[at], v.complex() ? tokens.lambda_hi.im[at] : 0));
    constexpr double enlarge = 1 + 0x1p-40;
    x.beta = beta;
    x.key = std::sqrt(key) * enlarge;
    x.query = std::sqrt(query) * enlarge;
    x.decay = decay * enlarge;
    x.erasure = std::max(1.0, std::abs(1 - beta * key)) * enlarge;
    x.transition = x.erasure * x.decay;
    x.growth = x.transition * (t == 0 ? 1 : tokens.norms[t - 1].growth);
  }
};

}  // namespace assay
