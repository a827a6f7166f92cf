#include "oracle/sas/gradients_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "oracle/columns.hpp"
#include "oracle/row_products.hpp"
#include "oracle/sas/gradient_head.hpp"
#include "oracle/sas/weight_bound.hpp"

namespace assay::sas {
namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

/// An error in its parts.
struct Error {
  double worst = 0;      ///< every rounding at its worst
  double one_sided = 0;  ///< what adds up in P too
  double own = 0;        ///< a deviation's worth, of this number alone
  double common = 0;     ///< alike, with its sign, shared with numbers of the same logit
};

/// A sum of products with one factor in error, for the columns of a row.
struct SumOfProducts {
  std::vector<Columns> worst, one_sided, squares, together, size;
  double logit = nowhere;  ///< of what is in `together`

  explicit SumOfProducts(std::size_t blocks)
      : worst(blocks), one_sided(blocks), squares(blocks), together(blocks), size(blocks) {}

  /// Adds value times `other`. Neighbours with one logit have one rounding: their errors add up before they are
  /// squared.
  void add(double value, const Error& e, double of_logit, std::span<const Columns> other) {
    if (of_logit != logit) finish();
    logit = of_logit;
    const double single = e.own * e.own + e.common * e.common;
    for (std::size_t b = 0; b < other.size(); ++b) {
      const Columns x = absolute(other[b]);
      worst[b] = multiply_add(e.worst, x, worst[b]);
      one_sided[b] = multiply_add(e.one_sided, x, one_sided[b]);
      squares[b] = multiply_add(single, x * x, squares[b]);
      together[b] = multiply_add(e.common, other[b], together[b]);
      size[b] = multiply_add(std::abs(value), x, size[b]);
    }
  }
  void finish() {
    for (std::size_t b = 0; b < together.size(); ++b) {
      squares[b] = multiply_add(together[b], together[b], squares[b]);
      together[b] = Columns{};
    }
  }
};

std::vector<std::vector<Columns>> blocked(const Matrix<double>& m) {
  std::vector<std::vector<Columns>> rows;
  for (std::size_t t = 0; t < m.rows(); ++t) rows.push_back(in_blocks(m.row(t)));
  return rows;
}

double norm(std::span<const double> x) {
  double squares = 0;
  for (const double entry : x) squares += entry * entry;
  return std::sqrt(squares);
}

/// One query head.
struct BoundHead {
  const GradientHead<double>& x;
  WeightBounds weights;
  BlockedRows d_output, v;
  std::vector<std::vector<Columns>> q, of_output;
  std::vector<double> norm_v, norm_d_output;
  std::vector<double> delta, delta_size;  ///< Δ, and the sum of its terms' sizes

  BoundHead(const GradientHead<double>& x, const Contract& contract, const RoundingUnits& units)
      : x(x),
        weights(x.forward, contract, units),
        d_output(x.d_output),
        v(x.forward.v),
        q(blocked(x.forward.q)),
        of_output(blocked(x.d_output)) {
    for (std::size_t j = 0; j < x.forward.v.rows(); ++j) norm_v.push_back(norm(x.forward.v.row(j)));
    for (std::size_t t = 0; t < x.o.rows(); ++t) {
      norm_d_output.push_back(norm(x.d_output.row(t)));
      delta.push_back(0);
      delta_size.push_back(0);
      for (std::size_t i = 0; i < x.o.cols(); ++i) {
        const double term = x.d_output(t, i) * x.o(t, i);
        delta.back() += term;
        delta_size.back() += std::abs(term);
      }
    }
  }
};

/// What one pair of a query and a key has: the weight P f of v, dS, the term of d log g, and their errors.
struct Pair {
  double weight, logit_gradient, gate_term;
  Error of_weight, of_operand, of_gate_term;
  double of_delta;  ///< what Δ's deviation does to dS
};

class GroupBound {
 public:
  GroupBound(const Case& c, const Contract& contract, const RoundingUnits& units, std::int64_t n, std::int64_t h)
      : c_(c), contract_(contract), units_(units), n_(n), h_(h) {
    for (std::int64_t g = 0; g < c.sizes[Axis::group]; ++g) inputs_.push_back(gradient_head_of<double>(c, n, h, g));
    for (const GradientHead<double>& x : inputs_) heads_.emplace_back(x, contract, units);
    keys_ = blocked(inputs_.front().forward.k);
  }

