#include "oracle/sanatan/plain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "arith/rounding.hpp"
#include "oracle/sanatan/head.hpp"
#include "problem/draw.hpp"

namespace assay::sanatan {
namespace {

/// x in a format and back.
float rounded(float x, const FloatFormat& format) { return static_cast<float>(round_to(format, x)); }

float in_format(float x, Format format) { return format == Format::f32 ? x : rounded(x, float_format(format)); }

/// A factor of a tile product: three tf32 words hold a float to 2^-22, which is left as it is.
float operand(float x, const Contract& contract) {
  return contract.product == Product::tf32 ? rounded(x, tf32_format) : x;
}

/// 0 ... count - 1 in random order.
std::vector<std::size_t> shuffled(std::size_t count, Draw& draw) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[draw.below(i)]);
  return order;
}

/// One head in float32.
class PlainHead {
 public:
  PlainHead(const Case& c, const Contract& contract, std::int64_t n, std::int64_t h, Draw& draw)
      : case_(c),
        contract_(contract),
        x_(head_of<float>(c, n, h)),
        n_(n),
        h_(h),
        columns_(x_.dv + 1),
        features_(shuffled(x_.width(), draw)),
        keys_(shuffled(chunk_length(), draw)),
        S_(x_.width(), columns_) {
    phi_q_ = c.has("phi_q") ? x_.phi_q : encoded(x_.q);
    phi_k_ = c.has("phi_q") ? x_.phi_k : encoded(x_.k);
    for (std::size_t f = 0; f < x_.width(); ++f) {
      std::ranges::copy(x_.initial.S.row(f), S_.row(f).begin());
      S_(f, x_.dv) = x_.initial.z[f];
    }
  }

  void write(Tensors& out) {
    const std::size_t length = contract_.algorithm == Algorithm::parallel ? std::max<std::size_t>(x_.T, 1)
                               : contract_.algorithm == Algorithm::chunk  ? chunk_length()
                                                                          : 1;
    const bool by_scan = length == 1 && contract_.algorithm != Algorithm::parallel;
    for (std::size_t begin = 0; begin < x_.T; begin += length) {
      const std::size_t end = std::min(begin + length, x_.T);
      if (by_scan) add_tokens(begin, end);
      for (std::size_t t = begin; t < end; ++t) {
        std::vector<float> sums = contract_.algorithm == Algorithm::parallel ? std::vector<float>(columns_) : read(t);
        if (!by_scan) add_own(t, begin, sums);
        write_row(t, sums, out.at("o"));
      }
      if (contract_.algorithm == Algorithm::chunk) add_tokens(begin, end);
    }
    if (contract_.algorithm != Algorithm::parallel) write_state(out);
  }

 private:
  std::size_t chunk_length() const { return static_cast<std::size_t>(std::max<std::int64_t>(contract_.chunk, 1)); }

  /// Φ with every step of the encoding rounded to float32 and its functions correctly rounded.
  Matrix<float> encoded(const Matrix<float>& x) const {
    Matrix<float> phi(x_.T, x_.width());
    const auto gamma = static_cast<float>(case_.parameter("gamma"));
    for (std::size_t t = 0; t < x_.T; ++t) {
      for (std::size_t a = 0; a < x_.d; ++a) {
        const float theta = std::numbers::pi_v<float> * (x(t, a) / (1 + std::abs(x(t, a))));
        const auto anchored = static_cast<double>(theta + x_.omega[a]);
        const float r = static_cast<float>(std::tanh(static_cast<double>(
            gamma * (static_cast<float>(std::cos(anchored)) - static_cast<float>(std::sin(anchored))))));
        const auto turned = static_cast<double>(
            std::fma(static_cast<float>(x_.t0 + static_cast<std::int64_t>(t)), x_.lambda[a], theta));
        const auto c = static_cast<float>(std::cos(turned)), s = static_cast<float>(std::sin(turned));
        const std::array<float, 6> six = {1, c, s, r, r * c, r * s};
        for (std::size_t n = 0; n < x_.channels; ++n)
          phi(t, n * x_.d + a) = in_format(six[x_.channels == 4 && n > 0 ? n + 2 : n], contract_.features);
      }
    }
    return phi;
  }

  float value(std::size_t t, std::size_t j) const { return j < x_.dv ? x_.v(t, j) : 1; }

