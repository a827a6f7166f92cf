#include "arith/cyclic_ring.hpp"

#include <stdexcept>
#include <vector>

#include "arith/integer_power.hpp"
#include "arith/prime_field.hpp"
#include "properties/arith/laws.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

/// An element of GF(2^31 − 1) of order M, for M a divisor of 2^31 − 2.
template <unsigned M>
F31 root_of_unity(Draw& draw) {
  for (;;) {
    const F31 x = draw.element<F31>();
    if (x == F31(0)) continue;
    const F31 root = integer_power(x, static_cast<std::int64_t>((F31::order - 1) / M));
    unsigned order = 1;
    for (F31 power = root; !(power == F31(1)); power = power * root) ++order;
    if (order == M) return root;
  }
}

/// a at x = root.
template <unsigned M>
F31 evaluated(const CyclicRing<M>& a, const F31& root) {
  F31 sum(0);
  for (unsigned n = 0; n < M; ++n) sum = sum + F31(a.coefficient(n)) * integer_power(root, n);
  return sum;
}

template <unsigned M>
CyclicRing<M> element(Draw& draw) {
  CyclicRing<M> a;
  for (unsigned n = 0; n < M; ++n)
    a = a + CyclicRing<M>(static_cast<std::int64_t>(draw.below(2001)) - 1000) * CyclicRing<M>::root(n);
  return a;
}

template <unsigned M>
Outcome evaluates(Draw& draw) {
  const F31 root = root_of_unity<M>(draw);
  const auto a = element<M>(draw), b = element<M>(draw);
  const auto at = [&](const CyclicRing<M>& x) { return evaluated(x, root); };
  return all_of({same("sum", at(a + b), at(a) + at(b)), same("difference", at(a - b), at(a) - at(b)),
                 same("product", at(a * b), at(a) * at(b)), same("negative", at(-a), -at(a)),
                 same("conjugate", at(conj(a)), evaluated(a, F31(1) / root)),
                 same("x", at(CyclicRing<M>::root(1)), root)});
}

template <unsigned M>
Outcome has_units(Draw& draw) {
  using Ring = CyclicRing<M>;
  const auto a = element<M>(draw);
  const auto n = static_cast<std::int64_t>(draw.below(4 * M)) - 2 * std::int64_t{M};
  const auto stops = [](auto call) {
    try {
      call();
    } catch (const std::exception&) {
      return Outcome::holds();
    }
    return Outcome::fails("no exception");
  };
  const Ring large(std::int64_t{1} << 62);
  return all_of({same("a x^n / x^n", a * Ring::root(n) / Ring::root(n), a),
                 same("a / -x^n", a / -Ring::root(n), -(a * Ring::root(-n))),
                 same("x^n x^-n", Ring::root(n) * Ring::root(-n), Ring(1)), stops([&] { a / Ring(2); }),
                 stops([&] { large + large; }), stops([&] { large* large; })});
}

template <unsigned... Orders>
std::vector<Check> for_orders(auto run) {
  return {Check{arithmetic_name<CyclicRing<Orders>>(), log2_order<F31>(),
                [run](Draw& draw) { return try_once([&] { return run.template operator()<Orders>(draw); }); }}...};
}

}  // namespace

std::vector<Law> arith_cyclic_ring_laws() {
  return {
      {"arith.cyclic_ring_evaluates_at_every_root_of_unity",
       "x -> an element of order M of GF(2^31-1) keeps + - * and takes conj to its inverse", "", Proof::by_evaluation,
       14, 8, for_orders<1, 2, 3, 6, 7, 9>([]<unsigned M>(Draw& draw) { return evaluates<M>(draw); })},
      {"arith.cyclic_ring_divides_by_powers_of_x_alone",
       "a x^n / x^n = a for n of either sign; division by 2 and coefficients beyond 64 bits throw", "", Proof::tested,
       0, 8, for_orders<1, 2, 3, 6, 7, 9>([]<unsigned M>(Draw& draw) { return has_units<M>(draw); })}};
}

}  // namespace assay
