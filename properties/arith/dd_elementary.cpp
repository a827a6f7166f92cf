#include "arith/dd_elementary.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "arith/arb.hpp"
#include "properties/arith/draws.hpp"
#include "properties/arith/laws.hpp"
#include "properties/arith/measured.hpp"
#include "properties/refuses.hpp"

namespace assay {
namespace {

namespace bound = double_double_bound;

/// Next to the middle between two multiples of `step`, where the reduced argument is largest; or anywhere.
DoubleDouble next_to_an_edge(Draw& draw, double step, std::uint64_t multiples) {
  const double n = static_cast<double>(draw.below(multiples)) + (draw.below(2) ? 0.5 : 0.0);
  const DoubleDouble x = hard_pair(draw, -20, -10) + n * step;
  return draw.below(2) ? x : -x;
}

DoubleDouble argument(Draw& draw, double step, std::uint64_t multiples, int low, int high) {
  return draw.below(2) ? next_to_an_edge(draw, step, multiples) : hard_pair(draw, low, high);
}

constexpr double ln2_64 = 0x1.62e42fefa39efp-7;
constexpr double pi_128 = 0x1.921fb54442d18p-6;

/// The distance of a pair from a ball, at most.
double error(DoubleDouble got, const Arb& want) { return (want - Arb(got)).upper_magnitude(); }

Measured exp_error(Draw& draw) {
  const DoubleDouble x = argument(draw, ln2_64, 64000, -60, 8), got = exp(x);
  const Arb want = exp(Arb(x));
  return measured(error(got, want), bound::exp * want.mid().hi + bound::exp_absolute,
                  fmt::format("exp({})", exact_text(x)));
}

Measured small_exp_error(Draw& draw) {
  const DoubleDouble x = argument(draw, ln2_64, 64, -60, -1), got = exp(x);
  const Arb want = exp(Arb(x));
  return measured(error(got, want), bound::exp * want.mid().hi, fmt::format("exp({})", exact_text(x)));
}

Measured log_error(Draw& draw) {
  const DoubleDouble x = abs(draw.below(2) ? hard_pair(draw, -890, 890) : hard_pair(draw, -2, 2)), got = log(x);
  const Arb want = log(Arb(x));
  return measured(error(got, want), bound::log * std::abs(want.mid().hi) + bound::log_absolute,
                  fmt::format("log({})", exact_text(x)));
}

Measured tanh_error(Draw& draw) {
  const DoubleDouble x = argument(draw, ln2_64 / 2, 256, -60, 8), got = tanh(x);
  const Arb want = tanh(Arb(x));
  return measured(error(got, want), bound::tanh * std::abs(want.mid().hi), fmt::format("tanh({})", exact_text(x)));
}

Measured sin_error(Draw& draw) {
  const DoubleDouble x = argument(draw, pi_128, std::uint64_t{1} << draw.below(37), -60, 30);
  return measured(error(sincos(x).sin, sin(Arb(x))), bound::sincos, fmt::format("sin({})", exact_text(x)));
}

Measured cos_error(Draw& draw) {
  const DoubleDouble x = argument(draw, pi_128, std::uint64_t{1} << draw.below(37), -60, 30);
  return measured(error(sincos(x).cos, cos(Arb(x))), bound::sincos, fmt::format("cos({})", exact_text(x)));
}

template <class Function>
bool refuses_at(Function function, double x) {
  return refuses([&] { return function(DoubleDouble(x)); });
}

Outcome domains_are_asserted(Draw&) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto e = [](DoubleDouble x) { return exp(x); };
  const auto l = [](DoubleDouble x) { return log(x); };
  const auto t = [](DoubleDouble x) { return tanh(x); };
  const auto s = [](DoubleDouble x) { return sincos(x); };
  const bool refused = refuses_at(e, 709.5) && refuses_at(e, infinity) && refuses_at(e, nan) && refuses_at(t, nan) &&
                       refuses_at(s, 0x1.0001p32) && refuses_at(s, -infinity) && refuses_at(s, nan) &&
                       refuses_at(l, 0) && refuses_at(l, -1) && refuses_at(l, infinity) && refuses_at(l, nan);
  if (!refused) return Outcome::fails("a value outside the domain is not refused");
  const bool limits = exp(DoubleDouble(-infinity)) == 0 && tanh(DoubleDouble(infinity)).hi == 1 &&
                      tanh(DoubleDouble(-infinity)).hi == -1 && exp(DoubleDouble(0)) == 1 &&
                      log(DoubleDouble(1)) == 0 && sincos(0).cos == 1 && sincos(0).sin == 0 &&
                      tanh(DoubleDouble(0)) == 0;
  return limits ? Outcome::holds() : Outcome::fails("a limit or a value at 0 is not exact");
}

constexpr std::string_view against_arb = "double-double against Arb";

}  // namespace

std::vector<Law> arith_dd_elementary_laws() {
  std::vector<Law> laws = bound_laws(
      {
          {"arith.double_double_exp_is_within_its_bound", "|exp~ x - e^x| <= 8u^2 e^x + 2^-1021, x <= 709", "",
           against_arb, exp_error, 0.05},
          {"arith.double_double_exp_of_small_arguments_is_within_its_bound", "|exp~ x - e^x| <= 8u^2 e^x, |x| <= 1", "",
           against_arb, small_exp_error, 0.05},
          {"arith.double_double_log_is_within_its_bound", "|log~ x - log x| <= 2u^2 |log x| + 13u^2", "", against_arb,
           log_error, 0.05},
          {"arith.double_double_tanh_is_within_its_bound", "|tanh~ x - tanh x| <= 40u^2 |tanh x|", "", against_arb,
           tanh_error, 0.05},
          {"arith.double_double_sin_is_within_its_bound", "|sin~ x - sin x| <= 5u^2, |x| <= 2^32", "", against_arb,
           sin_error, 0.1},
          {"arith.double_double_cos_is_within_its_bound", "|cos~ x - cos x| <= 5u^2, |x| <= 2^32", "", against_arb,
           cos_error, 0.1},
      },
      "arith.double_double_function_bounds_are_approached");
  laws.push_back(
      {.name = "arith.double_double_function_domains_are_asserted",
       .statement = "exp, log, tanh and sincos refuse what is outside their domain and are exact at 0 and in the limit",
       .checks = {{against_arb, 0, domains_are_asserted}}});
  return laws;
}

}  // namespace assay
