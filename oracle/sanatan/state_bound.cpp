#include "oracle/sanatan/state_bound.hpp"

#include <algorithm>
#include <cmath>

namespace assay::sanatan {
namespace {

/// A feature and what its products with a row of the state share.
struct Factor {
  double phi, error;
  double absolute;  ///< |φ|
  double size;      ///< |φ| + e

  Factor(double phi, double error) : phi(phi), error(error), absolute(std::abs(phi)), size(absolute + error) {}
};

std::vector<Factor> factors(std::span<const double> phi, std::span<const double> error) {
  std::vector<Factor> all;
  for (std::size_t f = 0; f < phi.size(); ++f) all.emplace_back(phi[f], error[f]);
  return all;
}

/// v, and the 1 that makes z, in blocks.
std::vector<Columns> with_one(std::span<const double> v) {
  std::vector<double> values(v.begin(), v.end());
  values.push_back(1);
  return in_blocks(values);
}

}  // namespace

StateBound::StateBound(const Head<double>& head, const Contract& contract, const RoundingUnits& units)
    : width_(head.width()),
      constant_(head.d),
      columns_(head.dv + 1),
      units_(units),
      read_height_(contract.read_height > 0 ? static_cast<double>(contract.read_height)
                                            : static_cast<double>(head.width())),
      update_height_(static_cast<double>(contract.update_height)),
      entries_(column_blocks(columns_) * width_) {
  for (std::size_t f = 0; f < width_; ++f) {
    std::vector<double> row(head.initial.S.row(f).begin(), head.initial.S.row(f).end());
    row.push_back(head.initial.z[f]);
    const std::vector<Columns> blocks = in_blocks(row);
    for (std::size_t b = 0; b < blocks.size(); ++b) rows(b)[f].S = blocks[b];
  }
}

void StateBound::add_token(std::span<const double> phi_k, std::span<const double> error_k, std::span<const double> v) {
  roundings_ += 1;
  const double u = units_.u, eta = units_.eta;
  const std::vector<Columns> values = with_one(v);
  for (std::size_t b = 0; b < values.size(); ++b) {
    const Columns y = values[b], size = absolute(y);
    const std::span<Entries> all = rows(b);
    for (std::size_t f = 0; f < all.size(); ++f) {
      Entries& x = all[f];
      x.S += phi_k[f] * y;
      const Columns inherited = error_k[f] * size;
      const Columns before = x.A + inherited;
      const Columns rounding = u * (absolute(x.S) + before) + eta;
      x.A = before + rounding;
      x.L += inherited;
      x.V += rounding * rounding;
      const Columns half_ulp = larger(u * leading_bit(x.S), Columns{} + eta);
      x.E += half_ulp * half_ulp;
    }
  }
}

/// Over the tokens of a chunk, y a value.
struct StateBound::ChunkSums {
  double tokens = 0;
  double features = 0;  ///< |φ|
  Columns values{};     ///< |y|
  Columns value{};      ///< φ y
  Columns inherited{};  ///< e |y|
  Columns absolute{};   ///< (|φ| + e) |y|
  Columns square{};     ///< ((|φ| + e) |y|)²
};

void StateBound::add(const ChunkSums& sums, Entries& x, Columns is_S) const {
  const double u = units_.u, eta = units_.eta, h = update_height_;
  const Columns operand = units_.operand * is_S, truncated = units_.truncation * is_S * sums.absolute;
  const Columns summed = h * u * (1 + h * u) * sums.absolute + sums.tokens * eta;
  const Columns one_sided = sums.inherited + units_.small * (sums.features + sums.values);
  x.S += sums.value;
  const Columns before = x.A + one_sided + 2 * operand * sums.absolute + summed + truncated;
  const Columns rounding = u * (absolute(x.S) + before) + eta;
  x.A = before + rounding;
  x.L += truncated + one_sided + sums.tokens * eta;
  x.V += 2 * operand * operand * sums.square + rounding * rounding + h * (u * sums.absolute) * (u * sums.absolute);
}

void StateBound::add_chunk(const FeatureError& k, const Matrix<double>& v, std::size_t begin, std::size_t end) {
  roundings_ += 1 + update_height_;
  std::vector<std::vector<Columns>> values;
  for (std::size_t t = begin; t < end; ++t) values.push_back(with_one(v.row(t)));
  for (std::size_t f = 0; f < width_; ++f) {
    std::vector<Factor> phi;
    for (std::size_t t = begin; t < end; ++t) phi.emplace_back(k.phi(t, f), k.error(t, f));
    for (std::size_t b = 0; b < column_blocks(columns_); ++b) {
      ChunkSums sums;
      for (std::size_t t = 0; t < phi.size(); ++t) {
        const Columns y = values[t][b], size = phi[t].size * absolute(y);
        sums.tokens += 1;
        sums.features += phi[t].absolute;
        sums.values += absolute(y);
        sums.value += phi[t].phi * y;
        sums.inherited += phi[t].error * absolute(y);
        sums.absolute += size;
        sums.square += size * size;
      }
      add(sums, rows(b)[f], of_S(1, b));
    }
  }
}

/// Over the features, of one block of columns.
struct StateBound::ReadSums {
  Columns value{};       ///< φ S
  Columns magnitude{};   ///< |S|
  Columns absolute{};    ///< |φ| |S|
  Columns inherited{};   ///< e |S|
  Columns propagated{};  ///< (|φ| + e) A
  Columns one_sided{};   ///< (|φ| + e) L
  // The constant channel, whose rows err alike: their deviations add up, and (Σ |φ| √V)² <= Σ |φ| Σ |φ| V.
  double constant{};            ///< |φ|
  Columns constant_variance{};  ///< |φ| V
  Columns constant_operands{};  ///< |φ| (|S| + A)
  // The others:
  Columns variance{};          ///< φ² V
  Columns operand_variance{};  ///< φ² (|S| + A)²

