#include "arith/ball.hpp"

#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "arith/arb.hpp"
#include "arith/complex.hpp"
#include "arith/rational.hpp"
#include "properties/arith/draws.hpp"
#include "properties/arith/laws.hpp"
#include "properties/refuses.hpp"

namespace assay {
namespace {

/// A ball and a number in it, often at its very end.
struct Member {
  Ball ball;
  Rational number;
};

Member draw_member(Draw& draw) {
  const DoubleDouble mid = hard_pair(draw, -3, 3);
  const double radius = draw.below(4) ? std::abs(hard_double(draw, -110, -2)) : 0;
  const Rational offset = Rational(radius) * static_cast<int>(draw.below(3)) - Rational(radius);
  return {Ball(mid, radius), exact(mid) + offset};
}

bool contains(const Ball& ball, const Rational& x) { return abs(x - exact(ball.mid())) <= Rational(ball.radius()); }

/// A random expression of a few operations, on balls and on rationals side by side.
Outcome contains_the_exact_result(Draw& draw) {
  std::vector<Member> values = {draw_member(draw), draw_member(draw), draw_member(draw)};
  const auto operations = draw.size("operations", 1, 6);
  for (std::int64_t i = 0; i < operations; ++i) {
    const Member& a = values[draw.below(values.size())];
    const Member& b = values[draw.below(values.size())];
    const auto operation = draw.below(4);
    if (operation == 3 && !(b.ball.lower_magnitude() > 0)) return Outcome::rejected("the divisor contains zero");
    const Member result = operation == 0   ? Member{a.ball + b.ball, a.number + b.number}
                          : operation == 1 ? Member{a.ball - b.ball, a.number - b.number}
                          : operation == 2 ? Member{a.ball * b.ball, a.number * b.number}
                                           : Member{a.ball / b.ball, a.number / b.number};
    if (!contains(result.ball, result.number))
      return Outcome::fails(fmt::format("operation {} leaves the ball {} +- {:a}", operation,
                                        exact_text(result.ball.mid()), result.ball.radius()));
    values.push_back(result);
  }
  return Outcome::holds();
}

Outcome contains_square_root(Draw& draw) {
  const Member x = draw_member(draw);
  if (!(x.ball.mid() > 0 && x.ball.lower_magnitude() > 0)) return Outcome::rejected("reaches below zero");
  const Ball root = sqrt(x.ball);
  const Rational low = exact(root.mid()) - Rational(root.radius()), high = exact(root.mid()) + Rational(root.radius());
  return (low < 0 || low * low <= x.number) && x.number <= high * high ? Outcome::holds()
                                                                       : Outcome::fails("sqrt leaves the ball");
}

/// Both ends of the ball go through Arb.
Outcome contains_function_values(Draw& draw) {
  const Ball x(hard_pair(draw, -10, 3), std::abs(hard_double(draw, -110, 1)));
  const bool positive = x.mid() > 0 && x.lower_magnitude() > 0;
  for (const double side : {-1.0, 0.0, 1.0}) {
    const Arb point = Arb(x.mid()) + Arb(side) * Arb(x.radius());
    const auto outside = [&](const Ball& ball, const Arb& want) {
      return certainly_less(Arb(ball.radius()), abs(want - Arb(ball.mid())));
    };
    if (outside(exp(x), exp(point))) return Outcome::fails("exp leaves the ball");
    if (positive && outside(log(x), log(point))) return Outcome::fails("log leaves the ball");
    if (outside(sin(x), sin(point))) return Outcome::fails("sin leaves the ball");
    if (outside(cos(x), cos(point))) return Outcome::fails("cos leaves the ball");
    if (outside(tanh(x), tanh(point))) return Outcome::fails("tanh leaves the ball");
  }
  return Outcome::holds();
}

Outcome complex_product_contains_the_exact_one(Draw& draw) {
  const Member a = draw_member(draw), b = draw_member(draw), c = draw_member(draw), d = draw_member(draw);
  const Cx<Ball> product = Cx<Ball>(a.ball, b.ball) * conj(Cx<Ball>(c.ball, d.ball));
  const Cx<Rational> want = GaussianRational(a.number, b.number) * conj(GaussianRational(c.number, d.number));
  return contains(product.re, want.re) && contains(product.im, want.im) ? Outcome::holds()
                                                                        : Outcome::fails("a conj b leaves the ball");
}

Outcome zero_is_refused(Draw& draw) {
  const double radius = std::abs(hard_double(draw, -100, 2));
  const Ball around_zero(radius / 2, radius);
  if (!refuses([&] { return Ball(1) / around_zero; }))
    return Outcome::fails("a divisor that contains zero is accepted");
  if (!refuses([&] { return sqrt(around_zero); })) return Outcome::fails("a root of a negative number is accepted");
  if (!refuses([&] { return Ball(DoubleDouble(1), -radius); })) return Outcome::fails("a negative radius is accepted");
  return certainly_less(Ball(0), around_zero) ? Outcome::fails("0 is certainly less than a ball around it")
                                              : Outcome::holds();
}

constexpr std::string_view against_rationals = "balls against Q", against_arb = "balls against Arb";

}  // namespace

std::vector<Law> arith_ball_laws() {
  return {{.name = "arith.ball_contains_the_exact_result",
           .statement = "up to six operations on balls enclose the same operations on any of their points",
           .trials = 4096,
           .checks = {{against_rationals, 0, contains_the_exact_result}}},
          {.name = "arith.ball_contains_the_exact_square_root",
           .statement = "sqrt of a ball encloses sqrt of its points",
           .trials = 1024,
           .checks = {{against_rationals, 0, contains_square_root}}},
          {.name = "arith.ball_contains_exact_function_values",
           .statement = "exp, log, sin, cos and tanh of a ball enclose their values at its middle and its ends",
           .trials = 1024,
           .checks = {{against_arb, 0, contains_function_values}}},
          {.name = "arith.complex_ball_contains_the_exact_product",
           .statement = "a conj b of complex balls encloses that of their points",
           .trials = 1024,
           .checks = {{against_rationals, 0, complex_product_contains_the_exact_one}}},
          {.name = "arith.ball_refuses_what_it_cannot_enclose",
           .statement = "a quotient by zero, a root of a negative number and a negative radius throw",
           .trials = 64,
           .checks = {{against_rationals, 0, zero_is_refused}}}};
}

}  // namespace assay
