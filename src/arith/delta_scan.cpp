#include "arith/delta_scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace assay {
namespace {

using double_double_bound::unit;
constexpr double u2 = unit * unit;

/// Covers the rounding of bounds that are computed in double, over 2^20 steps.
constexpr double enlarge = 1 + 0x1p-45;
/// What windows may be narrower than the norms that they stand for, less the margin of 2^-7 that the analysis asks for.
constexpr double slack = 1 - 0x1p-8;
/// Covers the margins of the windows and terms of higher order.
constexpr double second_order = 1 + 0x1p-4;

constexpr double largest_width = 0x1p500;
constexpr double least_decay_width = 0x1p-400;

std::size_t padded(std::size_t n, std::size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

/// The least power of two above x; 0 for 0.
double power_of_two_above(double x) { return x == 0 ? 0 : std::ldexp(1.0, std::ilogb(x) + 1); }

/// Rounding sites of one component, in units of u times the unit of a window (bounds.md, section 5).
struct Roundings {
  double planes;
  double low_carried, low_updated;  ///< |low part| after each pass, in units of the window
  double carry, update;             ///< of a component
  double terms;                     ///< between two carries of an inner product

  explicit Roundings(bool complex)
      : planes(complex ? 2 : 1),
        low_carried(complex ? 6 : 3),
        low_updated(complex ? 2.75 : 2.25),
        carry(complex ? 22 : 7),
        update(complex ? 11 : 6),
        terms(complex ? 8 : 4) {}

  /// Of an inner product over n components with low parts of at most `low` units.
  double inner_product(double n, double low) const {
    const double m = std::min(n, terms);
    return n * (m + 7) / 4 + (m + 1) * low * std::sqrt(n) + 1;
  }
};

dd::DeltaStep step_of(const DeltaNorms& x, double features, const Roundings& r, double lambda_error) {
  const double n = r.planes * features, root = std::sqrt(n);
  const double key_width = power_of_two_above(x.key * slack), query_width = power_of_two_above(x.query * slack);
  const double decay_width = x.decay == 0 ? 0 : std::max(power_of_two_above(x.decay * slack), least_decay_width);
  const double beta_size = std::abs(x.beta);
  const double from_prediction =
      2 * beta_size * x.key * key_width * std::sqrt(r.planes) * r.inner_product(n, r.low_carried);
  const double carried =
      u2 * (x.erasure * 2 * r.carry * root + 2 * r.low_carried * root + from_prediction) + x.erasure * lambda_error / 2;
  const double updated = u2 * (2 * r.update * root + 4);
  return {.beta = x.beta,
          .decay_width = decay_width,
          .key_width = key_width,
          .query_width = query_width,
          .beta_size = beta_size,
          .key_norm = x.key,
          .query_norm = x.query * enlarge,
          .transition_norm = x.transition * enlarge,
          .growth = x.growth * enlarge,
          .carried_rounding = carried * second_order,
          .state_rounding = updated * second_order,
          .dot_rounding = 2 * u2 * query_width * r.inner_product(n, r.low_updated) * second_order};
}

dd::Planes planes(PlanePair& x) { return {x.re.data(), x.complex() ? x.im.data() : nullptr}; }
dd::ConstPlanes planes(const PlanePair& x) { return {x.re.data(), x.complex() ? x.im.data() : nullptr}; }

}  // namespace

DeltaTokens::DeltaTokens(std::size_t steps, std::size_t features, bool complex)
    : steps(steps),
      features(features),
      stride(padded(features, dd::delta_features)),
      k(steps * stride, complex),
      q(steps * stride, complex),
      lambda_hi(steps * stride, complex),
      lambda_lo(steps * stride, complex),
      norms(steps) {}

DeltaOutputs::DeltaOutputs(std::size_t lanes, bool complex)
    : stride(padded(lanes, dd::lane_multiple)),
      hi(dd::block_steps * stride, complex),
      lo(dd::block_steps * stride, complex),
      radius(dd::block_steps * stride) {}

DeltaScan::DeltaScan(std::size_t features, std::size_t lanes, bool complex, const LaneArithmetic& arithmetic)
    : kernels_(&arithmetic.kernels()),
      features_(padded(features, dd::delta_features)),
      lanes_(padded(lanes, dd::lane_multiple)),
      hi_(features_ * lanes_, complex),
      lo_(features_ * lanes_, complex),
      width_(lanes_, 0.0),
      largest_width_(lanes_, 0.0),
      radius_(lanes_, 0.0),
      added_radius_(lanes_, 0.0),
      anchor_radius_(lanes_, 0.0),
      since_anchor_(lanes_, 0.0) {}

DeltaScan::DeltaScan(std::size_t features, std::size_t lanes, const PlanePair& initial,
                     const LaneArithmetic& arithmetic)
    : DeltaScan(features, lanes, initial.complex(), arithmetic) {
  if (initial.re.size() != features * lanes)
    throw std::invalid_argument(fmt::format("delta scan of {} features and {} lanes from a state of {} numbers",
                                            features, lanes, initial.re.size()));
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    double square = 0;
    for (std::size_t plane = 0; plane <= initial.complex(); ++plane)
      for (std::size_t f = 0; f < features; ++f) {
        const double x = initial.part(plane)[f * lanes + lane];
        hi_.part(plane)[offset(f, lane)] = x;
        square += x * x;
      }
    const double width = power_of_two_above((2 + 0x1p-5) * std::sqrt(square) * (1 + 0x1p-30));
    width_[lane] = width == 0 ? 0 : std::max(width, dd::least_delta_width);
  }
}

