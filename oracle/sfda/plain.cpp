#include "oracle/sfda/plain.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/plain_arithmetic.hpp"
#include "oracle/sfda/head.hpp"

namespace assay::sfda {
namespace {

using plain::Accumulator;

/// Tokens whose scores are formed by fused multiply-adds whatever the contract's product.
constexpr std::size_t sub_block = 16;

float part(float x, int) { return x; }
float part(const Cx<float>& x, int plane) { return plane == 0 ? x.re : x.im; }

/// A sum of products of numbers, each of its real sums apart.
template <class K>
class Sum {
 public:
  explicit Sum(Product product) : re_(product), im_(product), re_of_im_(product), im_of_re_(product) {}

  void add(const K& a, const K& b) {
    re_.add(part(a, 0), part(b, 0));
    if constexpr (is_complex_v<K>) {
      im_.add(-a.im, b.im);
      re_of_im_.add(a.re, b.im);
      im_of_re_.add(a.im, b.re);
    }
  }

  K value() {
    if constexpr (is_complex_v<K>)
      return {re_.value() + im_.value(), re_of_im_.value() + im_of_re_.value()};
    else
      return re_.value();
  }

 private:
  Accumulator re_, im_, re_of_im_, im_of_re_;
};

/// One head in float32.
template <class K>
class PlainHead {
 public:
  PlainHead(const Case& c, const Contract& contract, std::int64_t n, std::int64_t h, Draw& draw)
      : case_(c),
        contract_(contract),
        x_(head_of<K>(c, n, h)),
        run_(draw.bits()),
        order_(plain::shuffled(x_.S0.rows(), draw)),
        S_(x_.S0),
        o_(x_.tokens.length(), x_.S0.cols()) {
    set_decays(n, h);
    if (contract.algorithm == Algorithm::chunk)
      for (std::size_t begin = 0; begin < tokens(); begin += chunk())
        take_chunk(begin, std::min(begin + chunk(), tokens()));
    else
      for (std::size_t t = 0; t < tokens(); ++t) take_token(t);
  }

  Run<K> result() { return {std::move(o_), std::move(S_)}; }

 private:
  std::size_t tokens() const { return x_.tokens.length(); }
  std::size_t d() const { return S_.rows(); }
  std::size_t dv() const { return S_.cols(); }
  std::size_t chunk() const { return static_cast<std::size_t>(case_.parameter("C")); }
  const K& lambda(std::size_t t, std::size_t i) const { return x_.tokens.lambda[t].lambda[i]; }

  /// Λ with functions as wrong as the contract allows.
  void set_decays(std::int64_t n, std::int64_t h) {
    const std::size_t width = decays_of(case_);
    if (width == 0) return;
    const auto log_alpha = rows_of<float>(case_, "log_alpha", n, h, 0, tokens(), width);
    const auto theta = rows_of<float>(case_, "theta", n, h, 0, tokens(), d());
    const auto function = [&](const char* name, float x, double y) {
      return plain::elementary(contract_, name, x, y, run_);
    };
    for (std::size_t t = 0; t < tokens(); ++t)
      for (std::size_t i = 0; i < d(); ++i) {
        const float log = log_alpha(t, width == 1 ? 0 : i);
        const float alpha = log == 0 ? 1 : function("exp", log, std::exp(static_cast<double>(log)));
        if constexpr (is_complex_v<K>) {
          const double angle = theta(t, i);
          x_.tokens.lambda[t].lambda[i] = {alpha * function("cos", theta(t, i), std::cos(angle)),
                                           alpha * function("sin", theta(t, i), std::sin(angle))};
        } else {
          x_.tokens.lambda[t].lambda[i] = alpha;
        }
      }
  }

  void take_token(std::size_t t) {
    const auto k = x_.tokens.k.row(t), q = x_.tokens.q.row(t);
    for (std::size_t j = 0; j < dv(); ++j) {
      Sum<K> held(Product::fma), read(Product::fma);
      for (const std::size_t i : order_) {
        S_(i, j) = lambda(t, i) * S_(i, j);
        held.add(conj(S_(i, j)), k[i]);
      }
      const K u = K(x_.tokens.beta[t]) * (x_.tokens.v(t, j) - held.value());
      for (const std::size_t i : order_) {
        S_(i, j) = S_(i, j) + k[i] * conj(u);
        read.add(conj(S_(i, j)), q[i]);
      }
      o_(t, j) = read.value();
    }
  }

  /// A row of a chunk's inner products with earlier keys, Σ_i conj(k_si) conj(Γ_ts,i) x_i.
  std::vector<K> scores(std::span<const K> x, std::size_t begin, std::size_t t, bool with_own) const {
    std::vector<K> w(x.begin(), x.end()), row(t + 1 - begin, K(0));
    for (std::size_t s = t + 1; s-- > begin;) {
      if (s < t || with_own) {
        const bool near = (s - begin) / sub_block == (t - begin) / sub_block;
        Sum<K> sum(near ? Product::fma : contract_.product);
        for (const std::size_t i : order_) sum.add(conj(x_.tokens.k(s, i)), w[i]);
        row[s - begin] = sum.value();
      }
      for (std::size_t i = 0; i < d(); ++i) w[i] = conj(lambda(s, i)) * w[i];
    }
    return row;
  }

