#include "arith/multiprecision.hpp"

#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "arith/arb.hpp"
#include "arith/rational.hpp"
#include "properties/arith/draws.hpp"
#include "properties/arith/laws.hpp"

namespace assay {
namespace {

/// MPFR rounds once, to nearest, at b bits: it is within 2^-b of the value, and so, up to its radius, of Arb's ball.
template <class M>
Outcome arb_and_mpfr_agree(Draw& draw) {
  const DoubleDouble x = abs(hard_pair(draw, -20, 4)), y = hard_pair(draw, -20, 4);
  const M a = to_mpfr<M>(x), b = to_mpfr<M>(y);
  const auto bits = mpfr_get_prec(a.backend().data());
  const ArbPrecision precision(static_cast<slong>(bits));
  const Arb p(a.backend().data()), q(b.backend().data());
  struct Pair {
    std::string_view function;
    Arb ball;
    M value;
  };
  const std::array pairs = {Pair{"+", p + q, a + b},
                            Pair{"-", p - q, a - b},
                            Pair{"*", p * q, a * b},
                            Pair{"/", p / q, a / b},
                            Pair{"exp", exp(q), exp(b)},
                            Pair{"log", log(p), log(a)},
                            Pair{"sqrt", sqrt(p), sqrt(a)},
                            Pair{"sin", sin(q), sin(b)},
                            Pair{"cos", cos(q), cos(b)},
                            Pair{"tanh", tanh(q), tanh(b)},
                            Pair{"pi", Arb::pi(), boost::math::constants::pi<M>()}};
  for (const Pair& pair : pairs) {
    const Arb value(pair.value.backend().data());
    const double apart = (pair.ball - value).upper_magnitude();
    const double allowed = 2 * pair.ball.radius() + std::ldexp(value.upper_magnitude(), 1 - static_cast<int>(bits));
    if (!(apart <= allowed))
      return Outcome::fails(fmt::format("{} of {}, {}: Arb and MPFR differ by {:.3g}", pair.function, exact_text(x),
                                        exact_text(y), apart));
  }
  return Outcome::holds();
}

/// A pair goes into MPFR and back unchanged; an MPFR number comes back within 2^-106.
template <class M>
Outcome pairs_survive_conversion(Draw& draw) {
  const DoubleDouble x = hard_pair(draw, -300, 300);
  if (to_double_double(to_mpfr<M>(x)) != x) return Outcome::fails(exact_text(x) + " comes back changed");
  const M third = to_mpfr<M>(x) / 3;
  const M error = abs(to_mpfr<M>(to_double_double(third)) - third);
  return error <= abs(third) * std::ldexp(1.0, -106) ? Outcome::holds()
                                                     : Outcome::fails("a third is off by over 2^-106");
}

/// |ball - x| <= radius on rationals, for balls made from a pair and a radius.
Outcome arb_balls_contain_their_points(Draw& draw) {
  const DoubleDouble mid = hard_pair(draw, -3, 3);
  const double radius = std::abs(hard_double(draw, -80, 2));
  const Arb ball(mid, radius);
  const double inside = mid.hi + radius / 2, outside = mid.hi + 3 * radius + std::abs(mid.hi);
  if (!ball.contains(inside) && radius > std::abs(mid.hi) * 0x1p-50)
    return Outcome::fails("a point inside is not contained");
  if (ball.contains(outside)) return Outcome::fails("a point outside is contained");
  return ball.radius() >= radius && ball.mid() == mid ? Outcome::holds() : Outcome::fails("middle or radius is lost");
}

}  // namespace

std::vector<Law> arith_multiprecision_laws() {
  return {{.name = "arith.arb_and_mpfr_agree",
           .statement = "sums, products, quotients, elementary functions and pi agree to one rounding",
           .trials = 256,
           .checks = {{arithmetic_name<Mpfr50>(), 0, arb_and_mpfr_agree<Mpfr50>},
                      {arithmetic_name<Mpfr100>(), 0, arb_and_mpfr_agree<Mpfr100>}}},
          {.name = "arith.double_doubles_survive_conversion",
           .statement = "a pair in MPFR comes back unchanged, an MPFR number comes back to 2^-106",
           .trials = 256,
           .checks = {{arithmetic_name<Mpfr50>(), 0, pairs_survive_conversion<Mpfr50>},
                      {arithmetic_name<Mpfr100>(), 0, pairs_survive_conversion<Mpfr100>}}},
          {.name = "arith.arb_balls_contain_their_points",
           .statement = "a ball made from a middle and a radius keeps both and contains what lies between",
           .trials = 256,
           .checks = {{"Arb", 0, arb_balls_contain_their_points}}}};
}

}  // namespace assay
