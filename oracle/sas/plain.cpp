#include "oracle/sas/plain.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "oracle/certified_value.hpp"
#include "oracle/plain_arithmetic.hpp"
#include "oracle/sas/head.hpp"

namespace assay::sas {
namespace {

using plain::Accumulator, plain::in_format, plain::shuffled;

constexpr auto log2_e = std::numbers::log2e_v<float>;
constexpr float infinity = std::numeric_limits<float>::infinity();

/// m, l, N of the tiles seen so far.
struct Seen {
  float m = -infinity, l = 0;
  std::vector<float> N;
};

/// One head in float32.
class PlainHead {
 public:
  PlainHead(const Head<float>& x, const Contract& contract, Draw& draw)
      : x_(x),
        contract_(contract),
        chunk_(static_cast<std::size_t>(std::max<std::int64_t>(contract.chunk, 1))),
        features_(shuffled(x.q.cols(), draw)),
        order_(shuffled(chunk_, draw)),
        run_(draw.bits()) {}

  void write(Tensors& out) const {
    const std::size_t dv = x_.v.cols();
    for (std::size_t t = 0; t < x_.queries(); ++t) {
      Seen seen{.N = std::vector<float>(dv, 0)};
      for (const KeyRange& range : x_.reads[t])
        for (std::size_t begin = range.begin; begin < range.end; begin += chunk_)
          add_tile(t, range, begin, std::min(begin + chunk_, range.end), seen);
      if (contract_.divides_weights && seen.l != 0) sum_shares(t, seen);
      const std::size_t row = x_.index[t];
      out.at("lse").as<float>()[row] =
          seen.l == 0 ? -infinity : seen.m + elementary("log", seen.l, std::log(static_cast<double>(seen.l)));
      for (std::size_t i = 0; i < dv; ++i)
        out.at("o").set(
            static_cast<std::int64_t>(row * dv + i),
            seen.l == 0 ? 0 : in_format(contract_.divides_weights ? seen.N[i] : seen.N[i] / seen.l, contract_.output));
    }
  }

 private:
  float elementary(const char* function, float x, double y) const {
    return plain::elementary(contract_, function, x, y, run_);
  }
  float power(float x) const { return x == 0 ? 1 : elementary("exp", x, std::exp(static_cast<double>(x))); }

  float logit(std::size_t t, std::size_t j, float log_gate) const {
    Accumulator sum(contract_.product);
    for (const std::size_t f : features_) sum.add(x_.q(t, f), x_.k(j, f));
    const float z = contract_.base_two ? sum.value() * (x_.scale * log2_e) / log2_e : sum.value() * x_.scale;
    return x_.outside ? z : z + log_gate;
  }

  void add_tile(std::size_t t, const KeyRange& range, std::size_t begin, std::size_t end, Seen& seen) const {
    const float log_gate = x_.gate(t, range);
    std::vector<float> weights;
    float m = seen.m;
    for (std::size_t j = begin; j < end; ++j) {
      weights.push_back(logit(t, j, log_gate));
      m = std::max(m, weights.back());
    }
    if (m == -infinity) return;
    const float factor = power(seen.m - m), gate = x_.outside ? power(log_gate) : 1;
    for (float& w : weights) w = power(w - m);
    float l = 0;
    if (contract_.wide_normaliser)
      for (const std::size_t i : order_) l += i < weights.size() ? weights[i] : 0;
    else
      for (float& w : weights) w = in_format(w, contract_.weights);
    std::vector<Accumulator> part(seen.N.size(), Accumulator(contract_.product));
    for (const std::size_t i : order_) {
      if (i >= weights.size()) continue;
      if (!contract_.wide_normaliser) l += weights[i];
      const float w = in_format(weights[i] * gate, contract_.weights);
      for (std::size_t column = 0; column < part.size(); ++column) part[column].add(w, x_.v(begin + i, column));
    }
    seen.m = m;
    seen.l = seen.l * factor + l;
    for (std::size_t column = 0; column < part.size(); ++column)
      seen.N[column] = seen.N[column] * factor + part[column].value();
  }

  /// N from weights that were divided by l: o.
  void sum_shares(std::size_t t, Seen& seen) const {
    std::vector<Accumulator> sum(seen.N.size(), Accumulator(contract_.product));
    for (const KeyRange& range : x_.reads[t]) {
      const float log_gate = x_.gate(t, range), gate = x_.outside ? power(log_gate) : 1;
      for (std::size_t j = range.begin; j < range.end; ++j) {
        const float share = in_format(power(logit(t, j, log_gate) - seen.m) / seen.l * gate, contract_.weights);
        for (std::size_t column = 0; column < sum.size(); ++column) sum[column].add(share, x_.v(j, column));
      }
    }
    for (std::size_t column = 0; column < sum.size(); ++column) seen.N[column] = sum[column].value();
  }

  const Head<float>& x_;
  const Contract& contract_;
  std::size_t chunk_;
  std::vector<std::size_t> features_, order_;
  std::uint64_t run_;
};

}  // namespace

Tensors plain_attention(const Case& c, const Contract& contract, std::uint64_t order) {
  Tensors out = empty_outputs(c, contract.output);
  Draw draw(order, "order of sums", 0);
  for_each_head(c, [&](std::int64_t n, std::int64_t h, std::int64_t g) {
    const Head<float> x = head_of<float>(c, n, h, g);
    PlainHead(x, contract, draw).write(out);
  });
  for (float& L : out.at("lse").as<float>())
    if (c.sizes[Axis::time] == 0) L = -infinity;
  return out;
}

}  // namespace assay::sas