  /// Σ_i conj(S_0,ij) Γ_t,i* x_i.
  K read_start(std::span<const K> x, const std::vector<K>& G, std::size_t j) const {
    Sum<K> sum(contract_.product);
    for (const std::size_t i : order_) sum.add(conj(S_(i, j)), conj(G[i]) * x[i]);
    return sum.value();
  }

  void take_chunk(std::size_t begin, std::size_t end) {
    const std::size_t n = end - begin;
    Matrix<K> L(n, n), A(n, n), R(n, dv()), U(n, dv());
    std::vector<K> G(d(), K(1));
    for (std::size_t t = 0; t < n; ++t) {
      const auto k = x_.tokens.k.row(begin + t), q = x_.tokens.q.row(begin + t);
      const float beta = x_.tokens.beta[begin + t];
      const std::vector<K> of_key = scores(k, begin, begin + t, false), of_query = scores(q, begin, begin + t, true);
      for (std::size_t s = 0; s <= t; ++s) {
        L(t, s) = K(beta) * of_key[s];
        A(t, s) = of_query[s];
      }
      for (std::size_t i = 0; i < d(); ++i) G[i] = lambda(begin + t, i) * G[i];
      for (std::size_t j = 0; j < dv(); ++j) {
        R(t, j) = K(beta) * (x_.tokens.v(begin + t, j) - read_start(k, G, j));
        o_(begin + t, j) = read_start(q, G, j);
      }
    }
    const Matrix<K> M = inverse_of_unit_lower(L);
    for (std::size_t t = 0; t < n; ++t)
      for (std::size_t j = 0; j < dv(); ++j) U(t, j) = sum_over_tokens(t + 1, M.row(t), R, j);
    for (std::size_t t = 0; t < n; ++t)
      for (std::size_t j = 0; j < dv(); ++j)
        o_(begin + t, j) = o_(begin + t, j) + sum_over_tokens(t + 1, A.row(t), U, j);
    update_state(begin, end, G, U);
  }

  /// (I + L)^{-1} by columns.
  static Matrix<K> inverse_of_unit_lower(const Matrix<K>& L) {
    Matrix<K> M = identity_matrix<K>(L.rows());
    for (std::size_t t = 1; t < L.rows(); ++t)
      for (std::size_t j = 0; j < t; ++j) {
        Sum<K> sum(Product::fma);
        for (std::size_t s = j; s < t; ++s) sum.add(-L(t, s), M(s, j));
        M(t, j) = sum.value();
      }
    return M;
  }

  K sum_over_tokens(std::size_t count, std::span<const K> row, const Matrix<K>& X, std::size_t j) const {
    Sum<K> sum(contract_.product);
    for (std::size_t s = 0; s < count; ++s) sum.add(row[s], X(s, j));
    return sum.value();
  }

  void update_state(std::size_t begin, std::size_t end, const std::vector<K>& G, const Matrix<K>& U) {
    Matrix<K> K_hat(end - begin, d());
    std::vector<K> later(d(), K(1));
    for (std::size_t s = end; s-- > begin;)
      for (std::size_t i = 0; i < d(); ++i) {
        K_hat(s - begin, i) = later[i] * x_.tokens.k(s, i);
        later[i] = later[i] * lambda(s, i);
      }
    for (std::size_t i = 0; i < d(); ++i)
      for (std::size_t j = 0; j < dv(); ++j) {
        Sum<K> sum(contract_.product);
        for (std::size_t s = 0; s < K_hat.rows(); ++s) sum.add(K_hat(s, i), conj(U(s, j)));
        S_(i, j) = G[i] * S_(i, j) + sum.value();
      }
  }

  const Case& case_;
  const Contract& contract_;
  Head<K> x_;
  std::uint64_t run_;
  std::vector<std::size_t> order_;
  Matrix<K> S_, o_;
};

template <class K>
void write_head(const Case& c, const Contract& contract, std::int64_t n, std::int64_t h, Draw& draw, Tensors& out) {
  const Run<K> run = PlainHead<K>(c, contract, n, h, draw).result();
  for_every_row(c, n, h, run, [&](const std::string& name, std::size_t first, std::span<const float> row) {
    Tensor& tensor = out.at(name);
    const bool is_output = name.starts_with("o");
    for (std::size_t j = 0; j < row.size(); ++j)
      tensor.set(static_cast<std::int64_t>(first + j), is_output ? plain::in_format(row[j], contract.output) : row[j]);
  });
}

}  // namespace

Tensors plain_attention(const Case& c, const Contract& contract, std::uint64_t order) {
  Tensors out;
  for (const TensorSpec& spec : c.op->tensors)
    if (is_output(spec.role)) out.emplace(spec.name, Tensor(c.format_of(spec, contract.output), spec.shape(c.sizes)));
  Draw draw(order, "order of sums", 0);
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h)
      is_complex(c) ? write_head<Cx<float>>(c, contract, n, h, draw, out)
                    : write_head<float>(c, contract, n, h, draw, out);
  return out;
}

}  // namespace assay::sfda
