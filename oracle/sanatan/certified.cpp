#include "oracle/sanatan/certified.hpp"

#include <cmath>
#include <limits>

#include "arith/windowed_sums.hpp"
#include "oracle/sanatan/certified_features.hpp"

namespace assay::sanatan {
namespace {

constexpr double u2 = 0x1p-106;
constexpr double enlarged = 1 + 0x1p-40;

void set(Reference& reference, std::size_t i, DoubleDouble value, double radius) {
  reference.hi[i] = value.hi;
  reference.lo[i] = value.lo;
  reference.radius[i] = radius * enlarged;
}

/// The values with a column of ones: z is the state of v = 1.
std::vector<double> values_and_one(const Head<double>& x) {
  std::vector<double> rows;
  rows.reserve(x.T * (x.dv + 1));
  for (std::size_t t = 0; t < x.T; ++t) {
    rows.insert(rows.end(), x.v.row(t).begin(), x.v.row(t).end());
    rows.push_back(1);
  }
  return rows;
}

LaneArray initial_state(const Head<double>& x) {
  LaneArray state(x.width(), x.dv + 1);
  for (std::size_t f = 0; f < x.width(); ++f) {
    for (std::size_t j = 0; j < x.dv; ++j) state.set(f, j, x.initial.S(f, j));
    state.set(f, x.dv, x.initial.z[f]);
  }
  return state;
}

CertifiedFeatures features_of(const Case& c, const Head<double>& x, bool of_queries) {
  if (c.has("phi_q")) return exact_features(of_queries ? x.phi_q : x.phi_k);
  return certified_features(x, of_queries ? x.q : x.k, c.parameter("gamma"));
}

/// One head at p = 1: the recurrence, and what the features' radius adds to its certificate (C2).
class HeadCertificate {
 public:
  HeadCertificate(const Case& c, std::int64_t n, std::int64_t h)
      : case_(c),
        n_(n),
        h_(h),
        x_(head_of<double>(c, n, h)),
        q_(features_of(c, x_, true)),
        k_(features_of(c, x_, false)),
        scan_(linear_scan(k_.phi, values_and_one(x_), q_.phi, initial_state(x_))),
        history_(x_.dv + 1, 0.0) {
    for (std::size_t f = 0; f < x_.width(); ++f) {
      for (std::size_t j = 0; j < x_.dv; ++j) history_[j] += std::abs(x_.initial.S(f, j));
      history_[x_.dv] += std::abs(x_.initial.z[f]);
    }
  }

  void write(References& out) {
    std::vector<double> sizes(x_.dv + 1, 0.0);  // Σ_{j ≤ t} |v_j|
    for (std::size_t t = 0; t < x_.T; ++t) {
      for (std::size_t j = 0; j < x_.dv; ++j) sizes[j] += std::abs(x_.v(t, j));
      sizes[x_.dv] += 1;
      write_row(t, sizes, out.at("o"));
    }
    const auto state = static_cast<std::size_t>(n_ * case_.sizes[Axis::head] + h_);
    for (std::size_t f = 0; f < x_.width(); ++f) {
      const std::size_t row = state * x_.width() + f;
      set(out.at("z"), row, scan_.state.at(f, x_.dv), state_radius(f, x_.dv, sizes));
      for (std::size_t j = 0; j < x_.dv; ++j)
        set(out.at("S"), row * x_.dv + j, scan_.state.at(f, j), state_radius(f, j, sizes));
    }
  }

 private:
  double state_radius(std::size_t f, std::size_t j, const std::vector<double>& sizes) const {
    return scan_.state_radius[f] * scan_.scale[j] + k_.radius * sizes[j];
  }

  /// C2 with |φ| ≤ 1: the features' radii meet every product once.
  double sum_radius(std::size_t t, std::size_t j, const std::vector<double>& sizes) const {
    const auto width = static_cast<double>(x_.width());
    const double e_q = q_.radius, e_k = k_.radius;
    return scan_.output_radius[t] * scan_.scale[j] + (e_q + e_k + e_q * e_k) * width * sizes[j] + e_q * history_[j];
  }

  /// C3.
  void write_row(std::size_t t, const std::vector<double>& sizes, Reference& o) const {
    const DoubleDouble eps_raw = two_product(case_.parameter("normaliser"), case_.parameter("eps"));
    const DoubleDouble denominator = scan_.output.at(t, x_.dv) + eps_raw;
    const double dD = sum_radius(t, x_.dv, sizes) + 4 * u2 * (std::abs(denominator.hi) + eps_raw.hi);
    const double least = denominator.hi - dD;
    const bool determined = denominator.hi >= 2 * dD && least > 0;
    for (std::size_t j = 0; j < x_.dv; ++j) {
      const DoubleDouble value = scan_.output.at(t, j) / denominator;
      const double size = std::abs(value.hi);
      const double radius = (sum_radius(t, j, sizes) + size * dD) / least + 10 * u2 * size;
      set(o, row_offset(case_, n_, t, h_, x_.dv) + j, value,
          determined ? radius : std::numeric_limits<double>::infinity());
    }
  }

  const Case& case_;
  std::int64_t n_, h_;
  Head<double> x_;
  CertifiedFeatures q_, k_;
  LinearScan scan_;
  std::vector<double> history_;  ///< Σ_f |S_0|
};

Reference empty_reference(const Shape& shape) {
  const auto count = static_cast<std::size_t>(count_of(shape));
  return {shape, std::vector<double>(count), std::vector<double>(count), std::vector<double>(count)};
}

}  // namespace

References certified_attention(const Case& c) {
  References out;
  for (const TensorSpec& spec : c.op->tensors)
    if (is_output(spec.role)) out.emplace(spec.name, empty_reference(spec.shape(c.sizes)));
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) HeadCertificate(c, n, h).write(out);
  return out;
}

}  // namespace assay::sanatan
