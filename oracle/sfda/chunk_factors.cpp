#include "oracle/sfda/chunk_factors.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/sfda/delta_units.hpp"

namespace assay::sfda {
namespace {

/// Sets row t of the scores of x_t: the running product w = Γ_ts* x_t is taken from the later index on.
template <class K>
void set_scores(const Tokens<K>& x, std::size_t begin, std::size_t t, std::span<const K> row, double factor,
                bool with_own, Scores<K>& scores) {
  std::vector<K> w(row.begin(), row.end());
  for (std::size_t s = t + 1; s-- > 0;) {
    if (s + 1 == t / sub_block * sub_block) std::ranges::copy(w, scores.left.row(t).begin());
    if (s < t || with_own) {
      K sum(0);
      double sizes = 0;
      for (std::size_t i = 0; i < w.size(); ++i) {
        sum = sum + conj(w[i]) * x.k(begin + s, i);
        sizes += size_of(w[i]) * size_of(x.k(begin + s, i));
      }
      scores.value(t, s) = K(factor) * sum;
      scores.sizes(t, s) = std::abs(factor) * sizes;
    }
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = conj(x.lambda[begin + s].lambda[i]) * w[i];
  }
}

template <class K>
Scores<K> empty_scores(std::size_t n, std::size_t d) {
  return {Matrix<K>(n, n), Matrix<double>(n, n), Matrix<K>(n, d)};
}

/// (I + L)^{-1} by columns.
template <class K>
Matrix<K> inverse_of_unit_lower(const Matrix<K>& L) {
  const std::size_t n = L.rows();
  Matrix<K> M = identity_matrix<K>(n);
  for (std::size_t t = 1; t < n; ++t)
    for (std::size_t s = 0; s < t; ++s)
      for (std::size_t j = 0; j <= s; ++j) M(t, j) = M(t, j) - L(t, s) * M(s, j);
  return M;
}

template <class K>
void add_multiple(std::span<K> row, const K& factor, std::span<const K> x) {
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = row[j] + factor * x[j];
}

/// Γ_t* k_t, Γ_t* q_t, G and Γ_{C,s} k_s.
template <class K>
void set_decayed_rows(const Tokens<K>& x, std::size_t begin, ChunkFactors<K>& f) {
  const std::size_t n = f.tokens(), d = f.G.size();
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t i = 0; i < d; ++i) {
      const K lambda = x.lambda[begin + t].lambda[i];
      f.decays_round = f.decays_round || !(lambda == K(0) || lambda == K(1));
      f.G[i] = lambda * f.G[i];
      f.K_tilde(t, i) = conj(f.G[i]) * x.k(begin + t, i);
      f.Q_tilde(t, i) = conj(f.G[i]) * x.q(begin + t, i);
    }
  std::vector<K> later(d, K(1));
  for (std::size_t s = n; s-- > 0;)
    for (std::size_t i = 0; i < d; ++i) {
      f.K_hat(s, i) = later[i] * x.k(begin + s, i);
      later[i] = later[i] * x.lambda[begin + s].lambda[i];
    }
}

/// W: what the chunk's own tokens have written before each sub-block.
template <class K>
void set_own_states(const Tokens<K>& x, std::size_t begin, ChunkFactors<K>& f) {
  Matrix<K> own(f.S.rows(), f.S.cols());
  for (std::size_t t = 0; t < f.tokens(); ++t) {
    if (t % sub_block == 0) f.W.push_back(own);
    for (std::size_t i = 0; i < own.rows(); ++i) {
      for (K& entry : own.row(i)) entry = x.lambda[begin + t].lambda[i] * entry;
      add_multiple<K>(own.row(i), f.k(t, i), f.U.row(t));
    }
  }
}

}  // namespace

template <class K>
ChunkFactors<K> chunk_factors(const Tokens<K>& x, std::size_t begin, std::size_t end, Matrix<K> S) {
  const std::size_t n = end - begin, d = S.rows(), dv = S.cols();
  ChunkFactors<K> f{.k = Matrix<K>(n, d),
                    .K_tilde = Matrix<K>(n, d),
                    .Q_tilde = Matrix<K>(n, d),
                    .K_hat = Matrix<K>(n, d),
                    .G = std::vector<K>(d, K(1)),
                    .beta = {},
                    .L = empty_scores<K>(n, d),
                    .A = empty_scores<K>(n, d),
                    .M = {},
                    .R = Matrix<K>(n, dv),
                    .U = Matrix<K>(n, dv),
                    .o = Matrix<K>(n, dv),
                    .S = std::move(S),
                    .S_after = Matrix<K>(d, dv),
                    .W = {}};
  for (std::size_t t = 0; t < n; ++t) {
    f.beta.push_back(x.beta[begin + t]);
    std::ranges::copy(x.k.row(begin + t), f.k.row(t).begin());
  }
  set_decayed_rows(x, begin, f);
  for (std::size_t t = 0; t < n; ++t) {
    set_scores<K>(x, begin, t, x.k.row(begin + t), f.beta[t], false, f.L);
    set_scores<K>(x, begin, t, x.q.row(begin + t), 1, true, f.A);
  }
  f.M = inverse_of_unit_lower(f.L.value);
  for (std::size_t t = 0; t < n; ++t) {
    for (std::size_t j = 0; j < dv; ++j) f.R(t, j) = K(f.beta[t]) * conj(x.v(begin + t, j));
    for (std::size_t i = 0; i < d; ++i) {
      add_multiple<K>(f.R.row(t), K(-f.beta[t]) * conj(f.K_tilde(t, i)), f.S.row(i));
      add_multiple<K>(f.o.row(t), conj(f.Q_tilde(t, i)), f.S.row(i));
    }
    for (std::size_t s = 0; s <= t; ++s) add_multiple<K>(f.U.row(t), f.M(t, s), f.R.row(s));
    for (std::size_t s = 0; s <= t; ++s) add_multiple<K>(f.o.row(t), f.A.value(t, s), f.U.row(s));
  }
  set_own_states(x, begin, f);
  for (std::size_t i = 0; i < d; ++i) {
    add_multiple<K>(f.S_after.row(i), f.G[i], f.S.row(i));
    for (std::size_t s = 0; s < n; ++s) add_multiple<K>(f.S_after.row(i), f.K_hat(s, i), f.U.row(s));
  }
  return f;
}

template ChunkFactors<double> chunk_factors(const Tokens<double>&, std::size_t, std::size_t, Matrix<double>);
template ChunkFactors<Cx<double>> chunk_factors(const Tokens<Cx<double>>&, std::size_t, std::size_t,
                                                Matrix<Cx<double>>);

}  // namespace assay::sfda
