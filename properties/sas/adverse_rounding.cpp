#include <algorithm>
#include <cmath>
#include <tuple>

#include "oracle/sas/attention_bound.hpp"
#include "oracle/sas/weight_bound.hpp"
#include "oracle/steps.hpp"
#include "properties/sas/laws.hpp"
#include "properties/toy_attack.hpp"

// The bounds B1 to B4 (oracle/sas/bounds.md) in formats of few bits, with every rounding turned against them.

namespace assay {
namespace {

using namespace sas;

/// One query against a few keys in blocks, exact in the format, and how a kernel takes it.
struct ToyRow {
  const FloatFormat& format;
  RoundingUnits units;
  RoundingPoints points = {.elementary = true, .product = true, .accumulate = true, .output = true};
  Contract contract;
  Head<double> head;
  std::size_t block;
  std::vector<double> logits;  ///< without rounding

  explicit ToyRow(Draw& draw, std::size_t fewest_keys) : format(draw_toy_format(draw, 8)) {
    units = directed_units(format);
    const std::size_t keys = fewest_keys + draw.below(8 - fewest_keys), d = 1 + draw.below(draw.below(2) == 0 ? 1 : 4);
    block = 1 + draw.below(4);
    draw_inputs(draw, keys, d);
    draw_contract(draw);
    for (std::size_t i = 0; i < keys; ++i)
      logits.push_back(head.scale * dot<double>(head.q.row(0), head.k.row(i)) + (head.outside ? 0 : gate(i)));
  }

  std::size_t keys() const { return head.k.rows(); }
  AttackedShape shape() const { return {format, keys(), head.q.cols()}; }
  double gate(std::size_t key) const { return head.gate(0, head.reads[0][key / block]); }

  /// L and o without rounding.
  References truth() const {
    double sum = 0, mean = 0;
    for (std::size_t i = 0; i < keys(); ++i) {
      sum += std::exp(logits[i]);
      mean += std::exp(logits[i]) * (head.outside ? std::exp(gate(i)) : 1) * head.v(i, 0);
    }
    const std::vector<double> zero(1);
    return {{"o", {{1}, {mean / sum}, zero, zero}}, {"lse", {{1}, {std::log(sum)}, zero, zero}}};
  }

 private:
  void draw_inputs(Draw& draw, std::size_t keys, std::size_t d) {
    const Mix mix = Mix::drawn(format, draw);
    head.q = mix.matrix(1, d, draw), head.k = mix.matrix(keys, d, draw), head.v = mix.matrix(keys, 1, draw);
    head.scale = draw.below(2) == 0 ? 1 : std::abs(mix.number(draw));
    // Keys far apart, or all but alike.
    const double apart = draw.below(2) == 0 ? 1 : 4;
    for (double& x : head.q.row(0)) x *= apart;
    head.outside = draw.below(2) == 0;
    const std::size_t blocks = (keys + block - 1) / block;
    if (draw.below(2) == 0) head.log_gate = Matrix<double>(1, blocks);
    for (std::size_t m = 0; m < head.log_gate.cols(); ++m) head.log_gate(0, m) = -std::abs(mix.number(draw));
    head.reads.emplace_back();
    for (std::size_t m = 0; m < blocks; ++m)
      head.reads[0].push_back({m * block, std::min((m + 1) * block, keys), m, m + 1 < blocks});
    head.index = {0};
  }

  /// An elementary function rounded to either side errs by one unit in the last place: half of 2 u.
  void draw_contract(Draw& draw) {
    const auto tile = static_cast<std::int64_t>(block);
    contract = {.algorithm = draw.below(4) == 0 ? Algorithm::decode : Algorithm::parallel,
                .chunk = tile,
                .score_height = std::int64_t(head.q.cols()),
                .value_height = tile,
                .elementary_ulp = {{"exp", 0.5}, {"log", 0.5}},
                .wide_normaliser = draw.below(2) == 0};
    if (draw.below(2) != 0) return;
    static constexpr FloatFormat narrow{"toy", 7, -100, 100};
    points.weights = true;
    points.of_weights = &narrow;
    units.weights = directed_units(narrow).u, units.small = directed_units(narrow).eta;
  }
};

/// Sums relative to a reference key.
template <class K>
struct ToySums {
  std::size_t reference;
  K l{0}, N{0};
  std::vector<K> weights;  ///< as the normaliser takes them
};

template <class K, class S>
class ToyAttention {
 public:
  ToyAttention(const ToyRow& toy, const S& steps) : toy_(toy), steps_(steps) {
    for (std::size_t i = 0; i < toy.keys(); ++i) x_.push_back(logit(i));
  }

