#include "oracle/sanatan/state_bound.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace assay::sanatan {

namespace {

/// Row f of an array with that many columns.
double* row(std::vector<double>& array, std::size_t f, std::size_t columns) { return &array[f * columns]; }
const double* row(const std::vector<double>& array, std::size_t f, std::size_t columns) { return &array[f * columns]; }

/// The power of two in [|x| / 2, |x|]; 0 for 0.
double leading_bit(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & std::uint64_t{0x7ff0000000000000});
}

}  // namespace

StateBound::StateBound(const Head<double>& head, const Contract& contract, const RoundingUnits& units)
    : width_(head.width()),
      dimensions_(head.d),
      columns_(head.dv + 1),
      units_(units),
      read_height_(contract.read_height > 0 ? static_cast<double>(contract.read_height)
                                            : static_cast<double>(head.width())),
      update_height_(static_cast<double>(contract.update_height)),
      S_(width_ * columns_),
      A_(width_ * columns_, 0.0),
      V_(width_ * columns_, 0.0),
      L_(width_ * columns_, 0.0),
      E_(width_ * columns_, 0.0) {
  for (std::size_t f = 0; f < width_; ++f) {
    std::ranges::copy(head.initial.S.row(f), row(S_, f, columns_));
    S_[f * columns_ + head.dv] = head.initial.z[f];
  }
}

void StateBound::add_token(std::span<const double> phi_k, std::span<const double> error_k, std::span<const double> v) {
  roundings_ += 1;
  std::vector<double> values(v.begin(), v.end());
  values.push_back(1);
  for (std::size_t f = 0; f < width_; ++f) {
    const double phi = phi_k[f], e = error_k[f];
    double *const S = row(S_, f, columns_), *const A = row(A_, f, columns_);
    double *const V = row(V_, f, columns_), *const L = row(L_, f, columns_), *const E = row(E_, f, columns_);
    for (std::size_t j = 0; j < columns_; ++j) {
      S[j] += phi * values[j];
      const double inherited = e * std::abs(values[j]);
      const double before = A[j] + inherited;
      const double rounding = units_.u * (std::abs(S[j]) + before) + units_.eta;
      A[j] = before + rounding;
      L[j] += inherited;
      V[j] += rounding * rounding;
      const double half_ulp = std::max(units_.u * leading_bit(S[j]), units_.eta);
      E[j] += half_ulp * half_ulp / 3;
    }
  }
}

void StateBound::add_chunk_row(const FeatureError& k, const Matrix<double>& v, std::size_t begin, std::size_t end,
                               std::size_t f) {
  std::vector<double> sum(columns_, 0.0), absolute(columns_, 0.0), inherited(columns_, 0.0), variance(columns_, 0.0);
  std::vector<double> small(columns_, 0.0);
  for (std::size_t t = begin; t < end; ++t) {
    const double phi = k.phi(t, f), e = k.error(t, f);
    for (std::size_t j = 0; j < columns_; ++j) {
      const bool of_z = j + 1 == columns_;
      const double y = of_z ? 1 : v(t, j);
      const double error = e * std::abs(y), size = std::abs(phi * y) + error;
      const double operands = of_z ? 0 : 2 * units_.operand * size;
      sum[j] += phi * y;
      absolute[j] += size;
      inherited[j] += error + operands + units_.small * (std::abs(phi) + std::abs(y));
      small[j] += error + units_.small * (std::abs(phi) + std::abs(y)) + units_.eta;
      variance[j] += operands * operands / 2;
    }
  }
  double *const S = row(S_, f, columns_), *const A = row(A_, f, columns_), *const V = row(V_, f, columns_),
                *const L = row(L_, f, columns_);
  for (std::size_t j = 0; j < columns_; ++j) {
    const double truncated = j + 1 == columns_ ? 0 : units_.truncation * absolute[j];
    const double summed = update_height_ * units_.u * (1 + update_height_ * units_.u) * absolute[j] +
                          static_cast<double>(end - begin) * units_.eta;
    S[j] += sum[j];
    const double before = A[j] + inherited[j] + summed + truncated;
    const double rounding = units_.u * (std::abs(S[j]) + before) + units_.eta;
    A[j] = before + rounding;
    L[j] += truncated + small[j];
    V[j] += variance[j] + rounding * rounding + update_height_ * (units_.u * absolute[j]) * (units_.u * absolute[j]);
  }
}

