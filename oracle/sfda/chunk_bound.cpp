#include "oracle/sfda/chunk_bound.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "oracle/sfda/token_bound.hpp"

namespace assay::sfda {
namespace {

bool meet_as_operands(std::size_t t, std::size_t s) { return t / sub_block != s / sub_block; }

template <class K>
double largest(std::span<const K> x) {
  double most = 0;
  for (const K& entry : x) most = std::max(most, size_of(entry));
  return most;
}

/// Σ_r |a_tr| x_rj beside sqrt(Σ_r |a_tr|² x_rj²), for every t and j.
struct SizeProduct {
  Matrix<double> sum, root;

  template <class K>
  SizeProduct(const Matrix<K>& a, const Matrix<double>& x, double tiny) : sum(a.rows(), x.cols()), root(sum) {
    for (std::size_t t = 0; t < a.rows(); ++t) {
      const std::span<double> into = sum.row(t), squares = root.row(t);
      for (std::size_t r = 0; r < a.cols(); ++r) {
        const double size = size_of(a(t, r)) + (a(t, r) == K(0) ? 0 : tiny);
        if (size == 0) continue;
        const std::span<const double> row = x.row(r);
        for (std::size_t j = 0; j < row.size(); ++j) {
          const double term = size * row[j];
          into[j] += term;
          squares[j] += term * term;
        }
      }
      for (double& square : squares) square = std::sqrt(square);
    }
  }

