#include "oracle/sfda/certified_decay.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "arith/dd_elementary.hpp"
#include "arith/dd_lanes.hpp"
#include "arith/multiprecision.hpp"

namespace assay::sfda {
namespace {

constexpr double u2 = double_double_bound::unit * double_double_bound::unit;
/// Covers the rounding of α and its error.
constexpr double enlarge = 1 + 0x1p-45;

LaneArray lanes_of(const Matrix<double>& x) {
  LaneArray result(x.rows(), x.cols());
  for (std::size_t t = 0; t < x.rows(); ++t) std::ranges::copy(x.row(t), result.hi(t));
  return result;
}

bool beyond_reduction(double theta) { return std::abs(theta) > double_double_bound::largest_sincos_argument; }

/// cos θ and sin θ, with MPFR where θ is too large for double-double.
SinCosLanes turned(const Matrix<double>& theta, const LaneArithmetic& lanes) {
  Matrix<double> reduced = theta;
  for (std::size_t t = 0; t < theta.rows(); ++t) std::ranges::replace_if(reduced.row(t), beyond_reduction, 0.0);
  SinCosLanes point = lanes.sincos(lanes_of(reduced));
  for (std::size_t t = 0; t < theta.rows(); ++t)
    for (std::size_t i = 0; i < theta.cols(); ++i) {
      if (!beyond_reduction(theta(t, i))) continue;
      point.sin.set(t, i, to_double_double(Mpfr50(sin(Mpfr50(theta(t, i))))));
      point.cos.set(t, i, to_double_double(Mpfr50(cos(Mpfr50(theta(t, i))))));
    }
  return point;
}

/// α [steps, d].
LaneArray decays(const DeltaTokens& tokens, const Matrix<double>& log_alpha, const LaneArithmetic& lanes) {
  if (log_alpha.cols() == tokens.features) return lanes.exp(lanes_of(log_alpha));
  LaneArray alpha(tokens.steps, tokens.features);
  for (std::size_t t = 0; t < tokens.steps; ++t) {
    const DoubleDouble one_for_all = log_alpha.cols() == 0 ? DoubleDouble(1) : exp(DoubleDouble(log_alpha(t, 0)));
    for (std::size_t i = 0; i < tokens.features; ++i) alpha.set(t, i, one_for_all);
  }
  return alpha;
}

/// At least |λ|, and 0 only where every λ is.
double largest_decay(const LaneArray& alpha, std::size_t t, const Matrix<double>& log_alpha) {
  const double largest = *std::max_element(alpha.hi(t), alpha.hi(t) + alpha.lanes());
  const bool vanishes =
      log_alpha.cols() > 0 && std::ranges::all_of(log_alpha.row(t), [](double x) { return x == -HUGE_VAL; });
  return vanishes ? 0 : std::max(largest * enlarge, 0x1p-1000);
}

void put(const LaneArray& x, std::size_t stride, CacheLineDoubles& hi, CacheLineDoubles& lo) {
  for (std::size_t t = 0; t < x.rows(); ++t) {
    std::copy_n(x.hi(t), x.lanes(), hi.begin() + static_cast<std::ptrdiff_t>(t * stride));
    std::copy_n(x.lo(t), x.lanes(), lo.begin() + static_cast<std::ptrdiff_t>(t * stride));
  }
}

}  // namespace

void set_decays(DeltaTokens& tokens, const Matrix<double>& log_alpha, const Matrix<double>& theta) {
  const LaneArithmetic lanes;
  const LaneArray alpha = decays(tokens, log_alpha, lanes);
  for (std::size_t t = 0; t < tokens.steps; ++t) tokens.norms[t].decay = largest_decay(alpha, t, log_alpha);
  if (!tokens.k.complex()) {
    tokens.lambda_error = log_alpha.cols() == 0 ? 0 : 8 * u2;
    put(alpha, tokens.stride, tokens.lambda_hi.re, tokens.lambda_lo.re);
    return;
  }
  const SinCosLanes point = turned(theta, lanes);
  tokens.lambda_error = 20 * u2;
  put(lanes.multiply(alpha, point.cos), tokens.stride, tokens.lambda_hi.re, tokens.lambda_lo.re);
  put(lanes.multiply(alpha, point.sin), tokens.stride, tokens.lambda_hi.im, tokens.lambda_lo.im);
}

}  // namespace assay::sfda
