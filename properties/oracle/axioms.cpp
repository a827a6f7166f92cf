#include "oracle/axioms.hpp"

#include <cmath>

#include "arith/multiprecision.hpp"
#include "properties/identity.hpp"
#include "properties/oracle/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

using Real = Mpfr100;

/// n/16 for n in [−96, 96]: both signs, 0, and where tanh saturates in short formats.
Real sixteenths(Draw& draw) { return Real(draw.size("16 x + 96", 0, 192) - 96) / 16; }

/// (f(x + h) − f(x − h)) / 2h with h = 2^−100. Off f'(x) by at most h² max|f'''| / 6, and by 2^−333 / h for the
/// rounding of two values of size at most 1: together below 2^−200 for |f'''| <= 2, as sin, cos and tanh have.
template <class F>
Real difference_quotient(const F& f, const Real& x) {
  const Real h = ldexp(Real(1), -100);
  return (f(x + h) - f(x - h)) / (2 * h);
}

Outcome near(const char* name, const Real& got, const Real& want) {
  const Real error = abs(got - want);
  return holds_if(error <= ldexp(Real(1), -200), std::string(name) + " is off by " + error.str(5));
}

/// A law over MPFR at drawn points.
template <class Trial>
Law over_reals(std::string_view name, std::string_view statement, Trial trial) {
  return {name, statement, "", Proof::tested, 0, 64, {{arithmetic_name<Real>(), 0, [trial](Draw& draw) {
                                                         return try_once([&] { return trial(draw); });
                                                       }}}};
}

Law tanh_axiom() {
  return over_reals(
      "oracle.tanh_axiom_is_the_derivative_of_tanh",
      "axiom::Tanh with the value tanh(x) has the slope tanh'(x), and is odd", [](Draw& draw) {
        const Real x = sixteenths(draw);
        const auto real_tanh = [](const Real& x) { return Real(tanh(x)); };
        const axiom::Tanh<Real> at_x([&] { return real_tanh(x); });
        return all_of({near("slope", at_x(Dual<Real>(x, Real(1))).tangent, difference_quotient(real_tanh, x)),
                       near("tanh(-x)", at_x(Real(-x)), real_tanh(-x)), near("tanh(0)", at_x(Real(0)), Real(0))});
      });
}

Law turning_axiom() {
  return over_reals(
      "oracle.moving_angles_have_the_derivatives_of_cos_and_sin", "axiom::moving at rate 1: (cos', sin') = (-sin, cos)",
      [](Draw& draw) {
        const Real x = sixteenths(draw);
        const auto moved = axiom::moving(CircleAngle<Real>{Real(cos(x)), Real(sin(x))}, Real(1));
        return all_of(
            {near("cos'", moved.cosine.tangent, difference_quotient([](const Real& x) { return Real(cos(x)); }, x)),
             near("sin'", moved.sine.tangent, difference_quotient([](const Real& x) { return Real(sin(x)); }, x))});
      });
}

/// On either side of 0 both functions are linear, so a difference quotient that stays on one side is exact.
Law branches() {
  return inequality(
      "oracle.magnitude_and_positive_part_follow_their_marks",
      "sigma u = |u|, marked s = max(s, 0), and their tangents are the difference quotients on either side of 0", "",
      64, []<class K>(Source<K>& from) {
        const K x = from.nonzero(), h = (x < K(0) ? K(-x) : x) / K(2);
        const bool positive = K(0) < x;
        const auto absolute = [](const K& x) { return x < K(0) ? K(-x) : x; };
        const auto rectified = [](const K& x) { return x < K(0) ? K(0) : x; };
        const Dual<K> moving(x, K(1));
        const Dual<K> size = axiom::magnitude(positive ? 1 : -1, moving), part = axiom::positive_part(positive, moving);
        return all_of({same("|x|", size.value, absolute(x)), same("max(x, 0)", part.value, rectified(x)),
                       same("|x|'", size.tangent, K((absolute(x + h) - absolute(x - h)) / (h + h))),
                       same("max(x, 0)'", part.tangent, K((rectified(x + h) - rectified(x - h)) / (h + h)))});
      });
}

}  // namespace

std::vector<Law> oracle_axioms_laws() { return {tanh_axiom(), turning_axiom(), branches()}; }

}  // namespace assay
