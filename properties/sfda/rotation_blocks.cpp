#include "oracle/sfda/rotation_blocks.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "oracle/sfda/pair_blocks.hpp"
#include "oracle/sfda/recurrence.hpp"
#include "problem/families.hpp"
#include "problem/operators/sfda.hpp"
#include "problem/sized_case.hpp"
#include "properties/asking_kernel.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

constexpr std::size_t longest = 4;

/// The same tokens in pairs of real dimensions, and in conjugate pairs of complex ones.
template <class R>
struct Twins {
  Tokens<R, PairBlocks<R>> real;
  Tokens<Cx<R>> complex;
  Matrix<R> real_S;
  Matrix<Cx<R>> complex_S;
};

template <class R>
Twins<R> twins(Source<R>& from, std::size_t T, std::size_t d, std::size_t dv) {
  Twins<R> x{{from.values(T, 2 * d), from.values(T, 2 * d), from.values(T, dv), {}, {}},
             {Matrix<Cx<R>>(T, 2 * d), Matrix<Cx<R>>(T, 2 * d), Matrix<Cx<R>>(T, dv), {}, {}},
             from.values(2 * d, dv),
             Matrix<Cx<R>>(2 * d, dv)};
  const R half = R(1) / R(2);
  for (std::size_t t = 0; t < T; ++t) {
    const R beta = from.values(1, 1)(0, 0);
    x.real.beta.push_back(beta);
    x.complex.beta.push_back(half * beta);
    PairBlocks<R> blocks;
    Diagonal<Cx<R>> diagonal{std::vector<Cx<R>>(2 * d, Cx<R>(0))};
    for (std::size_t i = 0; i < d; ++i) {
      const Matrix<R> lambda = from.values(1, 2);
      blocks.blocks.push_back({lambda(0, 0), -lambda(0, 1), lambda(0, 1), lambda(0, 0)});
      diagonal.lambda[i] = Cx<R>(lambda(0, 0), lambda(0, 1));
      diagonal.lambda[d + i] = conj(diagonal.lambda[i]);
      const Cx<R> k(x.real.k(t, 2 * i), x.real.k(t, 2 * i + 1)),
          q(half * x.real.q(t, 2 * i), half * x.real.q(t, 2 * i + 1));
      x.complex.k(t, i) = k;
      x.complex.k(t, d + i) = conj(k);
      x.complex.q(t, i) = q;
      x.complex.q(t, d + i) = conj(q);
    }
    x.real.lambda.push_back(std::move(blocks));
    x.complex.lambda.push_back(std::move(diagonal));
    for (std::size_t j = 0; j < dv; ++j) x.complex.v(t, j) = Cx<R>(x.real.v(t, j) + x.real.v(t, j));
  }
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < dv; ++j) {
      x.complex_S(i, j) = Cx<R>(x.real_S(2 * i, j), x.real_S(2 * i + 1, j));
      x.complex_S(d + i, j) = conj(x.complex_S(i, j));
    }
  return x;
}

Law conjugate_pairs() {
  return identity("sfda.rotation_blocks_are_a_complex_rule_in_conjugate_pairs",
                  "real keys in pairs under rotations: keys (k, conj k), Lambda (l, conj l), beta / 2, 2 v and (q, "
                  "conj q) / 2 give "
                  "the same o, and (s, conj s) for the state",
                  "own, for [SFDA-notes] s3.6; SFD-091", 3 * longest + 2, 8, []<class R>(Source<R>& from) {
                    const std::size_t T = from.size("T", 0, longest), d = from.size("d", 1, 3),
                                      dv = from.size("dv", 1, 2);
                    const Twins<R> x = twins(from, T, d, dv);
                    const auto real = recurrence(x.real, x.real_S);
                    const auto complex = recurrence(x.complex, x.complex_S);
                    FirstFailure found;
                    for (std::size_t t = 0; t < T; ++t)
                      for (std::size_t j = 0; j < dv; ++j) found.note(same("o", complex.o(t, j), Cx<R>(real.o(t, j))));
                    for (std::size_t i = 0; i < d; ++i)
                      for (std::size_t j = 0; j < dv; ++j) {
                        const Cx<R> s(real.S(2 * i, j), real.S(2 * i + 1, j));
                        found.note(same("s", complex.S(i, j), s));
                        found.note(same("conj s", complex.S(d + i, j), conj(s)));
                      }
                    return found.outcome();
                  });
}

std::int64_t up_to(Draw& draw, std::uint64_t most) { return 1 + static_cast<std::int64_t>(draw.below(most)); }

/// The definition is over blocks of two, the certified values are of the complex rule.
Outcome holds_the_definition(Draw& draw) {
  const Operator& op = operators::rotation_blocks_attention();
  const std::span<const Family> families = families_of(op);
  const Family* family = &families[draw.below(families.size())];
  while (family->standard != Standard::bound) family = &families[draw.below(families.size())];
  const CaseSize size{up_to(draw, 2), static_cast<std::int64_t>(draw.below(40)), up_to(draw, 2), up_to(draw, 6),
                      up_to(draw, 6)};
  const Case c =
      make_case(asking_kernel(op, draw.below(2) == 0 ? Format::f32 : Format::bf16), *family, draw.bits(), size);
  const References certified = certified_rotation_blocks(c), defined = rotation_blocks_by_definition(c);
  for (const auto& [name, want] : defined) {
    const Reference& got = certified.at(name);
    for (std::size_t i = 0; i < want.hi.size(); ++i) {
      const double difference = std::abs((got.hi[i] - want.hi[i]) + (got.lo[i] - want.lo[i]));
      if (!(difference <= got.radius[i] + want.radius[i]))
        return Outcome::fails(fmt::format("{} of {}, {}[{}]: {:.3g} apart, radius {:.3g}", c.family, sizes_text(c),
                                          name, i, difference, got.radius[i]));
    }
  }
  return Outcome::holds();
}

}  // namespace

std::vector<Law> sfda_rotation_blocks_laws() {
  return {
      conjugate_pairs(),
      {"sfda.certified_rotation_blocks_hold_the_definition",
       "|certified - definition| <= radius on every family: the one in conjugate pairs, the other over blocks of two",
       "[SFDA] s1, eq. 2-3; [SFDA-notes] s3.6; SFD-091",
       Proof::tested,
       0,
       100,
       {{"MPFR, 50 digits", 0, [](Draw& draw) { return try_once([&] { return holds_the_definition(draw); }); }}}}};
}

}  // namespace assay