  const std::vector<K>& logits() const { return x_; }

  /// Tile after tile from one reference to the next; or each by its own, and then all brought to the largest.
  ToySums<K> sums() const {
    if (toy_.contract.algorithm == Algorithm::decode) return merged();
    ToySums<K> all = of_tile(0, largest(0, end_of(0)));
    for (std::size_t begin = toy_.block; begin < toy_.keys(); begin += toy_.block) {
      const std::size_t found = largest(begin, end_of(begin));
      const bool rises = toy_.logits[found] > toy_.logits[all.reference];
      if (rises) all = rescaled(all, found);
      add(all, of_tile(begin, all.reference));
    }
    return all;
  }

  K output(const ToySums<K>& all) const { return steps_.output(all.N / all.l); }
  K lse(const ToySums<K>& all) const {
    using std::log;
    return steps_.accumulate(x_[all.reference] + K(steps_.elementary(log(all.l))));
  }

 private:
  std::size_t end_of(std::size_t begin) const { return std::min(begin + toy_.block, toy_.keys()); }
  std::size_t largest(std::size_t begin, std::size_t end) const {
    const auto first = toy_.logits.begin();
    return static_cast<std::size_t>(std::max_element(first + std::ptrdiff_t(begin), first + std::ptrdiff_t(end)) -
                                    first);
  }

  K logit(std::size_t key) const {
    K s(0);
    for (std::size_t f = 0; f < toy_.head.q.cols(); ++f)
      s = steps_.accumulate(s + K(toy_.head.q(0, f)) * K(toy_.head.k(key, f)));
    const K z = steps_.product(K(toy_.head.scale) * s);
    return toy_.head.outside ? z : K(steps_.accumulate(z + K(toy_.gate(key))));
  }

  K power(const K& x) const {
    using std::exp;
    return steps_.elementary(exp(x));
  }
  K power_below(const K& x, std::size_t reference) const { return power(steps_.accumulate(x - x_[reference])); }

  ToySums<K> of_tile(std::size_t begin, std::size_t reference) const {
    ToySums<K> tile{reference};
    for (std::size_t i = begin; i < end_of(begin); ++i) {
      const K wide = power_below(x_[i], reference), w = toy_.contract.wide_normaliser ? wide : K(steps_.weights(wide));
      tile.weights.push_back(w);
      tile.l = steps_.accumulate(tile.l + w);
      const bool gated = toy_.head.outside && toy_.gate(i) != 0;
      const K of_value = gated ? K(steps_.product(w * power(K(toy_.gate(i))))) : w;
      tile.N = steps_.accumulate(tile.N + K(steps_.weights(of_value)) * K(toy_.head.v(i, 0)));
    }
    return tile;
  }

  ToySums<K> rescaled(ToySums<K> sums, std::size_t reference) const {
    const K factor = power_below(x_[sums.reference], reference);
    sums.l = steps_.product(sums.l * factor), sums.N = steps_.product(sums.N * factor);
    for (K& w : sums.weights) w = steps_.product(w * factor);
    sums.reference = reference;
    return sums;
  }

  void add(ToySums<K>& all, const ToySums<K>& tile) const {
    all.l = steps_.accumulate(all.l + tile.l), all.N = steps_.accumulate(all.N + tile.N);
    all.weights.insert(all.weights.end(), tile.weights.begin(), tile.weights.end());
  }

  ToySums<K> merged() const {
    ToySums<K> all{largest(0, toy_.keys())};
    for (std::size_t begin = 0; begin < toy_.keys(); begin += toy_.block) {
      const ToySums<K> split = of_tile(begin, largest(begin, end_of(begin)));
      const K factor = power_below(x_[split.reference], all.reference);
      all.l = steps_.accumulate(all.l + split.l * factor), all.N = steps_.accumulate(all.N + split.N * factor);
      for (const K& w : split.weights) all.weights.push_back(steps_.product(w * factor));
    }
    return all;
  }