  void add(const Factor& q, const Entries& x) {
    const Columns size = assay::absolute(x.S);
    value += q.phi * x.S;
    magnitude += size;
    absolute += q.absolute * size;
    inherited += q.error * size;
    propagated += q.size * x.A;
    one_sided += q.size * x.L;
  }
  void add_constant(const Factor& q, const Entries& x) {
    constant += q.absolute;
    constant_variance += q.absolute * x.V;
    constant_operands += q.absolute * (assay::absolute(x.S) + x.A);
  }
  void add_other(const Factor& q, const Entries& x) {
    const Columns operand = q.absolute * (assay::absolute(x.S) + x.A);
    variance += q.phi * q.phi * x.V;
    operand_variance += operand * operand;
  }
};

ReadoutBound StateBound::read(std::span<const double> phi_q, std::span<const double> error_q) const {
  const double u = units_.u, eta = units_.eta, width = static_cast<double>(width_), h = read_height_;
  const double enlargement = enlarged(roundings_ + width);
  const std::vector<Factor> q = factors(phi_q, error_q);
  double sizes = 0;
  for (const Factor& factor : q) sizes += factor.size;
  ReadoutBound bound{std::vector<double>(columns_), std::vector<double>(columns_), std::vector<double>(columns_)};
  for (std::size_t b = 0; b < column_blocks(columns_); ++b) {
    const std::span<const Entries> all = rows(b);
    ReadSums sums;
    for (std::size_t f = 0; f < constant_; ++f) {
      sums.add(q[f], all[f]);
      sums.add_constant(q[f], all[f]);
    }
    for (std::size_t f = constant_; f < width_; ++f) {
      sums.add(q[f], all[f]);
      sums.add_other(q[f], all[f]);
    }
    // S is rounded as it enters the product, z is not; φ_q once more beside it.
    const Columns operand = of_S(units_.state + units_.operand, b);
    const Columns with_error = sums.absolute + sums.inherited + sums.propagated;
    const Columns truncated = of_S(units_.truncation, b) * with_error;
    const Columns floor = units_.small * (sizes + sums.magnitude) + width * eta;
    const Columns worst = sums.propagated + sums.inherited + operand * with_error + floor +
                          h * u * (1 + h * u) * with_error + truncated + width * eta;
    const Columns spread = sums.variance + operand * operand * sums.operand_variance +
                           sums.constant * sums.constant_variance + h * (u * sums.absolute) * (u * sums.absolute);
    const Columns one_sided = sums.one_sided + sums.inherited + floor + operand * sums.constant_operands + truncated +
                              (roundings_ + h) * u * worst;
    for (std::size_t i = 0, j = b * columns_a_block; i < columns_a_block && j < columns_; ++i, ++j) {
      bound.value[j] = sums.value[i];
      bound.deterministic[j] = worst[i] * enlargement;
      bound.statistical[j] = std::min(worst[i], 8 * std::sqrt(spread[i]) + one_sided[i]) * enlargement;
    }
  }
  return bound;
}

StateBound::Entry StateBound::entry(std::size_t f, std::size_t column) const {
  const Entries& x = rows(column / columns_a_block)[f];
  const std::size_t i = column % columns_a_block;
  return {x.S[i], x.A[i], x.V[i], x.L[i], x.E[i]};
}

Columns StateBound::of_S(double x, std::size_t block) const {
  Columns blocks = {x, x, x, x};
  if (const std::size_t z = columns_ - 1; z / columns_a_block == block) blocks[z % columns_a_block] = 0;
  return blocks;
}

double StateBound::deterministic(std::size_t f, std::size_t column) const {
  return entry(f, column).A * enlarged(roundings_);
}

double StateBound::deviation(std::size_t f, std::size_t column) const {
  const Entry x = entry(f, column);
  return std::abs(x.S) >= 0x1p-126 ? std::sqrt(x.E / 3) : 0;
}

double StateBound::statistical(std::size_t f, std::size_t column) const {
  const Entry x = entry(f, column);
  const double likely = 8 * std::sqrt(x.V) + x.L + roundings_ * units_.u * x.A;
  return std::min(x.A, likely) * enlarged(roundings_);
}

}  // namespace assay::sanatan
