#include "properties/published.hpp"

#include <fmt/format.h>

#include "arith/integer_power.hpp"
#include "properties/enumerated.hpp"
#include "properties/problem/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

/// The number n / 10^decimals as text.
std::string decimal_text(std::int64_t n, int decimals) {
  const auto power = static_cast<std::int64_t>(integer_power(10.0, decimals));
  return decimals == 0 ? std::to_string(n) : fmt::format("{}.{:0{}}", n / power, n % power, decimals);
}

/// x in [n, n + 1) units of the last digit, rounded to nearest, is in the interval of its print and of no other.
Law rounding_intervals() {
  Law law = enumerated("problem.a_printed_number_stands_for_what_rounds_to_it", "|x - printed| <= half a last digit",
                       "", "Q", [] { return Outcome::holds(); });
  law.proof = Proof::tested;
  law.trials = 64;
  law.checks.front().run = [](Draw& draw) {
    const int decimals = static_cast<int>(draw.size("decimals", 1, 6));
    const std::int64_t n = draw.size("n", 0, 99'999);
    const Rational unit = integer_power(Rational(10), -decimals);
    const Rational offset = Rational(static_cast<std::int64_t>(draw.below(1001)) - 500, 1000);  // within half a unit
    const Interval interval = printed(decimal_text(n, decimals));
    return all_of({holds_if(in(Rational((n + offset) * unit), interval), "a value that rounds to it is left out"),
                   holds_if(!in(Rational((n + 1 + offset / 2) * unit), interval), "a value that does not is let in"),
                   same("middle", Rational(median(interval)), Rational(n * unit))});
  };
  return law;
}

Outcome printed_forms() {
  const auto rounded = [](const char* text, const Rational& low, const Rational& high) {
    return all_of({same(text, printed(text).lower(), low), same(text, printed(text).upper(), high)});
  };
  const auto exactly = [&](const char* text, const Rational& value) { return rounded(text, value, value); };
  return all_of(
      {exactly("195", 195), exactly("14,376,960", 14'376'960), exactly("0", 0), exactly("-3", -3),
       rounded("2,415.9", Rational(241585, 100), Rational(241595, 100)),
       rounded("87.8%", Rational(8775, 10000), Rational(8785, 10000)), rounded("22K", 21500, 22500),
       rounded("0.63B", 625'000'000, 635'000'000), rounded("1.37e1", Rational(1365, 100), Rational(1375, 100)),
       rounded("6e-4", Rational(55, 100000), Rational(65, 100000)),
       rounded("+5.0633", Rational(506325, 100000), Rational(506335, 100000)),
       rounded("-0.185", Rational(-1855, 10000), Rational(-1845, 10000)),
       rounded("48x", Rational(95, 2), Rational(97, 2)), rounded("0.49 ms", Rational(485, 1000), Rational(495, 1000))});
}

Outcome refused_forms() {
  for (const char* text : {"", "about 3", "3.", ".5", "1e", "3 apples", "diverged", "1.2.3"}) try {
      printed(text);
      return Outcome::fails(fmt::format("\"{}\" is taken for a number", text));
    } catch (const std::invalid_argument& error) {
      if (std::string(error.what()).find(text) == std::string::npos) return Outcome::fails(error.what());
    }
  return Outcome::holds();
}

ClaimVerdict compared(const char* text, const Rational& value) {
  Published published;
  published.values = {{"x", text}};
  return compare_with_published(published, {{"x", value}}).verdict;
}

template <class Call>
Outcome stops(const char* name, Call call) {
  try {
    call();
  } catch (const std::exception&) {
    return Outcome::holds();
  }
  return Outcome::fails(std::string(name) + " is let pass");
}

Outcome comparisons() {
  Published two;
  two.values = {{"x", "1.0"}, {"y", "2.0"}};
  return all_of({holds_if(compared("75.5", Rational(7554, 100)) == ClaimVerdict::proven, "75.54 is no 75.5"),
                 holds_if(compared("75.5", Rational(7556, 100)) == ClaimVerdict::refuted, "75.56 passes for 75.5"),
                 holds_if(compared("195", 195) == ClaimVerdict::proven, "195 is no 195"),
                 holds_if(compared("195", Rational(1951, 10)) == ClaimVerdict::refuted, "195.1 passes for 195"),
                 stops("a published value that is not computed",
                       [&] {
                         compare_with_published(two, {{"x", Rational(1)}});
                       }),
                 stops("a value that is not published", [&] {
                   compare_with_published(two, {{"x", Rational(1)}, {"z", Rational(2)}});
                 })});
}

ClaimVerdict agreement(const std::vector<std::string>& texts) {
  Published published;
  for (std::size_t i = 0; i < texts.size(); ++i) published.values.emplace(std::to_string(i), texts[i]);
  return published_computations().front().run(published).verdict;
}

Outcome agreements() {
  return all_of(
      {holds_if(agreement({"3.951", "3.9507"}) == ClaimVerdict::proven, "3.951 and 3.9507 disagree"),
       holds_if(agreement({"3.951", "4.3437"}) == ClaimVerdict::inconsistent, "3.951 and 4.3437 agree"),
       holds_if(agreement({"float32", "float32"}) == ClaimVerdict::proven, "one word disagrees with itself"),
       holds_if(agreement({"float32", "bfloat16"}) == ClaimVerdict::inconsistent, "two words agree"),
       holds_if(agreement({"1.0", "1.0", "1.2"}) == ClaimVerdict::inconsistent, "the third value is not read"),
       stops("one value alone", [] { agreement({"1.0"}); })});
}

}  // namespace

std::vector<Law> problem_published_laws() {
  return {
      rounding_intervals(),
      enumerated("problem.printed_numbers_are_read_in_every_form", "thousands, units, exponents, signs", "", "Q",
                 printed_forms),
      enumerated("problem.what_is_no_printed_number_is_refused", "with the text in the error", "", "text",
                 refused_forms),
      enumerated("problem.a_number_outside_its_rounding_is_refuted", "and nothing published goes unread", "", "Q",
                 comparisons),
      enumerated("problem.published_values_agree_or_are_inconsistent", "numbers within rounding, words to the letter",
                 "", "Q", agreements),
  };
}

}  // namespace assay
