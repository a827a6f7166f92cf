#include "oracle/sanatan/plain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "arith/rounding.hpp"
#include "oracle/plain_arithmetic.hpp"
#include "oracle/sanatan/head.hpp"

namespace assay::sanatan {
namespace {

using plain::Accumulator, plain::in_format, plain::shuffled;

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
        run_(draw.bits()),
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

  float elementary(const char* function, double x, double y) const {
    return plain::elementary(contract_, function, x, y, run_);
  }
  float cosine(float x) const { return elementary("cos", x, std::cos(static_cast<double>(x))); }
  float sine(float x) const { return elementary("sin", x, std::sin(static_cast<double>(x))); }
  float tangent(float x) const { return elementary("tanh", x, std::tanh(static_cast<double>(x))); }

  /// Φ with every step of the encoding rounded to float32.
  Matrix<float> encoded(const Matrix<float>& x) const {
    Matrix<float> phi(x_.T, x_.width());
    const auto gamma = static_cast<float>(case_.parameter("gamma"));
    for (std::size_t t = 0; t < x_.T; ++t) {
      for (std::size_t a = 0; a < x_.d; ++a) {
        const float theta = std::numbers::pi_v<float> * (x(t, a) / (1 + std::abs(x(t, a))));
        const float anchored = theta + x_.omega[a];
        const float r = tangent(gamma * (cosine(anchored) - sine(anchored)));
        const float turned = std::fma(static_cast<float>(x_.t0 + static_cast<std::int64_t>(t)), x_.lambda[a], theta);
        const float c = cosine(turned), s = sine(turned);
        const std::array<float, 6> six = {1, c, s, r, r * c, r * s};
        for (std::size_t n = 0; n < x_.channels; ++n)
          phi(t, n * x_.d + a) = in_format(six[x_.channels == 4 && n > 0 ? n + 2 : n], contract_.features);
      }
    }
    return phi;
  }

  float value(std::size_t t, std::size_t j) const { return j < x_.dv ? x_.v(t, j) : 1; }

  /// z and D are summed as they are, without tensor cores.
  Accumulator accumulator(std::size_t j, float start = 0) const {
    return Accumulator(j < x_.dv ? contract_.product : Product::fma, start);
  }

  /// S += Σ φ_k v over the tokens, formed apart where there are several.
  void add_tokens(std::size_t begin, std::size_t end) {
    const bool apart = contract_.algorithm == Algorithm::chunk;
    for (std::size_t f = 0; f < x_.width(); ++f) {
      for (std::size_t j = 0; j < columns_; ++j) {
        Accumulator sum = accumulator(j, apart ? 0 : S_(f, j));
        for (std::size_t t = begin; t < end; ++t) sum.add(phi_k_(t, f), value(t, j));
        S_(f, j) = apart ? S_(f, j) + sum.value() : sum.value();
      }
    }
  }

  std::vector<float> read(std::size_t t) const {
    std::vector<float> sums(columns_);
    for (std::size_t j = 0; j < columns_; ++j) {
      Accumulator sum = accumulator(j);
      for (const std::size_t f : features_) {
        const float entry = j < x_.dv ? in_format(S_(f, j), contract_.state_operand) : S_(f, j);
        sum.add(phi_q_(t, f), entry);
      }
      sums[j] = sum.value();
    }
    return sums;
  }

  float weight(std::size_t t, std::size_t j) const {
    Accumulator sum(contract_.product);
    for (const std::size_t f : features_) sum.add(phi_q_(t, f), phi_k_(j, f));
    const float s = sum.value();
    if (contract_.algorithm == Algorithm::chunk) return in_format(s, contract_.weights);
    const float scaled = (x_.channels == 4 ? std::max(s, 0.0f) : s) / static_cast<float>(case_.parameter("normaliser"));
    float power = scaled;
    for (int i = 1; i < static_cast<int>(case_.parameter("p")); ++i) power *= scaled;
    return in_format(power, contract_.weights);
  }

  /// Σ_j w_tj v_j over begin ≤ j ≤ t: each tile in random order and added once.
  void add_own(std::size_t t, std::size_t begin, std::vector<float>& sums) const {
    for (std::size_t first = begin; first <= t; first += chunk_length()) {
      std::vector<Accumulator> part;
      for (std::size_t i = 0; i < columns_; ++i) part.push_back(accumulator(i));
      for (const std::size_t key : keys_) {
        const std::size_t j = first + key;
        if (j > t) continue;
        const float w = weight(t, j);
        for (std::size_t i = 0; i < columns_; ++i) part[i].add(w, value(j, i));
      }
      for (std::size_t i = 0; i < columns_; ++i) sums[i] += part[i].value();
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
    const auto index = state_index(case_, n_, h_);
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
  std::uint64_t run_;
  Matrix<float> S_, phi_q_, phi_k_;
};

}  // namespace

Tensors plain_attention(const Case& c, const Contract& contract, std::uint64_t order) {
  Tensors out;
  for (const TensorSpec& spec : c.op->tensors)
    if (is_output(spec.role) && spec.role != Role::sum)
      out.emplace(spec.name, Tensor(c.format_of(spec, contract.output), spec.shape(c.sizes)));
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