  void write(const References& truth, Allowances& out) const {
    const Head<double>& first = inputs_.front().forward;
    const std::size_t n = first.queries(), of_d = column_blocks(first.k.cols()), of_dv = column_blocks(first.v.cols());
    const auto blocks = static_cast<std::size_t>(c_.op->uses(Axis::slot) ? c_.sizes[Axis::block] : 0);
    std::vector<SumOfProducts> dk(n, SumOfProducts(of_d)), dv(n, SumOfProducts(of_dv));
    const double G = static_cast<double>(heads_.size());
    for (std::size_t t = 0; t < n; ++t) {
      std::vector<SumOfProducts> gates(blocks, SumOfProducts(1));
      for (const BoundHead& head : heads_) {
        SumOfProducts dq(of_d);
        std::vector<Columns> of_delta(of_d, Columns{});
        const RowBound row = head.weights.recomputed(t, head.x.lse[t]);
        double tiles = 0;
        std::size_t at = 0;
        for (const KeyRange& range : head.x.forward.reads[t]) {
          tiles += tiles_of(range.end - range.begin);
          if (row.keys.empty()) continue;
          const Matrix<double> along = row_products(head.d_output, {t, t + 1}, head.v, {range.begin, range.end});
          for (std::size_t j = range.begin; j < range.end; ++j, ++at) {
            const KeyBound& key = row.keys[at];
            const Pair pair = pair_of(head, t, key, along(0, j - range.begin));
            const double logit = key.logit - head.x.lse[t];
            dq.add(pair.logit_gradient, pair.of_operand, logit, keys_[j]);
            for (std::size_t b = 0; b < of_d; ++b) of_delta[b] = multiply_add(pair.of_delta, keys_[j][b], of_delta[b]);
            Error of_row = pair.of_operand;
            of_row.own = std::hypot(of_row.own, pair.of_delta);
            dk[j].add(pair.logit_gradient, of_row, logit, head.q[t]);
            dv[j].add(pair.weight, pair.of_weight, logit, head.of_output[t]);
            if (range.gated && blocks > 0) {
              Error of_term = pair.of_gate_term;
              of_term.one_sided += head.x.forward.outside ? 0 : pair.of_delta;
              gates[range.block].add(pair.gate_term, of_term, logit, one_);
            }
          }
        }
        for (std::size_t b = 0; b < of_d; ++b) dq.squares[b] = multiply_add(of_delta[b], of_delta[b], dq.squares[b]);
        const double height = static_cast<double>(contract_.value_height) + std::max(tiles - 1, 0.0);
        set(out.at("dq"), truth.at("dq"), head.x.forward.index[t], dq, first.q.cols(), height, first.scale,
            tiles * units_.added);
      }
      const std::size_t row = pair_index(c_, n_, t, h_);
      const double tiles = G * tiles_of(block_size());
      const double height = static_cast<double>(contract_.update_height) + tiles - 1;
      for (std::size_t m = 0; m < blocks; ++m)
        set_gate(out.at("d_log_gate"), row * blocks + m, gates[m], height, units_.eta + tiles * units_.added);
    }
    const double height = static_cast<double>(contract_.value_height) + G * tiles_of(n) - 1;
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t row = pair_index(c_, n_, j, h_);
      set(out.at("dk"), truth.at("dk"), row, dk[j], first.k.cols(), height, first.scale);
      set(out.at("dv"), truth.at("dv"), row, dv[j], first.v.cols(), height, 1);
    }
  }

 private:
  std::size_t block_size() const { return c_.op->uses(Axis::slot) ? static_cast<std::size_t>(c_.parameter("b")) : 1; }

  double tiles_of(std::size_t tokens) const {
    return std::ceil(static_cast<double>(tokens) / static_cast<double>(std::max<std::int64_t>(contract_.chunk, 1)));
  }

  double gate_unit() const { return elementary_unit(contract_, units_, "exp") + 2 * units_.u; }

  /// G1, G2.
  Pair pair_of(const BoundHead& head, std::size_t t, const KeyBound& key, double along) const {
    const double u = units_.u, h = static_cast<double>(contract_.score_height);
    const double read = static_cast<double>(contract_.read_height), p = key.share, f = key.factor;
    const bool outside = head.x.forward.outside && f != 1;
    const double size = head.norm_d_output[t] * head.norm_v[key.key],
                 floor = static_cast<double>(head.x.o.cols()) * units_.eta;
    const Error of_along{
        (h * u * (1 + h * u) + units_.truncation + 2 * units_.operand * (1 + units_.operand)) * size + floor,
        (units_.truncation + 2 * units_.operand) * size + floor, std::sqrt(h) * u * size, 0};
    const double delta = head.delta[t], delta_size = head.delta_size[t];
    const double delta_worst = read * u * (1 + read * u) * delta_size + floor;
    const double gated = outside ? gate_unit() : 0, a = f * along, e = a - delta;
    const double lost = outside ? 4 * units_.eta * std::abs(along) : 0;
    const double of_e = f * of_along.worst * (1 + gated) + gated * std::abs(a) + lost + delta_worst;
    const double least = (4 * units_.eta + units_.small) * (std::abs(e) + of_e) + units_.eta + units_.small;
    const double moved = (1 + key.worst) * of_e + key.worst * std::abs(e);
    const double ds = p * e, of_ds = p * (moved + 2 * u * (1 + key.worst) * (std::abs(e) + of_e)) * (1 + 2 * u);
    const double rho = units_.weights + units_.operand;
    Pair pair;
    pair.logit_gradient = ds;
    pair.of_operand.worst = of_ds * (1 + rho) + rho * std::abs(ds) + least;
    const double first_order =
        p * (f * of_along.worst + gated * std::abs(a) + delta_worst + key.worst * std::abs(e) + 2 * u * std::abs(e)) +
        rho * std::abs(ds);
    const double second_order = std::max(pair.of_operand.worst - first_order, 0.0);
    const double linear = p * (key.one_sided * std::abs(e) + f * of_along.one_sided + gated * std::abs(a));
    pair.of_operand.one_sided = linear + second_order;
    const double own = p * std::hypot(f * of_along.own, 2 * u * e);
    pair.of_operand.own = std::hypot(own, rho * ds);
    pair.of_operand.common = key.deviation * ds;
    pair.of_delta = p * std::sqrt(read) * u * delta_size;
    pair.weight = p * f;
    pair.of_weight.worst =
        p * f * ((1 + key.worst) * (1 + gated) * (1 + rho) - 1) + (4 * units_.eta + units_.small) * (1 + f);
    pair.of_weight.common = p * f * std::hypot(key.deviation, rho);
    pair.of_weight.one_sided =
        p * f * (key.one_sided + gated) + std::max(pair.of_weight.worst - p * f * (key.worst + gated + rho), 0.0);
    if (!head.x.forward.outside) {
      pair.gate_term = ds;
      pair.of_gate_term = {of_ds + least, linear + second_order, own, pair.of_operand.common};
      return pair;
    }
    const double term = p * a, of_a = f * of_along.worst * (1 + gated) + gated * std::abs(a) + lost;
    pair.gate_term = term;
    pair.of_gate_term = {p * ((1 + key.worst) * of_a + (key.worst + u) * std::abs(a)) * (1 + 2 * u) + least,
                         p * (key.one_sided * std::abs(a) + f * of_along.one_sided + gated * std::abs(a) +
                              key.worst * of_a + 2 * u * of_a) +
                             least,
                         p * std::hypot(f * of_along.own, u * a), key.deviation * term};
    return pair;
  }

