#include "judge/trivial_outputs.hpp"

#include <limits>

#include <fmt/format.h>

#include "problem/values.hpp"
#include "properties/identity.hpp"
#include "properties/judge/laws.hpp"
#include "properties/judge/one_element.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

constexpr double u = 0x1p-24;

/// Rows of four numbers with one bound for all, and what the trivial outputs make of it.
Judgement with_bound(const std::vector<double>& want, double bound) {
  Outputs x = outputs_of(want, want, bound);
  const Shape shape = {static_cast<std::int64_t>(want.size()) / 4, 4};
  x.want.at("o").shape = shape;
  Judgement judgement;
  judge_trivial_outputs(judgement, x.want, x.allowed, u);
  return judgement;
}

std::vector<double> drawn_values(Draw& draw) {
  std::vector<double> want(static_cast<std::size_t>(4 * draw.size("rows", 2, 20)));
  for (double& w : want) w = 1 + uniform_dyadic(draw, 10) / 2;
  return want;
}

Outcome vacuous(Draw& draw) {
  const std::vector<double> want = drawn_values(draw);
  const Judgement tight = with_bound(want, 0x1p-20), loose = with_bound(want, 4);
  return all_of({holds_if(!tight.vacuous, "a bound of 2^-20 accepts " + tight.vacuous_by),
                 holds_if(loose.vacuous, "a bound of 4 accepts no wrong output"),
                 holds_if(!tight.degenerate && !loose.degenerate, "a trivial output is called right")});
}

/// Infinite elements, which are demanded as such, leave open what the bounds of the others accept.
Outcome vacuous_beside_infinities(Draw& draw) {
  std::vector<double> want = drawn_values(draw);
  want[draw.below(want.size())] = -std::numeric_limits<double>::infinity();
  const std::vector<double> infinite(8, -std::numeric_limits<double>::infinity());
  return all_of({holds_if(!with_bound(want, 0x1p-20).vacuous, "a bound of 2^-20 accepts a wrong output"),
                 holds_if(with_bound(want, 4).vacuous, "a bound of 4 accepts no wrong output"),
                 holds_if(!with_bound(want, 4).degenerate, "a trivial output is called right"),
                 holds_if(!with_bound(infinite, 4).vacuous, "where all is infinite something wrong is accepted")});
}

/// Each trivial output alone passes a bound that fits it and nothing else.
Outcome each_is_tried() {
  const std::vector<double> zeros(8, 0.0), constant(8, 1.0);
  std::vector<double> dropped = {5, 6, 7, 8, 0, 0, 0, 0}, alternating = {5, 6, 7, 8, 5, 6, 7, 8};
  return all_of({holds_if(with_bound(zeros, 0).degenerate, "zeros are right and not told"),
                 holds_if(with_bound(constant, 0).degenerate, "the mean is right and not told"),
                 holds_if(with_bound(dropped, 0).degenerate, "a dropped row is right and not told"),
                 holds_if(with_bound(alternating, 0).degenerate, "shifted rows are right and not told"),
                 holds_if(!with_bound({5, 6, 7, 8, 1, 2, 3, 4}, 0).degenerate, "nothing is right but told")});
}

}  // namespace

std::vector<Law> judge_trivial_outputs_laws() {
  return {{"judge.bounds_that_accept_wrong_outputs_are_vacuous",
           "zeros, the mean, shifted and dropped rows, each more than a tenth wrong",
           "",
           Proof::tested,
           0,
           100,
           {{"double", 0, [](Draw& draw) { return try_once([&] { return vacuous(draw); }); }}}},
          {"judge.infinities_do_not_hide_vacuous_bounds",
           "the same with an element of -inf",
           "",
           Proof::tested,
           0,
           100,
           {{"double", 0, [](Draw& draw) { return try_once([&] { return vacuous_beside_infinities(draw); }); }}}},
          {"judge.trivial_outputs_that_are_right_are_degenerate",
           "and no more than that",
           "",
           Proof::tested,
           0,
           1,
           {{"double", 0, [](Draw&) { return try_once([] { return each_is_tried(); }); }}}}};
}

}  // namespace assay
