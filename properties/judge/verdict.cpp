#include "judge/verdict.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "problem/values.hpp"
#include "properties/enumerated.hpp"
#include "properties/judge/laws.hpp"
#include "properties/judge/one_element.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Law drawn(std::string_view name, std::string_view statement, std::uint32_t trials, Outcome (*run)(Draw&)) {
  return {name, statement, "", Proof::tested, 0, trials, {{"double", 0, [run](Draw& draw) {
                                                             return try_once([&] { return run(draw); });
                                                           }}}};
}

std::string text_of(const Judgement& j) { return fmt::format("{}: {}", name_of(j.verdict), name_of(j.rule)); }

Outcome decides(const OneElement& x, Verdict verdict, Rule rule) {
  const Judgement j = x.judged();
  return holds_if(j.verdict == verdict && j.rule == rule,
                  fmt::format("error {}, radius {}, P {}, D {}: {}, want {}: {}", std::abs(x.got - x.want), x.radius,
                              x.statistical, x.deterministic, text_of(j), name_of(verdict), name_of(rule)));
}

/// A size in [1, 2) times 2^low ... 2^high, so that no two of a trial are near each other but by being built so.
double size(Draw& draw, int low, int high) { return std::abs(scaled_dyadic(draw, low, high)); }

/// e - r against P and D, one part in 2^20 to either side of each threshold.
Outcome thresholds(Draw& draw) {
  OneElement x;
  x.radius = size(draw, -60, -40);
  x.statistical = x.radius * size(draw, 4, 8);
  x.deterministic = x.statistical * size(draw, 1, 4);
  const double less = 1 - 0x1p-20, more = 1 + 0x1p-20;
  const auto at = [&](double error) {
    OneElement y = x;
    y.want = draw.below(2) == 0 ? 1 + error : 1 - error;
    y.want_low = (1 - y.want < 0 ? error : -error) - (y.want - 1);
    return y;
  };
  return all_of(
      {decides(at((x.statistical - x.radius) * less), Verdict::pass, Rule::within_bound),
       decides(at((x.statistical - x.radius) * more), Verdict::indeterminate, Rule::oracle_radius_too_large),
       decides(at((x.statistical + x.radius) * less), Verdict::indeterminate, Rule::oracle_radius_too_large),
       decides(at((x.statistical + x.radius) * more), Verdict::fail, Rule::error_above_statistical_bound),
       decides(at((x.deterministic + x.radius) * less), Verdict::fail, Rule::error_above_statistical_bound),
       decides(at((x.deterministic + x.radius) * more), Verdict::fail, Rule::error_above_deterministic_bound)});
}

/// The low word of the truth counts: alone it decides.
Outcome low_word() {
  OneElement x{.want_low = 0x1p-60, .statistical = 0x1p-61, .deterministic = 0x1p-50};
  OneElement y = x;
  y.statistical = 0x1p-59;
  return all_of(
      {decides(x, Verdict::fail, Rule::error_above_statistical_bound), decides(y, Verdict::pass, Rule::within_bound)});
}

Outcome zero_bounds() {
  const double next = 1 + 0x1p-23;
  return all_of({decides({}, Verdict::pass, Rule::within_bound),
                 decides({.got = next}, Verdict::fail, Rule::differs_on_exact_input),
                 decides({.got = 0x1p-149, .want = 0}, Verdict::fail, Rule::differs_on_exact_input),
                 decides({.got = -0.0, .want = 0}, Verdict::pass, Rule::within_bound)});
}

/// Nothing that is not finite is ever skipped, however wide the bound.
Outcome not_finite() {
  FirstFailure found;
  for (const double bound : {0.0, 1e300, infinity}) {
    const auto element = [&](double got, double want) {
      return OneElement{.got = got, .want = want, .statistical = bound, .deterministic = bound};
    };
    if (bound < infinity)
      for (const double got : {nan, infinity, -infinity})
        found.note(decides(element(got, 1), Verdict::fail, Rule::non_finite_where_finite_is_due));
    for (const double want : {nan, infinity, -infinity}) {
      if (bound < infinity) found.note(decides(element(1, want), Verdict::fail, Rule::finite_where_non_finite_is_due));
      found.note(decides(element(want, want), Verdict::pass, Rule::within_bound));
    }
    if (bound < infinity) {
      found.note(decides(element(infinity, -infinity), Verdict::fail, Rule::finite_where_non_finite_is_due));
      found.note(decides(element(nan, infinity), Verdict::fail, Rule::finite_where_non_finite_is_due));
    }
  }
  return found.outcome();
}

Outcome undetermined() {
  const OneElement x{.got = 5, .determined = false};
  const Judgement j = x.judged();
  return all_of({decides(x, Verdict::pass, Rule::within_bound), holds_if(j.degenerate, "a degenerate case is not told"),
                 holds_if(!OneElement{}.judged().degenerate, "a determined case is called degenerate")});
}

/// One element of many beyond its bound: it decides, and it is named.
Outcome worst_element(Draw& draw) {
  const auto count = static_cast<std::size_t>(draw.size("elements", 1, 200));
  std::vector<double> want(count), got;
  for (double& w : want) w = shortened(uniform_dyadic(draw, 20), Format::f32);
  got = want;
  const std::size_t at = draw.below(count);
  got[at] += 0.25;
  Outputs x = outputs_of(got, want, 0x1p-10);
  const Judgement j = judge(x.got, x.want, x.allowed);
  return all_of({same("verdict", name_of(j.verdict), name_of(Verdict::fail)),
                 same("index", j.worst.index.front(), static_cast<std::int64_t>(at)),
                 same("error", j.worst.error, 0.25 * (1 + 0x1p-40)), same("slack", j.slack.max, j.worst.slack)});
}

template <class Call>
Outcome throws(const char* what, Call call) {
  try {
    call();
  } catch (const std::invalid_argument&) {
    return Outcome::holds();
  }
  return Outcome::fails(std::string(what) + " is accepted");
}

Outcome wrong_outputs() {
  Outputs x = outputs_of({1, 2}, {1, 2}, 0);
  const Outputs longer = outputs_of({1, 2, 3}, {1, 2, 3}, 0);
  return all_of({throws("a missing output", [&] { judge({}, x.want, x.allowed); }),
                 throws("an output of another shape", [&] { judge(longer.got, x.want, x.allowed); })});
}

}  // namespace

std::vector<Law> judge_verdict_laws() {
  return {drawn("judge.verdicts_follow_their_thresholds",
                "fail iff e - r > P, proven iff e - r > D, indeterminate iff e + r > P", 200, thresholds),
          enumerated("judge.the_low_word_of_the_truth_counts", "e = |got - (hi + lo)|", "", "double", low_word),
          enumerated("judge.a_zero_bound_admits_no_difference", "one ulp, one subnormal; zeros of both signs are one",
                     "", "double", zero_bounds),
          enumerated("judge.what_is_not_finite_is_compared",
                     "NaN agrees with NaN, an infinity with itself, nothing else", "", "double", not_finite),
          enumerated("judge.undetermined_elements_decide_nothing", "they make the case degenerate", "", "double",
                     undetermined),
          drawn("judge.one_wrong_element_decides", "and is the one that is named", 100, worst_element),
          enumerated("judge.missing_outputs_are_errors", "and so are outputs of another shape", "", "shapes",
                     wrong_outputs)};
}

}  // namespace assay
