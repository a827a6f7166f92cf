#include "oracle/sfda/transition_norms.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

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

/// A product of transitions in double, and a bound of the 2-norm of its error.
template <class K>
struct Product {
  MatrixOf<K> matrix;
  double error = 0;
};

/// after · before.
template <class K>
Product<K> operator*(const Product<K>& after, const Product<K>& before) {
  const double a = after.matrix.norm() * enlarge, b = before.matrix.norm() * enlarge;
  const double rounding = unit * (2 * static_cast<double>(after.matrix.rows()) + 16) * a * b;
  return {after.matrix * before.matrix, after.error * (b + before.error) + a * before.error + rounding};
}

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
    P.error = x.transition * P.error + step_error * (1 + std::abs(x.beta) * x.key * x.key) * x.decay * (size + P.error);
    size *= x.transition;
  }
  return P;
}

// Of a Hermitian G only the lower triangle is looked at.

/// An estimate of the largest eigenvalue of a positive semidefinite G: that of its projection on a Krylov space
/// (Lanczos).
template <class K>
double ritz_value(const MatrixOf<K>& G) {
  constexpr Eigen::Index most = 16;
  const auto hermitian = G.template selfadjointView<Eigen::Lower>();
  Eigen::VectorXd diagonal(most), side(most);
  VectorOf<K> previous = VectorOf<K>::Zero(G.rows()), x = VectorOf<K>::Ones(G.rows()).normalized();
  Eigen::Index size = 0;
  for (; size < std::min(most, G.rows()); ++size) {
    const VectorOf<K> y = hermitian * x - (size == 0 ? 0 : side(size - 1)) * previous;
    diagonal(size) = std::real(x.dot(y));
    const VectorOf<K> rest = y - diagonal(size) * x;
    side(size) = rest.norm();
    previous = x;
    if (!(side(size) > 0)) {
      ++size;
      break;
    }
    x = rest / side(size);
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> projected;
  projected.computeFromTridiagonal(diagonal.head(size), side.head(size - 1), Eigen::EigenvaluesOnly);
  return projected.eigenvalues()(size - 1);
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
  const double trace = std::real(G.trace()), estimate = ritz_value(G);
  if (!(trace > 0) || !std::isfinite(trace)) return trace;
  for (double excess = 0x1p-8; excess < 4; excess *= 4) {
    const double bound = estimate * (1 + excess);
    if (bound < trace && dominates(bound, G)) return bound;
  }
  return trace;
}

template <class K>
double norm_of(const Product<K>& P) {
  MatrixOf<K> G = MatrixOf<K>::Zero(P.matrix.rows(), P.matrix.cols());
  G.template selfadjointView<Eigen::Lower>().rankUpdate(P.matrix.adjoint());
  const double d = static_cast<double>(P.matrix.rows());
  const double norm = std::sqrt(largest_eigenvalue(G)) * (1 + unit * d * (4 * d + 16)) + P.error;
  return std::isfinite(norm) ? norm * enlarge : std::numeric_limits<double>::infinity();
}

template <class K>
class ProductOf : public TransitionProduct {
 public:
  explicit ProductOf(std::size_t features) : none_{MatrixOf<K>::Identity(features, features)}, all_(none_) {}

  double append(const DeltaTokens& tokens) override {
    const Product<K> block = product_of<K>(tokens);
    all_ = block * all_;
    ++blocks_;
    return norm_of(block);
  }
  double finish() override {
    const Product<K> all = std::exchange(all_, none_);
    return std::exchange(blocks_, 0) < 2 ? std::numeric_limits<double>::infinity() : norm_of(all);
  }

 private:
  Product<K> none_, all_;
  int blocks_ = 0;
};

}  // namespace

double spectral_norm(const Matrix<Cx<double>>& A) {
  Product<std::complex<double>> P{MatrixOf<std::complex<double>>(A.rows(), A.cols())};
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j)
      P.matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = {A(i, j).re, A(i, j).im};
  return norm_of(P);
}

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

std::unique_ptr<TransitionProduct> transition_product(std::size_t features, bool complex) {
  if (complex) return std::make_unique<ProductOf<std::complex<double>>>(features);
  return std::make_unique<ProductOf<double>>(features);
}

}  // namespace assay::sfda