  /// G3. `floor` is lost by the sum of tiles, whatever its size.
  void set(Allowance& out, const Reference& truth, std::size_t row, SumOfProducts& sum, std::size_t width,
           double height, double factor, double floor = 0) const {
    sum.finish();
    const FloatFormat& format = float_format(contract_.output);
    const bool narrow = contract_.output != Format::f32;
    const double u_out = narrow ? format.unit_roundoff() : 0, eta_out = narrow ? format.eta() : 0;
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t b = i / columns_a_block, lane = i % columns_a_block, at = row * width + i;
      const auto [D, P] = sum_error(sum, b, lane, height);
      const double size = std::abs(truth.hi[at]), u = factor == 1 ? 0 : units_.u;
      const auto rounded = [&](double error) {
        error = (error + floor) * std::abs(factor);
        return (error + (u + u_out + u * u_out) * (size + error) + units_.eta + eta_out) * (1 + 0x1p-30);
      };
      out.deterministic[at] = rounded(D);
      out.statistical[at] = rounded(std::min(P, D));
    }
  }

  std::pair<double, double> sum_error(const SumOfProducts& sum, std::size_t b, std::size_t lane, double height) const {
    const double size = sum.size[b][lane], u = units_.u, worst = sum.worst[b][lane];
    const double chain = (units_.truncation + 2 * units_.operand) * (size + worst) + (height + 64) * units_.eta;
    const double D = worst + height * u * (1 + height * u) * (size + worst) + chain;
    const double squares = sum.squares[b][lane] + height * u * u * size * size;
    const double P = sum.one_sided[b][lane] + chain + height * u * worst + 8 * std::sqrt(squares);
    return {D, P};
  }

  void set_gate(Allowance& out, std::size_t at, SumOfProducts& sum, double height, double floor) const {
    sum.finish();
    if (std::isnan(sum.logit)) return;
    const double size = sum.size[0][0], u = units_.u, worst = sum.worst[0][0];
    out.deterministic[at] = worst + height * u * (1 + height * u) * (size + worst) + floor;
    const double likely = sum.one_sided[0][0] + height * u * worst + floor +
                          8 * std::sqrt(sum.squares[0][0] + height * u * u * size * size);
    out.statistical[at] = std::min(likely, out.deterministic[at]);
  }

  const Case& c_;
  const Contract& contract_;
  RoundingUnits units_;
  std::int64_t n_, h_;
  std::vector<GradientHead<double>> inputs_;
  std::vector<BoundHead> heads_;
  std::vector<std::vector<Columns>> keys_;
  std::vector<Columns> one_ = {Columns{1, 0, 0, 0}};
};

}  // namespace

Allowances gradients_bound(const Case& c, const Contract& contract, const References& truth) {
  return gradients_bound_with(rounding_units(contract), c, contract, truth);
}

Allowances gradients_bound_with(const RoundingUnits& units, const Case& c, const Contract& contract,
                                const References& truth) {
  Allowances out;
  for (const auto& [name, reference] : truth) {
    const std::vector<double> zeros(reference.hi.size());
    out.emplace(name, Allowance{.deterministic = zeros, .statistical = zeros});
  }
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h)
      if (length_of(c, n) > 0) GroupBound(c, contract, units, n, h).write(truth, out);
  return out;
}

}  // namespace assay::sas
