#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>

#include "oracle/sas/gradient_head.hpp"
#include "oracle/sas/gradients_bound.hpp"
#include "oracle/sas/gradients_certified.hpp"
#include "problem/case_mix.hpp"
#include "problem/operators/sas_gradients.hpp"
#include "properties/sas/laws.hpp"
#include "properties/toy_attack.hpp"

// The bounds G1 to G4 (oracle/sas/bounds.md) in formats of few bits, with every rounding turned against them.

namespace assay {
namespace {

using namespace sas;
using enum Axis;

/// One head of keys, one or two of queries, a few tokens in blocks of one or two tiles, exact in the format.
struct ToyGradients {
  const FloatFormat& format;
  RoundingUnits units;
  RoundingPoints points = {.elementary = true, .product = true, .accumulate = true, .output = true};
  Contract contract;
  Case c;
  std::size_t tile;
  std::vector<GradientHead<double>> heads;

  explicit ToyGradients(Draw& draw) : format(draw_toy_format(draw, 8)), units(directed_units(format)) {
    const auto few = [&](std::uint64_t most) { return 1 + static_cast<std::int64_t>(draw.below(most)); };
    tile = static_cast<std::size_t>(few(2));
    const std::int64_t block_size = static_cast<std::int64_t>(tile) * few(2);
    c.op = &operators::sas_gradients();
    c.family = "toy";
    c.sizes[time] = few(5), c.sizes[group] = few(2), c.sizes[feature] = few(3), c.sizes[value] = few(3);
    c.sizes[Axis::block] = c.sizes[slot] = blocks_of(c.sizes[time], block_size);
    const Mix mix = Mix::drawn(format, draw);
    const double scale = draw.below(2) == 0 ? 1 : std::abs(mix.number(draw));
    c.parameters = {
        {"scale", scale}, {"b", static_cast<double>(block_size)}, {"position", static_cast<double>(draw.below(2))}};
    const bool has_gates = draw.below(2) == 0;
    add_tensors(c, [&](const TensorSpec& spec) { return spec.name == "log_gate" && has_gates; });
    fill(mix, draw);
    draw_contract(draw);
    for (std::int64_t g = 0; g < c.sizes[group]; ++g) heads.push_back(gradient_head_of<double>(c, 0, 0, g));
  }

  std::size_t tokens() const { return static_cast<std::size_t>(c.sizes[time]); }
  std::size_t history() const { return static_cast<std::size_t>(c.sizes[Axis::block]); }
  AttackedShape shape() const { return {format, tokens(), heads[0].forward.q.cols()}; }

 private:
  void fill(const Mix& mix, Draw& draw) {
    for (auto& [name, tensor] : c.inputs) {
      if (name == "selected") {
        const std::int64_t slots = c.sizes[slot];
        for (std::int64_t i = 0; i < tensor.count(); ++i)
          tensor.as<std::int64_t>()[i] = draw.below(4) == 0 ? -1 : i % slots;
        continue;
      }
      const bool logarithm = name == "log_gate" || name == "lse";
      for (std::int64_t i = 0; i < tensor.count(); ++i)
        tensor.set(i, logarithm ? -std::abs(mix.number(draw)) * (name == "lse" ? -1 : 1) : mix.number(draw));
    }
  }

  /// An elementary function rounded to either side errs by one unit in the last place: half of 2 u.
  void draw_contract(Draw& draw) {
    const auto height = static_cast<std::int64_t>(tile);
    contract = {.algorithm = Algorithm::parallel,
                .chunk = height,
                .score_height = std::max(c.sizes[feature], c.sizes[value]),
                .value_height = height,
                .read_height = c.sizes[value],
                .update_height = height,
                .elementary_ulp = {{"exp", 0.5}}};
    if (draw.below(2) != 0) return;
    static constexpr FloatFormat narrow{"toy", 7, -100, 100};
    points.weights = true;
    points.of_weights = &narrow;
    units.weights = directed_units(narrow).u, units.small = directed_units(narrow).eta;
  }
};

/// The gradients as kernels sum them, of one query head after another.
template <class K, class S>
class ToyBackward {
 public:
  ToyBackward(const ToyGradients& toy, const S& steps) : toy_(toy), steps_(steps), T_(toy.tokens()) {
    for (const GradientHead<double>& head : toy.heads) heads_.push_back(pairs_of(head));
  }

