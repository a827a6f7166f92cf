#include "oracle/sas/gradients_plain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "oracle/certified_value.hpp"
#include "oracle/plain_arithmetic.hpp"
#include "oracle/sas/gradient_head.hpp"

namespace assay::sas {
namespace {

using plain::Accumulator, plain::in_format, plain::shuffled;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr auto log2_e = std::numbers::log2e_v<float>;

/// Sums over tokens of rows: tiles of them first, then the tiles.
class TiledSum {
 public:
  TiledSum(std::size_t width, Product product)
      : sum_(width, 0), tile_(width, Accumulator(product)), product_(product) {}

  void add(float weight, std::span<const float> row) {
    for (std::size_t i = 0; i < tile_.size(); ++i) tile_[i].add(weight, row[i]);
  }
  void finish_tile() {
    for (std::size_t i = 0; i < tile_.size(); ++i) {
      sum_[i] += tile_[i].value();
      tile_[i] = Accumulator(product_);
    }
  }
  float operator[](std::size_t i) const { return sum_[i]; }
  std::size_t size() const { return sum_.size(); }

 private:
  std::vector<float> sum_;
  std::vector<Accumulator> tile_;
  Product product_;
};

/// One query and key: P f and dS as factors of products, and the term of d log g.
struct Pair {
  std::size_t key;
  float weight, logit, gate;
};

class PlainGroup {
 public:
  PlainGroup(const Case& c, const Contract& contract, std::int64_t n, std::int64_t h, Draw& draw)
      : c_(c),
        contract_(contract),
        chunk_(static_cast<std::size_t>(std::max<std::int64_t>(contract.chunk, 1))),
        n_(n),
        h_(h) {
    for (std::int64_t g = 0; g < c.sizes[Axis::group]; ++g) heads_.push_back(gradient_head_of<float>(c, n, h, g));
    features_ = shuffled(heads_.front().forward.k.cols(), draw);
    columns_ = shuffled(heads_.front().forward.v.cols(), draw);
    order_ = shuffled(chunk_, draw);
    run_ = draw.bits();
  }

  void write(Tensors& out) const {
    const Head<float>& first = heads_.front().forward;
    const std::size_t n = first.queries();
    const auto blocks = static_cast<std::size_t>(c_.op->uses(Axis::slot) ? c_.sizes[Axis::block] : 0);
    std::vector<TiledSum> dk(n, TiledSum(first.k.cols(), contract_.product)),
        dv(n, TiledSum(first.v.cols(), contract_.product));
    for (const GradientHead<float>& head : heads_)
      for (std::size_t begin = 0; begin < n; begin += chunk_) {
        for (const std::size_t i : order_) {
          const std::size_t t = begin + i;
          if (t >= n) continue;
          const std::vector<Pair> pairs = pairs_of(head, t);
          for (const Pair& pair : pairs) {
            dk[pair.key].add(pair.logit, head.forward.q.row(t));
            dv[pair.key].add(pair.weight, head.d_output.row(t));
          }
          write_query(out, head, t, pairs, blocks);
        }
        for (TiledSum& sum : dk) sum.finish_tile();
        for (TiledSum& sum : dv) sum.finish_tile();
      }
    for (std::size_t j = 0; j < n; ++j) {
      write_row(out.at("dk"), pair_index(c_, n_, j, h_), dk[j], first.scale);
      write_row(out.at("dv"), pair_index(c_, n_, j, h_), dv[j], 1);
    }
  }

 private:
  float power(float x) const {
    return x == 0 ? 1 : plain::elementary(contract_, "exp", x, std::exp(static_cast<double>(x)), run_);
  }

  float below(float x, float L) const { return contract_.base_two ? (x * log2_e - L * log2_e) / log2_e : x - L; }

  float product(std::span<const float> a, std::span<const float> b, const std::vector<std::size_t>& order) const {
    Accumulator sum(contract_.product);
    for (const std::size_t i : order) sum.add(a[i], b[i]);
    return sum.value();
  }

  std::vector<Pair> pairs_of(const GradientHead<float>& x, std::size_t t) const {
    std::vector<Pair> pairs;
    if (x.lse[t] == -infinity) return pairs;
    float delta = 0;
    for (const std::size_t i : columns_) delta = std::fma(x.d_output(t, i), x.o(t, i), delta);
    for (const KeyRange& range : x.forward.reads[t]) {
      const float log_gate = x.forward.gate(t, range), factor = x.forward.outside ? power(log_gate) : 1;
      for (std::size_t j = range.begin; j < range.end; ++j) {
        const float z = product(x.forward.q.row(t), x.forward.k.row(j), features_) * x.forward.scale;
        const float p = power(below(x.forward.outside ? z : z + log_gate, x.lse[t]));
        const float along = factor * product(x.d_output.row(t), x.forward.v.row(j), columns_);
        const float ds = p * (along - delta);
        pairs.push_back({j, in_format(p * factor, contract_.weights), in_format(ds, contract_.weights),
                         x.forward.outside ? p * along : ds});
      }
    }
    return pairs;
  }

  void write_query(Tensors& out, const GradientHead<float>& x, std::size_t t, const std::vector<Pair>& pairs,
                   std::size_t blocks) const {
    TiledSum dq(x.forward.q.cols(), contract_.product);
    for (std::size_t begin = 0; begin < pairs.size(); begin += chunk_) {
      for (const std::size_t i : order_)
        if (begin + i < pairs.size()) dq.add(pairs[begin + i].logit, x.forward.k.row(pairs[begin + i].key));
      dq.finish_tile();
    }
    write_row(out.at("dq"), x.forward.index[t], dq, x.forward.scale);
    if (blocks == 0) return;
    const std::span<float> gates = out.at("d_log_gate").as<float>().subspan(pair_index(c_, n_, t, h_) * blocks, blocks);
    const auto b = static_cast<std::size_t>(c_.parameter("b"));
    for (const Pair& pair : pairs)
      if (pair.key / b < t / b) gates[pair.key / b] += pair.gate;
  }

  void write_row(Tensor& out, std::size_t row, const TiledSum& sum, float factor) const {
    for (std::size_t i = 0; i < sum.size(); ++i)
      out.set(static_cast<std::int64_t>(row * sum.size() + i), in_format(sum[i] * factor, contract_.output));
  }

  const Case& c_;
  const Contract& contract_;
  std::size_t chunk_;
  std::int64_t n_, h_;
  std::vector<GradientHead<float>> heads_;
  std::vector<std::size_t> features_, columns_, order_;
  std::uint64_t run_ = 0;
};

}  // namespace

Tensors plain_gradients(const Case& c, const Contract& contract, std::uint64_t order) {
  Tensors out = empty_outputs(c, contract.output);
  Draw draw(order, "order of sums", 0);
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h)
      if (length_of(c, n) > 0) PlainGroup(c, contract, n, h, draw).write(out);
  return out;
}

}  // namespace assay::sas
