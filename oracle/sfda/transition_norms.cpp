#include "oracle/sfda/transition_norms.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "oracle/sfda/stability.hpp"

namespace assay::sfda {
namespace {

constexpr double unit = 0x1p-53;
/// Covers the rounding of a norm's own sum and root.
constexpr double enlarge = 1 + 0x1p-40;
/// Growth by which a block is cut short.
constexpr double largest_growth = 0x1p64;

/// Σ x² of a row of `stride` entries, a multiple of eight.
double squares(const double* x, std::size_t stride) {
  double part[8] = {};
  for (std::size_t i = 0; i < stride; i += 8)
    for (std::size_t n = 0; n < 8; ++n) part[n] += x[i + n] * x[i + n];
  return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}

double squares(const PlanePair& rows, std::size_t t, std::size_t stride) {
  const double re = squares(rows.re.data() + t * stride, stride);
  return rows.complex() ? re + squares(rows.im.data() + t * stride, stride) : re;
}

template <class K>
using MatrixOf = Eigen::Matrix<K, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class K>
using VectorOf = Eigen::Matrix<K, Eigen::Dynamic, 1>;

template <class K>
K entry(const PlanePair& rows, std::size_t at) {
  if constexpr (std::is_same_v<K, double>)
    return rows.re[at];
  else
    return K(rows.re[at], rows.im[at]);
}

template <class K>
VectorOf<K> row(const PlanePair& rows, const DeltaTokens& tokens, std::size_t t) {
  VectorOf<K> result(static_cast<Eigen::Index>(tokens.features));
  for (std::size_t i = 0; i < tokens.features; ++i) result(i) = entry<K>(rows, t * tokens.stride + i);
  return result;
}

/// A_C … A_1 in double, and a bound of the 2-norm of its error.
template <class K>
struct Product {
  MatrixOf<K> matrix;
  double error = 0;
};

template <class K>
Product<K> product_of(const DeltaTokens& tokens) {
  const auto d = static_cast<Eigen::Index>(tokens.features);
  const double step_error = unit * (2 * static_cast<double>(d) + 16) * std::sqrt(static_cast<double>(d));
  Product<K> P{MatrixOf<K>::Identity(d, d)};
  double size = 1;
  for (std::size_t t = 0; t < tokens.steps; ++t) {
    const DeltaNorms& x = tokens.norms[t];
    const VectorOf<K> k = row<K>(tokens.k, tokens, t), lambda = row<K>(tokens.lambda_hi, tokens, t);
    P.matrix = lambda.asDiagonal() * P.matrix;
    const Eigen::Matrix<K, 1, Eigen::Dynamic> held = k.adjoint() * P.matrix;
    P.matrix.noalias() -= (x.beta * k) * held;
    P.error = x.transition * P.error + step_error * (1 + std::abs(x.beta) * x.key * x.key) * x.decay * size;
    size *= x.transition;
  }
  return P;
}

/// An estimate from below of the largest eigenvalue of a positive semidefinite G.
template <class K>
double rayleigh(const MatrixOf<K>& G) {
  VectorOf<K> x = G.rowwise().sum();
  double value = 0;
  for (int i = 0; i < 16; ++i) {
    const double norm = x.norm();
    if (!(norm > 0)) break;
    x /= norm;
    const VectorOf<K> y = G * x;
    value = std::real(x.dot(y));
    x = y;
  }
  return value;
}

/// Whether bound · I − G is positive definite to its own rounding: a Cholesky factorisation runs to its end.
template <class K>
bool dominates(double bound, const MatrixOf<K>& G) {
  MatrixOf<K> rest = -G;
  rest.diagonal().array() += K(bound);
  return Eigen::LLT<MatrixOf<K>>(rest).info() == Eigen::Success;
}

/// An upper bound of the largest eigenvalue of G: the first that dominates it in a row that ends at its trace.
template <class K>
double largest_eigenvalue(const MatrixOf<K>& G) {
  const double trace = std::real(G.trace()), least = rayleigh(G);
  if (!(trace > 0) || !std::isfinite(trace)) return trace;
  for (double excess = 0x1p-8; excess < 4; excess *= 4) {
    const double bound = least * (1 + excess);
    if (bound < trace && dominates(bound, G)) return bound;
  }
  return trace;
}

template <class K>
double norm_of_product(const DeltaTokens& tokens) {
  const Product<K> P = product_of<K>(tokens);
  const MatrixOf<K> G = P.matrix.adjoint() * P.matrix;
  const double d = static_cast<double>(tokens.features);
  const double norm = std::sqrt(largest_eigenvalue(G)) * (1 + unit * d * (4 * d + 16)) + P.error;
  return std::isfinite(norm) ? norm * enlarge : std::numeric_limits<double>::infinity();
}

}  // namespace

void set_norms(DeltaTokens& tokens) {
  double growth = 1;
  for (std::size_t t = 0; t < tokens.steps; ++t) {
    DeltaNorms& x = tokens.norms[t];
    const double key_square = squares(tokens.k, t, tokens.stride), strength = x.beta * key_square;
    x.key = std::sqrt(key_square) * enlarge;
    x.query = std::sqrt(squares(tokens.q, t, tokens.stride)) * enlarge;
    x.erasure = std::max(1.0, erasure_norm(strength) + (enlarge - 1) * std::abs(strength));
    x.transition = x.erasure * x.decay;
    growth *= x.transition;
    if (t > 0 && growth > largest_growth) {
      tokens.steps = t;
      return;
    }
    x.growth = growth;
  }
}

double product_norm(const DeltaTokens& tokens) {
  return tokens.k.complex() ? norm_of_product<std::complex<double>>(tokens) : norm_of_product<double>(tokens);
}

}  // namespace assay::sfda