template <class Scan, class Use>
void DeltaScan::for_each_saved(Scan& scan, Use use) {
  for (std::size_t plane = 0; plane <= scan.hi_.complex(); ++plane) {
    use(scan.hi_.part(plane));
    use(scan.lo_.part(plane));
  }
  use(scan.width_);
  use(scan.largest_width_);
  use(scan.radius_);
}

std::vector<double> DeltaScan::saved() const {
  std::vector<double> all;
  for_each_saved(*this, [&](const CacheLineDoubles& array) { all.insert(all.end(), array.begin(), array.end()); });
  return all;
}

DeltaScan::DeltaScan(std::size_t features, std::size_t lanes, bool complex, std::span<const double> saved,
                     const LaneArithmetic& arithmetic)
    : DeltaScan(features, lanes, complex, arithmetic) {
  std::size_t count = 0;
  for_each_saved(*this, [&](const CacheLineDoubles& array) { count += array.size(); });
  if (saved.size() != count)
    throw std::invalid_argument(fmt::format("delta scan of {} features and {} lanes from {} saved numbers: needs {}",
                                            features, lanes, saved.size(), count));
  for_each_saved(*this, [&](CacheLineDoubles& array) {
    std::copy_n(saved.begin(), array.size(), array.begin());
    saved = saved.subspan(array.size());
  });
  anchor_radius_ = radius_;
}

std::size_t DeltaScan::offset(std::size_t feature, std::size_t lane) const {
  constexpr std::size_t width = dd::lane_multiple;
  return (lane / width * features_ + feature) * width + lane % width;
}

void DeltaScan::advance(const DeltaTokens& tokens, const PlanePair& v, DeltaOutputs& outputs) {
  if (tokens.stride != features_ || outputs.stride != lanes_ || tokens.steps > dd::block_steps ||
      v.re.size() < tokens.steps * lanes_)
    throw std::invalid_argument(
        fmt::format("delta scan of {} features and {} lanes: {} steps of {} features and {} lanes with {} values",
                    features_, lanes_, tokens.steps, tokens.stride, outputs.stride, v.re.size()));
  const Roundings roundings(hi_.complex());
  dd::DeltaStep steps[dd::block_steps];
  for (std::size_t t = 0; t < tokens.steps; ++t)
    steps[t] = step_of(tokens.norms[t], static_cast<double>(tokens.features), roundings, tokens.lambda_error);
  kernels_->delta_block({.steps = tokens.steps,
                         .features = features_,
                         .lanes = lanes_,
                         .step = steps,
                         .k = planes(tokens.k),
                         .q = planes(tokens.q),
                         .lambda_hi = planes(tokens.lambda_hi),
                         .lambda_lo = planes(tokens.lambda_lo),
                         .v = planes(v),
                         .state_hi = planes(hi_),
                         .state_lo = planes(lo_),
                         .width = width_.data(),
                         .largest_width = largest_width_.data(),
                         .start_radius = radius_.data(),
                         .added_radius = added_radius_.data(),
                         .output_hi = planes(outputs.hi),
                         .output_lo = planes(outputs.lo),
                         .output_radius = outputs.radius.data()});
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double growth = tokens.steps == 0 ? 1 : tokens.norms[tokens.steps - 1].growth * enlarge;
  for (std::size_t lane = 0; lane < lanes_; ++lane) {
    radius_[lane] = radius_[lane] * growth + added_radius_[lane];
    since_anchor_[lane] = since_anchor_[lane] * growth + added_radius_[lane];
    if (largest_width_[lane] <= largest_width && radius_[lane] < infinity) continue;
    radius_[lane] = infinity;
    for (std::size_t t = 0; t < tokens.steps; ++t) outputs.radius[t * lanes_ + lane] = infinity;
  }
}

void DeltaScan::anchor(double growth) {
  for (std::size_t lane = 0; lane < lanes_; ++lane) {
    const double since_anchor = anchor_radius_[lane] * growth * enlarge + since_anchor_[lane];
    if (since_anchor < radius_[lane]) radius_[lane] = since_anchor;
    anchor_radius_[lane] = radius_[lane];
    since_anchor_[lane] = 0;
  }
}

DoubleDouble DeltaScan::state(std::size_t plane, std::size_t feature, std::size_t lane) const {
  const std::size_t at = offset(feature, lane);
  return two_sum(hi_.part(plane)[at], lo_.part(plane)[at]);
}

}  // namespace assay
