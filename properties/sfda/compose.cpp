#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "oracle/sfda/compose_oracle.hpp"
#include "oracle/sfda/compose_plan.hpp"
#include "oracle/sfda/given_maps.hpp"
#include "problem/operators/sfda.hpp"
#include "problem/sized_case.hpp"
#include "properties/asking_kernel.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/inputs.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

constexpr std::size_t most_maps = 9;

template <class K>
Affine<K> composed_by(const ComposePlan& plan, const std::vector<Affine<K>>& given) {
  std::vector<Affine<K>> nodes(given.size());
  const auto at = [&](const MapPlace& place) { return (place.is_node ? nodes : given).at(place.token); };
  for (const ComposeStep& step : plan.steps) nodes[step.token] = composed(at(step.second), at(step.first));
  return at(plan.root);
}

Law plans() {
  return complex_identity("sfda.every_order_of_steps_composes_all_maps",
                          "in order and as a tree over any number of maps: A_n ... A_1 and what B_1 ... B_n leave",
                          "[SFDA] s2.2, eq. 10, Lemma A.2; SFD-040, SFD-041", most_maps, 6,
                          []<class K>(Source<K>& from) {
                            const std::size_t d = from.size("d", 1, 3), dv = from.size("dv", 1, 2);
                            FirstFailure found;
                            std::vector<Affine<K>> maps;
                            for (std::size_t n = 1; n <= most_maps; ++n) {
                              maps.push_back({from.values(d, d), from.values(d, dv)});
                              const Affine<K> want = composed_in_order<K>(maps);
                              for (const Algorithm a : {Algorithm::compose_in_order, Algorithm::compose_as_tree}) {
                                const Affine<K> got = composed_by(compose_plan(a, n), maps);
                                found.note(same("P", got.A, want.A));
                                found.note(same("Z", got.B, want.B));
                              }
                            }
                            found.note(refused("no maps", [] { compose_plan(Algorithm::compose_as_tree, 0); }));
                            return found.outcome();
                          });
}

/// Every token but the first is the node of one step, and no step is made of a later one.
Outcome steps_are_in_order(Draw& draw) {
  const auto maps = 1 + static_cast<std::size_t>(draw.below(300));
  for (const Algorithm algorithm : {Algorithm::compose_in_order, Algorithm::compose_as_tree}) {
    const ComposePlan plan = compose_plan(algorithm, maps);
    std::vector<bool> made(maps, false);
    const auto there = [&](const MapPlace& place) {
      return place.token < maps && (!place.is_node || made[place.token]);
    };
    for (const ComposeStep& step : plan.steps) {
      if (!there(step.second) || !there(step.first) || made[step.token] || step.token == 0)
        return Outcome::fails(fmt::format("{} maps, {}: the step of token {}", maps, name_of(algorithm), step.token));
      made[step.token] = true;
    }
    if (plan.steps.size() + 1 != maps || !there(plan.root))
      return Outcome::fails(fmt::format("{} maps, {}: {} steps", maps, name_of(algorithm), plan.steps.size()));
  }
  return Outcome::holds();
}

std::int64_t up_to(Draw& draw, std::uint64_t most) { return 1 + static_cast<std::int64_t>(draw.below(most)); }

Case some_case(Draw& draw, Standard standard) {
  const Operator& op = operators::sfda_compose();
  const std::span<const Family> families = families_of(op);
  const Family* family = &families[draw.below(families.size())];
  while (family->standard != standard) family = &families[draw.below(families.size())];
  const CaseSize size{up_to(draw, 2), static_cast<std::int64_t>(draw.below(20)), up_to(draw, 2), up_to(draw, 6),
                      up_to(draw, 6)};
  return make_case(asking_kernel(op, draw.below(2) == 0 ? Format::f32 : Format::bf16), *family, draw.bits(), size);
}

Outcome holds_the_definition(Draw& draw) {
  const Case c = some_case(draw, Standard::bound);
  const References certified = certified_composition(c), defined = composition_by_definition(c);
  for (const auto& [name, want] : defined) {
    const Reference& got = certified.at(name);
    double largest = 0;
    for (const double x : want.hi) largest = std::max(largest, std::abs(x));
    for (std::size_t i = 0; i < want.hi.size(); ++i) {
      const double difference = std::abs((got.hi[i] - want.hi[i]) + (got.lo[i] - want.lo[i]));
      if (!(difference <= got.radius[i] + want.radius[i]) || !(got.radius[i] <= 0x1p-70 * std::max(largest, 0x1p-60)))
        return Outcome::fails(fmt::format("{} of {}, {}[{}]: {:.3g} apart, radius {:.3g}", c.family, sizes_text(c),
                                          name, i, difference, got.radius[i]));
    }
  }
  return Outcome::holds();
}