void StateBound::add_chunk(const FeatureError& k, const Matrix<double>& v, std::size_t begin, std::size_t end) {
  roundings_ += 1 + update_height_;
  for (std::size_t f = 0; f < width_; ++f) add_chunk_row(k, v, begin, end, f);
}

ReadoutBound StateBound::read(std::span<const double> phi_q, std::span<const double> error_q) const {
  ReadoutBound bound{std::vector<double>(columns_, 0.0), std::vector<double>(columns_, 0.0),
                     std::vector<double>(columns_, 0.0)};
  std::vector<double> absolute(columns_, 0.0), with_error(columns_, 0.0), variance(columns_, 0.0);
  std::vector<double> one_sided(columns_, 0.0), constant(columns_, 0.0);
  for (std::size_t f = 0; f < width_; ++f) {
    const bool is_constant = f < dimensions_;
    const double phi = phi_q[f], e = error_q[f], size = std::abs(phi) + e;
    const double *const S = row(S_, f, columns_), *const A = row(A_, f, columns_), *const V = row(V_, f, columns_),
                        *const L = row(L_, f, columns_);
    for (std::size_t j = 0; j < columns_; ++j) {
      const double magnitude = std::abs(S[j]);
      // S is rounded as it enters the product, z is not; φ_q once more beside it.
      const double operands = j + 1 == columns_ ? 0 : (units_.state + units_.operand) * (magnitude + A[j]);
      bound.value[j] += phi * S[j];
      const double floor = units_.small * (size + magnitude) + units_.eta;
      bound.deterministic[j] += size * (A[j] + operands) + e * magnitude + floor;
      absolute[j] += std::abs(phi) * magnitude;
      with_error[j] += size * (magnitude + A[j]);
      one_sided[j] += size * L[j] + e * magnitude + floor + (is_constant ? std::abs(phi) * operands : 0);
      if (is_constant)
        constant[j] += std::abs(phi) * std::sqrt(V[j]);
      else
        variance[j] += phi * phi * (V[j] + operands * operands);
    }
  }
  const double terms = roundings_ + static_cast<double>(width_);
  for (std::size_t j = 0; j < columns_; ++j) {
    const double truncated = j + 1 == columns_ ? 0 : units_.truncation * with_error[j];
    bound.deterministic[j] += read_height_ * units_.u * (1 + read_height_ * units_.u) * with_error[j] + truncated +
                              static_cast<double>(width_) * units_.eta;
    const double spread =
        variance[j] + constant[j] * constant[j] + read_height_ * (units_.u * absolute[j]) * (units_.u * absolute[j]);
    const double second_order = (roundings_ + read_height_) * units_.u * bound.deterministic[j];
    bound.statistical[j] =
        std::min(bound.deterministic[j], 8 * std::sqrt(spread) + one_sided[j] + truncated + second_order) *
        enlarged(terms);
    bound.deterministic[j] *= enlarged(terms);
  }
  return bound;
}

double StateBound::deterministic(std::size_t f, std::size_t column) const {
  return row(A_, f, columns_)[column] * enlarged(roundings_);
}

double StateBound::deviation(std::size_t f, std::size_t column) const {
  const bool normal = std::abs(row(S_, f, columns_)[column]) >= 0x1p-126;
  return normal ? std::sqrt(row(E_, f, columns_)[column]) : 0;
}

double StateBound::statistical(std::size_t f, std::size_t column) const {
  const double A = row(A_, f, columns_)[column];
  const double likely =
      8 * std::sqrt(row(V_, f, columns_)[column]) + row(L_, f, columns_)[column] + roundings_ * units_.u * A;
  return std::min(A, likely) * enlarged(roundings_);
}

}  // namespace assay::sanatan
