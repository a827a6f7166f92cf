#include "oracle/sanatan/certified.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "arith/windowed_sums.hpp"
#include "oracle/certified_quotient.hpp"
#include "oracle/sanatan/certified_features.hpp"
#include "oracle/sanatan/certified_parallel.hpp"
#include "oracle/sanatan/exact.hpp"

namespace assay::sanatan {
namespace {

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

/// Φ of one side: computed, or given and exact.
class SideFeatures {
 public:
  SideFeatures(const Case& c, const Head<double>& x, Side side) : width_(x.width()) {
    if (c.has("phi_q"))
      given_ = side == Side::query ? &x.phi_q : &x.phi_k;
    else
      computed_ = certified_features(c, x, side);
  }

  FeatureRows rows() const {
    return given_ ? FeatureRows(given_->rows(), width_, given_->row(0).data()) : FeatureRows(computed_->phi);
  }
  DoubleDouble at(std::size_t t, std::size_t f) const { return given_ ? (*given_)(t, f) : computed_->phi.at(t, f); }
  double radius(std::size_t t, std::size_t f) const { return given_ ? 0 : computed_->radius(t, f); }
  std::vector<double> radius_by_feature() const {
    return given_ ? std::vector<double>(width_) : computed_->radius_by_feature();
  }

 private:
  std::size_t width_;
  const Matrix<double>* given_ = nullptr;
  std::optional<CertifiedFeatures> computed_;
};

/// One head at p = 1: the recurrence, and what the features' radius adds to its certificate (C2).
class HeadCertificate {
 public:
  HeadCertificate(const Case& c, std::int64_t n, std::int64_t h)
      : case_(c),
        n_(n),
        h_(h),
        x_(head_of<double>(c, n, h)),
        q_(c, x_, Side::query),
        k_(c, x_, Side::key),
        scan_(linear_scan(k_.rows(), values_and_one(x_), q_.rows(), initial_state(x_))),
        eps_raw_(two_product(c.parameter("normaliser"), c.parameter("eps"))),
        history_(x_.dv + 1, 0.0) {
    const std::vector<double> e_q = q_.radius_by_feature();
    e_k_ = k_.radius_by_feature();
    for (std::size_t f = 0; f < x_.width(); ++f) {
      both_ += e_q[f] + e_k_[f] + e_q[f] * e_k_[f];
      largest_e_q_ = std::max(largest_e_q_, e_q[f]);
      for (std::size_t j = 0; j < x_.dv; ++j) history_[j] += std::abs(x_.initial.S(f, j));
      history_[x_.dv] += std::abs(x_.initial.z[f]);
    }
  }

  void write(References& out) {
    Reference &N = out.at("N"), &D = out.at("D"), &o = out.at("o");
    std::vector<double> sizes(x_.dv + 1, 0.0);  // Σ_{j ≤ t} |v_j|
    for (std::size_t t = 0; t < x_.T; ++t) {
      for (std::size_t j = 0; j < x_.dv; ++j) sizes[j] += std::abs(x_.v(t, j));
      sizes[x_.dv] += 1;
      const std::size_t row = row_offset(case_, n_, t, h_, 1);
      const CertifiedValue denominator = sum(t, x_.dv, sizes);
      set(D, row, denominator);
      for (std::size_t j = 0; j < x_.dv; ++j) {
        const CertifiedValue numerator = sum(t, j, sizes);
        set(N, row * x_.dv + j, numerator);
        set(o, row * x_.dv + j, quotient(numerator, denominator, eps_raw_));
      }
    }
    write_state(sizes, out.at("S"), out.at("z"));
  }

 private:
  void write_state(const std::vector<double>& sizes, Reference& S, Reference& z) const {
    const auto index = state_index(case_, n_, h_);
    for (std::size_t f = 0; f < x_.width(); ++f) {
      const std::size_t row = index * x_.width() + f;
      set(z, row, state(f, x_.dv, sizes));
      for (std::size_t j = 0; j < x_.dv; ++j) set(S, row * x_.dv + j, state(f, j, sizes));
    }
  }

  /// Entry (f, j) of the final state. Where nothing was ever added it is exactly what it was, and where the scan's
  /// radius is large beside the entry it is summed again, alone.
  CertifiedValue state(std::size_t f, std::size_t j, const std::vector<double>& sizes) const {
    const double own = e_k_[f] * sizes[j];
    const CertifiedValue scanned = {scan_.state.at(f, j), scan_.state_radius[f] * scan_.scale[j] + own};
    if (scanned.radius <= 0x1p-60 * std::abs(scanned.value.hi)) return scanned;
    const double start = j < x_.dv ? x_.initial.S(f, j) : x_.initial.z[f];
    CertifiedValue sum = {DoubleDouble(start), 0};
    for (std::size_t t = 0; t < x_.T; ++t) {
      const double v = j < x_.dv ? x_.v(t, j) : 1;
      const DoubleDouble phi = k_.at(t, f), term = phi * v;
      sum.value = sum.value + term;
      // A product of two float32 numbers is exact, and so is a sum that cancels.
      const double product = phi.lo == 0 ? 0 : double_double_bound::product_with_double * std::abs(term.hi);
      sum.radius += k_.radius(t, f) * std::abs(v) + product + double_double_bound::sum * std::abs(sum.value.hi);
    }
    return sum;
  }

  /// N or D of one token, by C2 with |φ| ≤ 1: the features' radii meet every product once.
  CertifiedValue sum(std::size_t t, std::size_t j, const std::vector<double>& sizes) const {
    const DoubleDouble value = scan_.output.at(t, j);
    if (sizes[j] == 0 && history_[j] == 0) return {value, 0};
    return {value, scan_.output_radius[t] * scan_.scale[j] + both_ * sizes[j] + largest_e_q_ * history_[j]};
  }

  const Case& case_;
  std::int64_t n_, h_;
  Head<double> x_;
  SideFeatures q_, k_;
  LinearScan scan_;
  DoubleDouble eps_raw_;
  std::vector<double> history_;  ///< Σ_f |S_0|
  std::vector<double> e_k_;      ///< radius of each feature of the keys
  double both_ = 0;              ///< Σ_f (e_q + e_k + e_q e_k)
  double largest_e_q_ = 0;
};

}  // namespace

References certified_attention(const Case& c) {
  if (c.standard == Standard::exact) return exact_attention(c);
  References out = empty_references(c);
  const bool by_state = has_finite_state(c);
  if (!by_state)
    for (const char* name : {"S", "z", "N", "D"}) out.erase(name);
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h)
      by_state ? HeadCertificate(c, n, h).write(out) : certify_parallel(c, n, h, out);
  return out;
}

}  // namespace assay::sanatan
