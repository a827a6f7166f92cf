#include "arith/prime_field.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "arith/complex.hpp"
#include "arith/product_sum.hpp"
#include "properties/arith/laws.hpp"

namespace assay {
namespace {

template <class K>
Check over(Outcome (*run)(Draw&)) {
  return {arithmetic_name<K>(), log2_order<K>(), run};
}

template <class K>
Outcome axioms_hold(Draw& draw) {
  const K a = draw.element<K>(), b = draw.element<K>(), c = draw.element<K>();
  if (!(a * (b + c) == a * b + a * c)) return Outcome::fails("a (b + c) <> a b + a c");
  if (!((a * b) * c == a * (b * c))) return Outcome::fails("(a b) c <> a (b c)");
  if (!((a + b) + c == a + (b + c))) return Outcome::fails("(a + b) + c <> a + (b + c)");
  if (!(a - b == -(b - a))) return Outcome::fails("a - b <> -(b - a)");
  if (!(a * b == b * a && a + b == b + a)) return Outcome::fails("a and b do not commute");
  if (a == K(0)) return Outcome::rejected("a = 0 has no inverse");
  return b / a * a == b ? Outcome::holds() : Outcome::fails("b / a a <> b");
}

/// Representatives at the ends, at powers of two, or anywhere.
template <class F>
std::uint64_t edge_representative(Draw& draw) {
  switch (draw.below(4)) {
    case 0:
      return draw.below(3);
    case 1:
      return F::order - 1 - draw.below(3);
    case 2:
      return std::uint64_t{1} << draw.below(F::bits);
    default:
      return draw.below(F::order);
  }
}

template <class F>
Outcome equals_integer_arithmetic(Draw& draw) {
  using Integer128 = unsigned __int128;
  const std::uint64_t a = edge_representative<F>(draw), b = edge_representative<F>(draw);
  const auto check = [&](const char* operation, F got, Integer128 want) {
    return got.value() == static_cast<std::uint64_t>(want % F::order)
               ? std::string()
               : std::to_string(a) + operation + std::to_string(b) + " = " + std::to_string(got.value());
  };
  const std::array failures = {check(" + ", F(a) + F(b), Integer128{a} + b),
                               check(" - ", F(a) - F(b), Integer128{a} + F::order - b),
                               check(" * ", F(a) * F(b), Integer128{a} * b),
                               check(" reduced with ", F::reduce((Integer128{a} << 64) + b), (Integer128{a} << 64) + b),
                               check(" negated, not ", F(-static_cast<std::int64_t>(a)), F::order - a)};
  for (const std::string& failure : failures)
    if (!failure.empty()) return Outcome::fails(failure + " in " + F::arithmetic_name());
  return Outcome::holds();
}

template <class K>
Outcome lazy_dot_equals_reduced_dot(Draw& draw) {
  const auto n = static_cast<std::size_t>(draw.size("n", 0, 200));
  const bool largest = draw.below(4) == 0;
  std::vector<K> a, b;
  K sum{};
  for (std::size_t i = 0; i < n; ++i) {
    a.push_back(largest ? K(-1) : draw.element<K>());
    b.push_back(largest ? K(-1) : draw.element<K>());
    sum += conj(a.back()) * b.back();
  }
  return hermitian_dot<K>(a, b) == sum ? Outcome::holds() : Outcome::fails("lazy and reduced sums differ");
}

template <class F>
Outcome frobenius_is_conjugation(Draw& draw) {
  const auto a = draw.element<Cx<F>>(), b = draw.element<Cx<F>>();
  const auto frobenius = [](const Cx<F>& z) { return integer_power(z, static_cast<std::int64_t>(F::order)); };
  if (!(frobenius(a) == conj(a))) return Outcome::fails("z^p <> conj z");
  if (!(conj(a * b) == conj(a) * conj(b))) return Outcome::fails("conj(a b) <> conj a conj b");
  if (!(conj(a + b) == conj(a) + conj(b))) return Outcome::fails("conj(a + b) <> conj a + conj b");
  if (!(a * conj(a) == Cx<F>(abs2(a)))) return Outcome::fails("a conj a <> |a|^2");
  return conj(conj(a)) == a ? Outcome::holds() : Outcome::fails("conj conj a <> a");
}

template <class K>
Outcome zero_has_no_inverse(Draw& draw) {
  try {
    const K quotient = draw.element<K>() / K(0);
    return Outcome::fails("x / 0 gave " + std::to_string(real(quotient).value()));
  } catch (const std::domain_error& error) {
    return std::string(error.what()).starts_with("division by zero in GF(") ? Outcome::holds()
                                                                            : Outcome::fails(error.what());
  }
}

}  // namespace

std::vector<Law> arith_prime_field_laws() {
  return {
      {.name = "arith.prime_field_axioms_hold",
       .statement = "+ and * are associative, commutative, distributive; b / a a = b for a <> 0",
       .proof = Proof::by_evaluation,
       .degree = 3,
       .trials = 64,
       .checks = {over<F61>(axioms_hold<F61>), over<F31>(axioms_hold<F31>), over<Cx<F61>>(axioms_hold<Cx<F61>>),
                  over<Cx<F31>>(axioms_hold<Cx<F31>>)}},
      {.name = "arith.prime_field_equals_integer_arithmetic",
       .statement = "+ - * and reduction give the remainder of the integer result, also next to 0, p and powers of two",
       .trials = 4096,
       .checks = {over<F61>(equals_integer_arithmetic<F61>), over<F31>(equals_integer_arithmetic<F31>)}},
      {.name = "arith.lazy_dot_equals_reduced_dot",
       .statement = "sums of products reduced once in many terms equal those reduced at every term",
       .trials = 256,
       .checks = {over<F61>(lazy_dot_equals_reduced_dot<F61>), over<F31>(lazy_dot_equals_reduced_dot<F31>),
                  over<Cx<F61>>(lazy_dot_equals_reduced_dot<Cx<F61>>),
                  over<Dual<F61>>(lazy_dot_equals_reduced_dot<Dual<F61>>),
                  over<Cx<Dual<F31>>>(lazy_dot_equals_reduced_dot<Cx<Dual<F31>>>)}},
      {.name = "arith.frobenius_is_a_field_automorphism",
       .statement = "z^p = conj z, which respects sums and products and is its own inverse",
       .trials = 64,
       .checks = {over<Cx<F61>>(frobenius_is_conjugation<F61>), over<Cx<F31>>(frobenius_is_conjugation<F31>)}},
      {.name = "arith.division_by_zero_is_refused",
       .statement = "x / 0 throws and names the field",
       .checks = {over<F61>(zero_has_no_inverse<F61>), over<Cx<F31>>(zero_has_no_inverse<Cx<F31>>)}},
  };
}

}  // namespace assay