  /// dq of every head, dk, dv and d log g.
  std::vector<std::vector<K>> gradients() const {
    const Head<double>& shared = toy_.heads[0].forward;
    std::vector<std::vector<K>> out(4);
    for (std::size_t t = 0; t < T_; ++t)
      for (std::size_t g = 0; g < heads_.size(); ++g)
        for (std::size_t f = 0; f < shared.k.cols(); ++f) out[0].push_back(query_gradient(t, g, f));
    for (std::size_t j = 0; j < T_; ++j) {
      for (std::size_t f = 0; f < shared.k.cols(); ++f)
        out[1].push_back(scaled(over_queries(j, &Pairs::ds, [&](auto& head, auto t) { return head.forward.q(t, f); })));
      for (std::size_t i = 0; i < shared.v.cols(); ++i)
        out[2].push_back(
            steps_.output(over_queries(j, &Pairs::weight, [&](auto& head, auto t) { return head.d_output(t, i); })));
    }
    for (std::size_t t = 0; t < T_; ++t)
      for (std::size_t m = 0; m < toy_.history(); ++m) out[3].push_back(gate_gradient(t, m));
    return out;
  }

 private:
  struct Pairs {
    Matrix<K> weight, ds, gate;  ///< [query, key]
  };

  template <class A, class B>
  K chain(std::size_t terms, A a, B b) const {
    K sum(0);
    for (std::size_t i = 0; i < terms; ++i) sum = steps_.accumulate(sum + K(a(i)) * K(b(i)));
    return sum;
  }
  K scaled(const K& sum) const { return steps_.output(K(steps_.product(sum * K(toy_.heads[0].forward.scale)))); }
  K power(const K& x) const {
    using std::exp;
    return steps_.elementary(exp(x));
  }

  Pairs pairs_of(const GradientHead<double>& x) const {
    const Head<double>& forward = x.forward;
    Pairs pairs{Matrix<K>(T_, T_, K(0)), Matrix<K>(T_, T_, K(0)), Matrix<K>(T_, T_, K(0))};
    for (std::size_t t = 0; t < T_; ++t) {
      const auto of_output = [&](std::size_t i) { return x.d_output(t, i); };
      const K delta = chain(x.o.cols(), of_output, [&](std::size_t i) { return x.o(t, i); });
      for (const KeyRange& range : forward.reads[t])
        for (std::size_t j = range.begin; j < range.end; ++j) {
          const double gate = forward.gate(t, range);
          const K s = chain(
              forward.q.cols(), [&](auto f) { return forward.q(t, f); }, [&](auto f) { return forward.k(j, f); });
          const K z = steps_.product(K(forward.scale) * s);
          const K logit = forward.outside ? z : K(steps_.accumulate(z + K(gate)));
          const K p = power(steps_.accumulate(logit - K(x.lse[t])));
          K along = chain(x.o.cols(), of_output, [&](auto i) { return forward.v(j, i); }), weight = p;
          if (forward.outside && gate != 0) {
            const K factor = power(K(gate));
            along = steps_.product(factor * along), weight = steps_.product(p * factor);
          }
          const K ds = steps_.product(p * K(steps_.accumulate(along - delta)));
          pairs.weight(t, j) = steps_.weights(weight);
          pairs.ds(t, j) = steps_.weights(ds);
          pairs.gate(t, j) = forward.outside ? K(steps_.product(p * along)) : ds;
        }
    }
    return pairs;
  }