  /// The same for columns of x that are longer by another column of norm at most `errors`.
  template <class K>
  SizeProduct(const Matrix<K>& a, const Matrix<double>& x, double tiny, std::span<const double> errors)
      : SizeProduct(a, x, tiny) {
    for (std::size_t t = 0; t < a.rows(); ++t) {
      const double length = norm<K>(a.row(t)), most = largest<K>(a.row(t));
      for (std::size_t j = 0; j < errors.size(); ++j) {
        sum(t, j) += length * errors[j];
        root(t, j) += most * errors[j];
      }
    }
  }
};

}  // namespace

template <class K>
ChunkBound<K>::ChunkBound(ChunkFactors<K> factors, std::span<const double> likely, const DeltaUnits<K>& units)
    : f_(std::move(factors)),
      units_(units),
      likely_(likely.begin(), likely.end()),
      n_(f_.tokens()),
      d_(f_.S.rows()),
      dv_(f_.S.cols()),
      S_(d_, dv_),
      U_(n_, dv_),
      R_(n_, dv_),
      solution_(n_, dv_),
      residual_(n_, dv_),
      state_(d_, dv_),
      output_(n_, dv_),
      operand_(d_, dv_),
      given_(f_.decays_round ? units.operand : units.given) {
  const double tiny = units_.tiny;
  double growth = 0;
  for (std::size_t t = 0; t < n_; ++t) {
    double row = 0;
    for (std::size_t s = 0; s <= t; ++s) {
      double sizes = 1;
      for (std::size_t r = 0; r < s; ++r) sizes += f_.L.sizes(s, r);
      row += size_of(f_.M(t, s)) * sizes;
    }
    growth = std::max(growth, row);
  }
  const double a_score = 2 * units_.operand + units_.truncation + units_.worst(units_.score) +
                         of_decays(static_cast<double>(n_)) + units_.worst(units_.value);
  inflate_ = 1 + std::min(1.0, growth * a_score);
  std::vector<double> moved(n_);  // what a column of S_0 of norm 1 does to R_t
  for (std::size_t t = 0; t < n_; ++t) moved[t] = std::abs(f_.beta[t]) * norm<K>(f_.K_tilde.row(t));
  for (std::size_t i = 0; i < d_; ++i)
    for (std::size_t j = 0; j < dv_; ++j) S_(i, j) = size_of(f_.S(i, j)) + tiny;
  for (std::size_t t = 0; t < n_; ++t) {
    std::vector<K> of_state(d_, K(0));  // what U_t is of S_0
    for (std::size_t s = 0; s <= t; ++s)
      for (std::size_t i = 0; i < d_; ++i)
        of_state[i] = of_state[i] + f_.M(t, s) * K(f_.beta[s]) * conj(f_.K_tilde(s, i));
    const double through_M = norm<K>(of_state);
    for (std::size_t j = 0; j < dv_; ++j) {
      U_(t, j) = inflate_ * (size_of(f_.U(t, j)) + through_M * likely[j]) + tiny;
      R_(t, j) = inflate_ * (size_of(f_.R(t, j)) + moved[t] * likely[j]) + tiny;
    }
  }
  for (const Matrix<K>& W : f_.W) {
    Matrix<double>& sizes = W_.emplace_back(d_, dv_);
    for (std::size_t i = 0; i < d_; ++i)
      for (std::size_t j = 0; j < dv_; ++j) sizes(i, j) = inflate_ * size_of(W(i, j)) + tiny;
  }
  add_solution_sites();
  add_residual_sites();
  add_state_sites();
  add_output_sites();
  for (std::size_t i = 0; i < d_; ++i)
    for (std::size_t j = 0; j < dv_; ++j) operand_.add(i, j, units_.operand * S_(i, j));
}

/// Γ of that many factors: each with its own error, and a product.
template <class K>
double ChunkBound<K>::of_decays(double factors) const {
  return f_.decays_round ? (factors + 2) * (units_.lambda + DeltaUnits<K>::product * units_.u) : 0;
}

/// U = M R: U and M as they are rounded for products, and the sum.
template <class K>
void ChunkBound<K>::add_solution_sites() {
  const SizeProduct MR(f_.M, R_, units_.tiny);
  for (std::size_t s = 0; s < n_; ++s)
    for (std::size_t j = 0; j < dv_; ++j) {
      solution_.add(s, j, units_.operand * U_(s, j));
      solution_.add_correlated(s, j, units_.operand * MR.sum(s, j), units_.operand * MR.root(s, j));
      solution_.add_correlated(s, j, units_.worst(units_.value) * MR.sum(s, j),
                               units_.root(units_.value) * MR.sum(s, j), units_.truncation * MR.sum(s, j));
    }
}

/// Errors of the scores x_t* Γ_ts k_s of row t beside what they are multiplied into, but for those of rounded keys.
template <class K>
void ChunkBound<K>::add_score_sites(const Scores<K>& scores, double beta, std::size_t t, ErrorSites& sites) const {
  for (std::size_t s = 0; s <= t; ++s) {
    const double sizes = scores.sizes(t, s);
    if (sizes == 0) continue;
    const double one_sided = of_decays(static_cast<double>(t - s)) + (meet_as_operands(t, s) ? units_.truncation : 0);
    for (std::size_t j = 0; j < dv_; ++j)
      sites.add_correlated(t, j, sizes * U_(s, j) * units_.worst(units_.score),
                           sizes * U_(s, j) * units_.root(units_.score), sizes * U_(s, j) * one_sided);
  }
  // The rounded x_t is the same for every earlier key: together they are W.
  const Matrix<double>& W = W_[t / sub_block];
  const double length = norm<K>(scores.left.row(t)), most = largest<K>(scores.left.row(t));
  for (std::size_t j = 0; j < dv_; ++j) {
    const double error = 2 * given_ * beta * likely_[j];  // of W: two maps that do not expand, at most
    sites.add_correlated(t, j, length * error, most * error);
  }
  for (std::size_t i = 0; i < d_; ++i) {
    const double factor = given_ * beta * size_of(scores.left(t, i));
    for (std::size_t j = 0; factor != 0 && j < dv_; ++j) sites.add(t, j, factor * W(i, j));
  }
}

/// Keys as they are rounded for the scores of later sub-blocks: row t of L is met with ρ_t, and row `reader` of A,
/// where there is one, with 1.
template <class K>
void ChunkBound<K>::add_keys(const std::vector<K>& rho, std::optional<std::size_t> reader, RowError& error) const {
  if (given_ == 0) return;
  std::vector<double> later(d_);
  for (std::size_t block = f_.W.size(); block-- > 1;) {
    std::vector<K> met(d_, K(0));
    const std::size_t end = std::min(n_, (block + 1) * sub_block);
    for (std::size_t t = block * sub_block; t < end; ++t)
      for (std::size_t i = 0; i < d_; ++i) met[i] = met[i] + rho[t] * K(f_.beta[t]) * conj(f_.L.left(t, i));
    const bool read = reader && *reader / sub_block == block;
    for (std::size_t i = 0; i < d_; ++i) later[i] += size_of(met[i]) + (read ? size_of(f_.A.left(*reader, i)) : 0);
    for (std::size_t s = (block - 1) * sub_block; s < block * sub_block; ++s) {
      double sum = 0, squares = 0;
      for (std::size_t i = 0; i < d_; ++i) {
        const double term = given_ * size_of(f_.k(s, i)) * later[i];
        sum += term;
        squares += term * term;
      }
      add_multiple(error.worst, sum, U_.row(s));
      for (std::size_t j = 0; j < dv_; ++j) error.square[j] += squares * U_(s, j) * U_(s, j);
    }
  }
}

/// R = β (v - K̃ S_0), the substitution that forms M, and the scores L in it.
template <class K>
void ChunkBound<K>::add_residual_sites() {
  const double tiny = units_.tiny;
  const SizeProduct KS(f_.K_tilde, S_, tiny, likely_), MR(f_.M, R_, tiny), LMR(f_.L.value, MR.sum, tiny);
  for (std::size_t t = 0; t < n_; ++t) {
    add_score_sites(f_.L, std::abs(f_.beta[t]), t, residual_);
    const double beta = std::abs(f_.beta[t]), decays = of_decays(static_cast<double>(t + 1));
    const double substitution = static_cast<double>(t) * DeltaUnits<K>::product;
    for (std::size_t j = 0; j < dv_; ++j) {
      residual_.add(t, j, units_.operand * R_(t, j));
      residual_.add(t, j, 2 * units_.u * R_(t, j));
      residual_.add_correlated(t, j, units_.worst(substitution) * LMR.sum(t, j),
                               units_.root(substitution) * LMR.sum(t, j));
      const double sum = beta * (KS.sum(t, j) + static_cast<double>(d_) * tiny);
      residual_.add_correlated(t, j, given_ * sum, given_ * beta * KS.root(t, j));
      residual_.add_correlated(t, j, units_.worst(units_.read) * sum, units_.root(units_.read) * sum,
                               (units_.truncation + decays) * sum);
    }
  }
}

/// S = G S_0 + Σ_s K̂_s U_s.
template <class K>
void ChunkBound<K>::add_state_sites() {
  const double tiny = units_.tiny, n = static_cast<double>(n_);
  Matrix<K> keys(d_, n_);
  for (std::size_t i = 0; i < d_; ++i)
    for (std::size_t s = 0; s < n_; ++s) keys(i, s) = f_.K_hat(s, i);
  const SizeProduct KU(keys, U_, tiny);
  for (std::size_t i = 0; i < d_; ++i)
    for (std::size_t j = 0; j < dv_; ++j) {
      const double sum = KU.sum(i, j) + n * tiny, carried = size_of(f_.G[i]) * (S_(i, j) + likely_[j]) + tiny;
      state_.add_correlated(i, j, given_ * sum, given_ * KU.root(i, j));
      state_.add_correlated(i, j, units_.worst(units_.update) * sum, units_.root(units_.update) * sum,
                            (units_.truncation + of_decays(n)) * sum);
      state_.add(i, j, DeltaUnits<K>::product * units_.u * carried, of_decays(n) * carried);
      state_.add(i, j, units_.u * (carried + sum));
    }
}

/// o = Q̃ S_0 + A U.
template <class K>
void ChunkBound<K>::add_output_sites() {
  const double tiny = units_.tiny;
  const SizeProduct QS(f_.Q_tilde, S_, tiny, likely_), AU(f_.A.value, U_, tiny);
  for (std::size_t t = 0; t < n_; ++t) {
    add_score_sites(f_.A, 1, t, output_);
    const double decays = of_decays(static_cast<double>(t + 1));
    for (std::size_t j = 0; j < dv_; ++j) {
      const double read = QS.sum(t, j) + static_cast<double>(d_) * tiny, own = AU.sum(t, j) + tiny;
      output_.add_correlated(t, j, given_ * read, given_ * QS.root(t, j));
      output_.add_correlated(t, j, units_.worst(units_.read) * read, units_.root(units_.read) * read,
                             (units_.truncation + decays) * read);
      output_.add_correlated(t, j, units_.operand * own, units_.operand * AU.root(t, j));
      output_.add_correlated(t, j, units_.worst(units_.value) * own, units_.root(units_.value) * own,
                             units_.truncation * own);
      output_.add(t, j, units_.u * (read + own));
    }
  }
}

template <class K>
ChunkRow<K> ChunkBound<K>::row(const std::vector<K>& omega, const std::vector<K>& direct, std::vector<K> carried,
                               std::optional<std::size_t> reader) const {
  std::vector<K> rho(n_, K(0)), read = direct;
  for (std::size_t s = 0; s < n_; ++s)
    for (std::size_t t = 0; t <= s; ++t) rho[t] = rho[t] + omega[s] * f_.M(s, t);
  for (std::size_t t = 0; t < n_; ++t)
    for (std::size_t i = 0; i < d_; ++i) read[i] = read[i] - K(f_.beta[t]) * conj(rho[t]) * f_.K_tilde(t, i);
  ChunkRow<K> result{std::move(carried), RowError(dv_)};
  for (std::size_t t = 0; t < n_; ++t) {
    solution_.add_to(result.error, t, size_of(omega[t]));
    residual_.add_to(result.error, t, size_of(rho[t]));
  }
  add_keys(rho, reader, result.error);
  for (std::size_t i = 0; i < d_; ++i) {
    if (units_.operand > 0) operand_.add_to(result.error, i, size_of(read[i]));
    result.before[i] = result.before[i] + read[i];
  }
  const double length = norm<K>(read), most = largest<K>(read);
  for (std::size_t j = 0; j < dv_; ++j) {
    result.error.worst[j] += units_.operand * length * likely_[j];
    result.error.square[j] += std::pow(units_.operand * most * likely_[j], 2);
  }
  return result;
}

template <class K>
ChunkRow<K> ChunkBound<K>::output(std::size_t t) const {
  std::vector<K> omega(n_, K(0)), direct(f_.Q_tilde.row(t).begin(), f_.Q_tilde.row(t).end());
  for (std::size_t s = 0; s <= t; ++s) omega[s] = f_.A.value(t, s);
  ChunkRow<K> result = row(omega, direct, std::vector<K>(d_, K(0)), t);
  output_.add_to(result.error, t, 1);
  return result;
}

template <class K>
ChunkRow<K> ChunkBound<K>::carry(std::span<const K> g) const {
  std::vector<K> omega(n_, K(0)), carried(d_);
  for (std::size_t i = 0; i < d_; ++i) carried[i] = conj(f_.G[i]) * g[i];
  for (std::size_t s = 0; s < n_; ++s)
    for (std::size_t i = 0; i < d_; ++i) omega[s] = omega[s] + conj(g[i]) * f_.K_hat(s, i);
  ChunkRow<K> result = row(omega, std::vector<K>(d_, K(0)), std::move(carried), std::nullopt);
  for (std::size_t i = 0; i < d_; ++i)
    if (!(g[i] == K(0))) state_.add_to(result.error, i, size_of(g[i]));
  return result;
}

template class ChunkBound<double>;
template class ChunkBound<Cx<double>>;

}  // namespace assay::sfda