  const ToyRow& toy_;
  const S& steps_;
  std::vector<K> x_;
};

template <class K, class S>
ToyAttention<K, S> attention_of(const ToyRow& toy, const S& steps) {
  return {toy, steps};
}

/// B1, of one key.
void attack_logit(Draw& draw, Reached& reached) {
  const ToyRow toy(draw, 1);
  const auto errors = adverse_errors(toy.format, toy.points,
                                     [&]<class K>(const auto& steps) { return attention_of<K>(toy, steps).logits(); });
  const WeightBounds bounds(toy.head, toy.contract, toy.units);
  double worst = 0;
  for (const AdverseError& error : errors) worst = std::max(worst, error.error);
  reached.note({toy.logits[0], worst}, bounds.of(0, toy.truth().at("lse").hi[0]).logit_error, toy.shape());
}

/// B2: weights beside the power of the reference that was computed.
void attack_weights(Draw& draw, Reached& reached) {
  const ToyRow toy(draw, 1);
  const RowBound row = WeightBounds(toy.head, toy.contract, toy.units).of(0, toy.truth().at("lse").hi[0]);
  const auto errors = adverse_errors(toy.format, toy.points, [&]<class K>(const auto& steps) {
    using std::exp;
    const auto attention = attention_of<K>(toy, steps);
    ToySums<K> all = attention.sums();
    for (K& w : all.weights) w = w * K(exp(attention.logits()[all.reference]));
    return all.weights;
  });
  const double floor = (0x1p5 * toy.units.eta + 4 * toy.units.small) * (row.height + 1) * std::exp(row.largest_logit);
  for (std::size_t i = 0; i < errors.size(); ++i)
    reached.note(errors[i], row.keys[i].worst * errors[i].value + floor, toy.shape());
}

Allowances allowances_of(const ToyRow& toy) {
  const std::vector<double> zero(1);
  Allowances out{{"o", {.deterministic = zero, .statistical = zero, .deviation = zero}},
                 {"lse", {.deterministic = zero, .statistical = zero}}};
  set_attention_bound(toy.head, toy.contract, toy.units, toy.truth(), out);
  return out;
}

/// B3.
void attack_output(Draw& draw, Reached& reached) {
  const ToyRow toy(draw, 1);
  const auto errors = adverse_errors(toy.format, toy.points, [&]<class K>(const auto& steps) {
    const auto attention = attention_of<K>(toy, steps);
    return std::vector<K>{attention.output(attention.sums())};
  });
  reached.note(errors[0], allowances_of(toy).at("o").deterministic[0], toy.shape());
}

/// B4.
void attack_lse(Draw& draw, Reached& reached) {
  const ToyRow toy(draw, 1);
  const auto errors = adverse_errors(toy.format, toy.points, [&]<class K>(const auto& steps) {
    const auto attention = attention_of<K>(toy, steps);
    return std::vector<K>{attention.lse(attention.sums())};
  });
  reached.note(errors[0], allowances_of(toy).at("lse").deterministic[0], toy.shape());
}

}  // namespace

std::vector<Law> sas_adverse_rounding_laws() {
  constexpr int few = 5000, many = 200000;
  std::vector<Law> laws;
  for (const auto& [name, at_length, statement, attack] :
       std::initializer_list<std::tuple<std::string_view, std::string_view, std::string_view, Attack>>{
           {"sas.adversary_reaches_a_third_of_the_logit_bound", "sas.adversary_never_exceeds_the_logit_bound",
            "B1: logits with their gates", attack_logit},
           {"sas.adversary_reaches_a_third_of_the_weight_bound", "sas.adversary_never_exceeds_the_weight_bound",
            "B2: weights of an online softmax and of splits", attack_weights},
           {"sas.adversary_reaches_a_third_of_the_attention_bound", "sas.adversary_never_exceeds_the_attention_bound",
            "B3: o", attack_output},
           {"sas.adversary_reaches_a_third_of_the_normaliser_bound", "sas.adversary_never_exceeds_the_normaliser_bound",
            "B4: L", attack_lse}}) {
    laws.push_back(attack_on(name, statement, attack, few, false));
    laws.push_back(attack_on(at_length, statement, attack, many, true));
  }
  return laws;
}

}  // namespace assay