  K query_gradient(std::size_t t, std::size_t g, std::size_t f) const {
    K sum(0);
    const Head<double>& forward = toy_.heads[g].forward;
    for (const KeyRange& range : forward.reads[t])
      for (std::size_t begin = range.begin; begin < range.end; begin += toy_.tile) {
        const K tile = chain(
            std::min(toy_.tile, range.end - begin), [&](auto i) { return heads_[g].ds(t, begin + i); },
            [&](auto i) { return forward.k(begin + i, f); });
        sum = steps_.accumulate(sum + tile);
      }
    return scaled(sum);
  }

  /// Tiles of queries, of each the heads in turn. A query that does not read the key has the weight 0.
  template <class Of>
  K over_queries(std::size_t j, Matrix<K> Pairs::*of_pair, Of of) const {
    K sum(0);
    for (std::size_t begin = 0; begin < T_; begin += toy_.tile)
      for (std::size_t g = 0; g < heads_.size(); ++g) {
        const std::size_t count = std::min(toy_.tile, T_ - begin);
        const K tile = chain(
            count, [&](auto i) { return (heads_[g].*of_pair)(begin + i, j); },
            [&](auto i) { return of(toy_.heads[g], begin + i); });
        sum = steps_.accumulate(sum + tile);
      }
    return sum;
  }

  K gate_gradient(std::size_t t, std::size_t m) const {
    K total(0);
    for (std::size_t g = 0; g < heads_.size(); ++g)
      for (const KeyRange& range : toy_.heads[g].forward.reads[t]) {
        if (!range.gated || range.block != m) continue;
        for (std::size_t begin = range.begin; begin < range.end; begin += toy_.tile) {
          K sum(0);
          for (std::size_t j = begin; j < std::min(begin + toy_.tile, range.end); ++j)
            sum = steps_.accumulate(sum + heads_[g].gate(t, j));
          total = steps_.accumulate(total + sum);
        }
      }
    return total;
  }

  const ToyGradients& toy_;
  const S& steps_;
  std::size_t T_;
  std::vector<Pairs> heads_;
};

template <class K, class S>
ToyBackward<K, S> backward_of(const ToyGradients& toy, const S& steps) {
  return {toy, steps};
}

template <std::size_t output>
void attack(Draw& draw, Reached& reached) {
  constexpr std::string_view names[] = {"dq", "dk", "dv", "d_log_gate"};
  const ToyGradients toy(draw);
  const auto errors = adverse_errors(toy.format, toy.points, [&]<class K>(const auto& steps) {
    return backward_of<K>(toy, steps).gradients()[output];
  });
  const References truth = certified_gradients(toy.c);
  const Allowance bound = gradients_bound_with(toy.units, toy.c, toy.contract, truth).find(names[output])->second;
  for (std::size_t i = 0; i < errors.size(); ++i) reached.note(errors[i], bound.deterministic[i], toy.shape());
}

}  // namespace

std::vector<Law> sas_adverse_gradient_rounding_laws() {
  constexpr int few = 1500, many = 50000;
  std::vector<Law> laws;
  for (const auto& [name, at_length, statement, attack] :
       std::initializer_list<std::tuple<std::string_view, std::string_view, std::string_view, Attack>>{
           {"sas.adversary_reaches_a_third_of_the_query_gradient_bound",
            "sas.adversary_never_exceeds_the_query_gradient_bound", "G1 to G3: dq", attack<0>},
           {"sas.adversary_reaches_a_third_of_the_key_gradient_bound",
            "sas.adversary_never_exceeds_the_key_gradient_bound", "G1 to G3: dk", attack<1>},
           {"sas.adversary_reaches_a_third_of_the_value_gradient_bound",
            "sas.adversary_never_exceeds_the_value_gradient_bound", "G1, G3: dv", attack<2>},
           {"sas.adversary_reaches_a_third_of_the_gate_gradient_bound",
            "sas.adversary_never_exceeds_the_gate_gradient_bound", "G1, G2, G4: d log g", attack<3>}}) {
    laws.push_back(attack_on(name, statement, attack, few, false));
    laws.push_back(attack_on(at_length, statement, attack, many, true));
  }
  return laws;
}

}  // namespace assay