/// P S + Z against a loop over scalars that takes S through every map: nothing of the oracle's.
template <class F>
Outcome acts_as_all_maps(Draw& draw) {
  Case c = some_case(draw, Standard::field);
  c.element = FormatOf<F>::value;
  for (auto& [name, tensor] : c.inputs) {
    tensor = Tensor(c.element, tensor.shape());
    for (F& x : tensor.template as<F>()) x = draw.element<F>();
  }
  const Tensors got = composition_over_field(c);
  const std::int64_t d = c.sizes[Axis::feature], dv = c.sizes[Axis::value], H = c.sizes[Axis::head];
  struct Number {
    F re, im;
  };
  const auto entry = [](const Tensors& tensors, const std::string& name, std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    return Number{tensors.at(name + "_re").template as<F>()[at], tensors.at(name + "_im").template as<F>()[at]};
  };
  /// Column j of a map times s, and the map's own column.
  const auto act = [&](const Tensors& tensors, const std::string& A, const std::string& B, std::int64_t row,
                       std::int64_t j, const std::vector<Number>& s) {
    std::vector<Number> result;
    for (std::int64_t i = 0; i < d; ++i) {
      Number sum = entry(tensors, B, (row * d + i) * dv + j);
      for (std::int64_t k = 0; k < d; ++k) {
        const Number a = entry(tensors, A, (row * d + i) * d + k), x = s[static_cast<std::size_t>(k)];
        sum = {sum.re + a.re * x.re - a.im * x.im, sum.im + a.re * x.im + a.im * x.re};
      }
      result.push_back(sum);
    }
    return result;
  };
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < H; ++h)
      for (std::int64_t j = 0; j < dv; ++j) {
        std::vector<Number> start, s;
        for (std::int64_t i = 0; i < d; ++i) start.push_back({draw.element<F>(), draw.element<F>()});
        s = start;
        for (std::int64_t t = n * c.sizes[Axis::time]; t < (n + 1) * c.sizes[Axis::time]; ++t)
          s = act(c.inputs, "A", "B", t * H + h, j, s);
        const std::vector<Number> all = act(got, "P", "Z", n * H + h, j, start);
        for (std::size_t i = 0; i < s.size(); ++i)
          if (!(s[i].re == all[i].re && s[i].im == all[i].im))
            return Outcome::fails(fmt::format("{}: column {} of sequence {}, head {}", sizes_text(c), j, n, h));
      }
  return Outcome::holds();
}

template <class F>
Check over() {
  return {arithmetic_name<F>(), log2_order<F>(),
          [](Draw& draw) { return try_once([&] { return acts_as_all_maps<F>(draw); }); }};
}

}  // namespace

std::vector<Law> sfda_compose_laws() {
  const auto tested = [](std::string_view name, std::string_view statement, std::uint32_t trials,
                         std::string_view arithmetic, Outcome (*run)(Draw&)) {
    return Law{name,
               statement,
               "[SFDA] s2.2, eq. 10, Lemma A.2",
               Proof::tested,
               0,
               trials,
               {{arithmetic, 0, [run](Draw& draw) { return try_once([&] { return run(draw); }); }}}};
  };
  return {plans(),
          tested("sfda.steps_of_a_composition_make_every_node_once",
                 "up to 300 maps, in order and as a tree: n - 1 steps, parts before what is made of them", 40,
                 "integers", steps_are_in_order),
          tested("sfda.certified_compositions_hold_the_definition",
                 "|certified - definition| <= radius, at most 2^-70 of the largest entry, on every family", 100,
                 "MPFR, 50 digits", holds_the_definition),
          {"sfda.composition_over_fields_acts_as_all_maps_in_turn",
           "P S + Z is what the maps make of any S, one after the other, in scalars",
           "[SFDA] s2.2, eq. 10, Lemma A.2; SFD-040",
           Proof::by_evaluation,
           21,
           32,
           {over<F61>(), over<F31>()}}};
}

}  // namespace assay
