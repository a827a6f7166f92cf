#include "oracle/sanatan/scan_bound.hpp"

#include <algorithm>
#include <cmath>

namespace assay::sanatan {
namespace {

constexpr double u = 0x1p-24;
constexpr double eta = 0x1p-150;

}  // namespace

ScanBound::ScanBound(const Head<double>& head, double height)
    : width_(head.width()),
      columns_(head.dv + 1),
      d_(head.d),
      channels_(head.channels),
      height_(height),
      S_(width_ * columns_),
      A_(width_ * columns_, 0.0),
      V_(width_ * columns_, 0.0) {
  for (std::size_t f = 0; f < width_; ++f) {
    std::ranges::copy(head.initial.S.row(f), S_.begin() + static_cast<std::ptrdiff_t>(f * columns_));
    S_[f * columns_ + head.dv] = head.initial.z[f];
  }
}

void ScanBound::update(std::span<const double> phi_k, std::span<const double> error_k, std::span<const double> v) {
  tokens_ += 1;
  const double shared = std::max<double>(1, static_cast<double>(channels_) - 1);
  std::vector<double> one_column(v.begin(), v.end());
  one_column.push_back(1);
  for (std::size_t f = 0; f < width_; ++f) {
    const double phi = phi_k[f], e = error_k[f];
    double* const S = &S_[f * columns_];
    double* const A = &A_[f * columns_];
    double* const V = &V_[f * columns_];
    for (std::size_t j = 0; j < columns_; ++j) {
      S[j] += phi * one_column[j];
      const double inherited = e * std::abs(one_column[j]);
      const double before = A[j] + inherited;
      const double rounding = u * (std::abs(S[j]) + before) + eta;
      A[j] = before + rounding;
      V[j] += rounding * rounding + shared * inherited * inherited;
    }
  }
}

ReadoutBound ScanBound::read(std::span<const double> phi_q, std::span<const double> error_q) const {
  ReadoutBound row{std::vector<double>(columns_, 0.0), std::vector<double>(columns_, 0.0),
                   std::vector<double>(columns_, 0.0)};
  std::vector<double> absolute(columns_, 0.0), with_error(columns_, 0.0), variance(columns_, 0.0);
  std::vector<double> by_dimension(d_ * columns_, 0.0);
  for (std::size_t f = 0; f < width_; ++f) {
    const double phi = phi_q[f], e = error_q[f], size = std::abs(phi) + e;
    const double* const S = &S_[f * columns_];
    const double* const A = &A_[f * columns_];
    const double* const V = &V_[f * columns_];
    double* const group = &by_dimension[(f % d_) * columns_];
    for (std::size_t j = 0; j < columns_; ++j) {
      const double magnitude = std::abs(S[j]);
      row.value[j] += phi * S[j];
      row.deterministic[j] += size * A[j] + e * magnitude;
      absolute[j] += std::abs(phi) * magnitude;
      with_error[j] += size * (magnitude + A[j]);
      variance[j] += phi * phi * V[j];
      group[j] += e * magnitude;
    }
  }
  for (std::size_t a = 0; a < d_; ++a)
    for (std::size_t j = 0; j < columns_; ++j)
      variance[j] += by_dimension[a * columns_ + j] * by_dimension[a * columns_ + j];
  const double growth = std::pow(1 + u, height_);
  for (std::size_t j = 0; j < columns_; ++j) {
    row.deterministic[j] += height_ * u * growth * with_error[j] + static_cast<double>(width_) * eta;
    const double spread = variance[j] + height_ * (u * absolute[j]) * (u * absolute[j]);
    const double second_order = (tokens_ + height_) * u * row.deterministic[j];
    row.statistical[j] = std::min(row.deterministic[j], 8 * std::sqrt(spread) + second_order);
    row.statistical[j] *= enlarged(tokens_ + static_cast<double>(width_));
    row.deterministic[j] *= enlarged(tokens_ + static_cast<double>(width_));
  }
  return row;
}

double ScanBound::deterministic(std::size_t f, std::size_t column) const {
  return A_[f * columns_ + column] * enlarged(tokens_);
}

double ScanBound::statistical(std::size_t f, std::size_t column) const {
  const std::size_t at = f * columns_ + column;
  return std::min(A_[at], 8 * std::sqrt(V_[at]) + tokens_ * u * A_[at]) * enlarged(tokens_);
}

}  // namespace assay::sanatan