  /// S += Σ φ_k v over the tokens, formed apart where there are several.
  void add_tokens(std::size_t begin, std::size_t end) {
    const bool apart = contract_.algorithm == Algorithm::chunk;
    for (std::size_t f = 0; f < x_.width(); ++f) {
      for (std::size_t j = 0; j < columns_; ++j) {
        float sum = apart ? 0 : S_(f, j);
        for (std::size_t t = begin; t < end; ++t) sum = std::fma(factor(phi_k_(t, f), j), factor(value(t, j), j), sum);
        S_(f, j) = apart ? S_(f, j) + sum : sum;
      }
    }
  }

  /// z and D are summed as they are.
  float factor(float x, std::size_t j) const { return j < x_.dv ? operand(x, contract_) : x; }

  std::vector<float> read(std::size_t t) const {
    std::vector<float> sums(columns_);
    for (const std::size_t f : features_)
      for (std::size_t j = 0; j < columns_; ++j) {
        const float entry = j < x_.dv ? in_format(S_(f, j), contract_.state_operand) : S_(f, j);
        sums[j] = std::fma(factor(phi_q_(t, f), j), factor(entry, j), sums[j]);
      }
    return sums;
  }

  float weight(std::size_t t, std::size_t j) const {
    float s = 0;
    for (const std::size_t f : features_)
      s = std::fma(operand(phi_q_(t, f), contract_), operand(phi_k_(j, f), contract_), s);
    if (contract_.algorithm == Algorithm::chunk) return in_format(s, contract_.weights);
    const float scaled = (x_.channels == 4 ? std::max(s, 0.0f) : s) / static_cast<float>(case_.parameter("normaliser"));
    float power = scaled;
    for (int i = 1; i < static_cast<int>(case_.parameter("p")); ++i) power *= scaled;
    return in_format(power, contract_.weights);
  }

  /// Σ_j w_tj v_j over begin ≤ j ≤ t: each tile in random order and added once.
  void add_own(std::size_t t, std::size_t begin, std::vector<float>& sums) const {
    for (std::size_t first = begin; first <= t; first += chunk_length()) {
      std::vector<float> part(columns_);
      for (const std::size_t key : keys_) {
        const std::size_t j = first + key;
        if (j > t) continue;
        const float w = weight(t, j);
        for (std::size_t i = 0; i < columns_; ++i) part[i] = std::fma(factor(w, i), factor(value(j, i), i), part[i]);
      }
      for (std::size_t i = 0; i < columns_; ++i) sums[i] += part[i];
    }
  }

  void write_row(std::size_t t, const std::vector<float>& sums, Tensor& o) const {
    const bool parallel = contract_.algorithm == Algorithm::parallel;
    const auto eps = static_cast<float>(case_.parameter("eps") * (parallel ? 1 : case_.parameter("normaliser")));
    const std::size_t at = row_offset(case_, n_, t, h_, x_.dv);
    for (std::size_t j = 0; j < x_.dv; ++j)
      o.set(static_cast<std::int64_t>(at + j), in_format(sums[j] / (sums[x_.dv] + eps), contract_.output));
  }

  void write_state(Tensors& out) const {
    const auto index = static_cast<std::size_t>(n_ * case_.sizes[Axis::head] + h_);
    for (std::size_t f = 0; f < x_.width(); ++f) {
      const std::size_t row = index * x_.width() + f;
      out.at("z").as<float>()[row] = S_(f, x_.dv);
      for (std::size_t j = 0; j < x_.dv; ++j) out.at("S").as<float>()[row * x_.dv + j] = S_(f, j);
    }
  }

  const Case& case_;
  const Contract& contract_;
  Head<float> x_;
  std::int64_t n_, h_;
  std::size_t columns_;
  std::vector<std::size_t> features_, keys_;
  Matrix<float> S_, phi_q_, phi_k_;
};

}  // namespace

Tensors plain_attention(const Case& c, const Contract& contract, std::uint64_t order) {
  Tensors out;
  for (const TensorSpec& spec : c.op->tensors)
    if (is_output(spec.role)) out.emplace(spec.name, Tensor(c.format_of(spec, contract.output), spec.shape(c.sizes)));
  Draw draw(order, "order of sums", 0);
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) PlainHead(c, contract, n, h, draw).write(out);
  if (contract.algorithm == Algorithm::parallel) {
    out.erase("S");
    out.erase("z");
  }
  return out;
}

}  // namespace assay::sanatan
