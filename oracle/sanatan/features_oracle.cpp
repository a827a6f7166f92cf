#include "oracle/sanatan/features_oracle.hpp"

#include <cmath>
#include <functional>

#include "oracle/rounding_deviation.hpp"
#include "oracle/sanatan/certified_features.hpp"
#include "oracle/sanatan/certified_sum.hpp"
#include "oracle/sanatan/feature_error.hpp"

namespace assay::sanatan {
namespace {

/// Calls visit(x, head, n, h) with the tokens x [T, d] of each sequence and head.
template <class Visit>
void for_each_head(const Case& c, Visit visit) {
  for (std::int64_t n = 0; n < c.sequences(); ++n) {
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) {
      const Head<double> head = head_of<double>(c, n, h);
      visit(detail::rows_of<double>(c, "x", n, h, head.T, head.d), head, n, h);
    }
  }
}

template <class Radius>
void set_rows(Reference& out, const Case& c, std::int64_t n, std::int64_t h, const LaneArray& rows, Radius radius) {
  for (std::size_t t = 0; t < rows.rows(); ++t)
    for (std::size_t i = 0; i < rows.lanes(); ++i)
      set(out, row_offset(c, n, t, h, rows.lanes()) + i, {rows.at(t, i), radius(t, i)});
}

void set_rows(Allowance& out, const Case& c, std::int64_t n, std::int64_t h, const Matrix<double>& error) {
  for (std::size_t t = 0; t < error.rows(); ++t)
    for (std::size_t i = 0; i < error.cols(); ++i) {
      const std::size_t at = row_offset(c, n, t, h, error.cols()) + i;
      out.deterministic[at] = out.statistical[at] = error(t, i) * (1 + 0x1p-40);
    }
}

/// φ rounded once more, to the output's format.
Matrix<double> narrowed(const FeatureError& features, const FloatFormat& format) {
  Matrix<double> error = features.error;
  if (format.precision == float32_format.precision) return error;
  for (std::size_t t = 0; t < error.rows(); ++t)
    for (std::size_t f = 0; f < error.cols(); ++f)
      error(t, f) += format.unit_roundoff() * (std::abs(features.phi(t, f)) + error(t, f)) + format.eta();
  return error;
}

/// Where φ's last rounding, to a narrower format, decides its error.
void set_deviations(Allowance& out, const Case& c, std::int64_t n, std::int64_t h, const FeatureError& features,
                    const FloatFormat& format) {
  for (std::size_t t = 0; t < features.phi.rows(); ++t)
    for (std::size_t f = 0; f < features.phi.cols(); ++f) {
      const double phi = std::abs(features.phi(t, f));
      if (features.error(t, f) <= format.unit_roundoff() * phi / 16)
        out.deviation[row_offset(c, n, t, h, features.phi.cols()) + f] = rounding_deviation(format, phi);
    }
}

}  // namespace

References certified_encoding(const Case& c) {
  References out = empty_references(c);
  for_each_head(c, [&](const Matrix<double>& x, const Head<double>& head, std::int64_t n, std::int64_t h) {
    const CertifiedFeatures features = certified_features(head, x, c.parameter("gamma"));
    const auto of_theta = [&](std::size_t t, std::size_t a) {
      return theta_radius * std::abs(features.theta.at(t, a).hi);
    };
    set_rows(out.at("theta"), c, n, h, features.theta, of_theta);
    set_rows(out.at("r"), c, n, h, features.r, [&](std::size_t, std::size_t) { return features.label_radius; });
    set_rows(out.at("phi"), c, n, h, features.phi, [&](std::size_t t, std::size_t f) { return features.radius(t, f); });
  });
  return out;
}

Allowances encoding_bound(const Case& c, const Contract& contract, const References& truth) {
  Allowances out;
  for (const auto& [name, reference] : truth) {
    const std::vector<double> zeros(reference.hi.size());
    out.emplace(name, Allowance{.deterministic = zeros, .statistical = zeros, .deviation = zeros});
  }
  for_each_head(c, [&](const Matrix<double>& x, const Head<double>& head, std::int64_t n, std::int64_t h) {
    const EncodingError encoding = encoding_error(head, x, c.parameter("gamma"), contract);
    set_rows(out.at("theta"), c, n, h, encoding.theta);
    set_rows(out.at("r"), c, n, h, encoding.r);
    const FloatFormat& format = float_format(contract.output);
    set_rows(out.at("phi"), c, n, h, narrowed(encoding.phi, format));
    if (contract.output != Format::f32) set_deviations(out.at("phi"), c, n, h, encoding.phi, format);
  });
  return out;
}

}  // namespace assay::sanatan
