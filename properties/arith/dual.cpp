#include "arith/dual.hpp"

#include <vector>

#include "arith/complex.hpp"
#include "arith/prime_field.hpp"
#include "arith/rational.hpp"
#include "properties/arith/laws.hpp"

namespace assay {
namespace {

template <class K>
Check over(Outcome (*run)(Draw&)) {
  return {arithmetic_name<K>(), log2_order<K>(), run};
}

template <class K>
Outcome product_is_leibniz(Draw& draw) {
  const auto f = draw.element<Dual<K>>(), g = draw.element<Dual<K>>();
  const Dual<K> product = f * g;
  if (!(product.value == f.value * g.value)) return Outcome::fails("(f g)(x) <> f(x) g(x)");
  return product.tangent == f.tangent * g.value + f.value * g.tangent ? Outcome::holds()
                                                                      : Outcome::fails("(f g)' <> f' g + f g'");
}

template <class K>
Outcome quotient_rule_holds(Draw& draw) {
  const auto f = draw.element<Dual<K>>(), g = draw.element<Dual<K>>();
  if (g.value == K(0)) return Outcome::rejected("g = 0");
  const Dual<K> quotient = f / g;
  return quotient.tangent * g.value * g.value == f.tangent * g.value - f.value * g.tangent
             ? Outcome::holds()
             : Outcome::fails("(f/g)' g^2 <> f' g - f g'");
}

/// x^n for n in -4 ... 4: through the arithmetic of duals, and by the chain rule from n x^(n-1).
template <class K>
Outcome power_rule_holds(Draw& draw) {
  const auto x = draw.element<Dual<K>>();
  const std::int64_t n = draw.size("n + 4", 0, 8) - 4;
  if (x.value == K(0)) return Outcome::rejected("x = 0");
  const Dual<K> by_chain = chain(x, integer_power(x.value, n), K(n) * integer_power(x.value, n - 1));
  return integer_power(x, n) == by_chain ? Outcome::holds() : Outcome::fails("(x^n)' <> n x^(n-1) x'");
}

/// d/dx |z(x)|^2 = 2 Re(conj z z').
template <class K>
Outcome modulus_derivative_holds(Draw& draw) {
  const auto z = draw.element<Cx<Dual<K>>>();
  const Cx<K> value(z.re.value, z.im.value), tangent(z.re.tangent, z.im.tangent);
  return abs2(z).tangent == 2 * real(conj(value) * tangent) ? Outcome::holds()
                                                            : Outcome::fails("(|z|^2)' <> 2 Re(conj z z')");
}

}  // namespace

std::vector<Law> arith_dual_laws() {
  return {
      {.name = "arith.dual_of_product_is_leibniz",
       .statement = "(f g)' = f' g + f g'",
       .proof = Proof::by_evaluation,
       .degree = 2,
       .trials = 64,
       .checks = {over<F61>(product_is_leibniz<F61>), over<F31>(product_is_leibniz<F31>),
                  over<Cx<F61>>(product_is_leibniz<Cx<F61>>), over<Rational>(product_is_leibniz<Rational>)}},
      {.name = "arith.dual_of_quotient_is_the_quotient_rule",
       .statement = "(f/g)' g^2 = f' g - f g'",
       .proof = Proof::by_evaluation,
       .degree = 3,
       .trials = 64,
       .checks = {over<F61>(quotient_rule_holds<F61>), over<F31>(quotient_rule_holds<F31>),
                  over<Cx<F31>>(quotient_rule_holds<Cx<F31>>), over<Rational>(quotient_rule_holds<Rational>)}},
      {.name = "arith.dual_of_power_is_the_chain_rule",
       .statement = "(x^n)' = n x^(n-1) x' for n = -4 ... 4, by arithmetic and by the chain rule",
       .trials = 64,
       .checks = {over<F61>(power_rule_holds<F61>), over<F31>(power_rule_holds<F31>),
                  over<Rational>(power_rule_holds<Rational>)}},
      {.name = "arith.dual_of_modulus_takes_the_conjugate",
       .statement = "(|z|^2)' = 2 Re(conj z z')",
       .proof = Proof::by_evaluation,
       .degree = 2,
       .trials = 64,
       .checks = {over<F61>(modulus_derivative_holds<F61>), over<F31>(modulus_derivative_holds<F31>),
                  over<Rational>(modulus_derivative_holds<Rational>)}},
  };
}

}  // namespace assay
