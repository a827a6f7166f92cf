#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arith/ball.hpp"
#include "oracle/sas/streaming.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/laws.hpp"

// Formulas over real scores, with exp and log, against the same formulas over powers, with products and quotients. Both
// enclose one number, so their balls meet.

namespace assay {
namespace {

using namespace sas;

bool meet(const Ball& x, const Ball& y) { return (x - y).lower_magnitude() == 0; }

Outcome same_ball(std::string_view name, const Ball& got, const Ball& want) {
  return holds_if(meet(got, want), std::string(name) + " = " + text_of(got) + ", want " + text_of(want));
}

/// One query by its powers, and by their logarithms.
struct TwoForms {
  Query<Logarithm<Ball>> powers;
  Query<Ball> reals;

  TwoForms(Source<Rational>& from, const QueryPlace& place) : powers{place, {}, {}}, reals{place, {}, {}} {
    const auto draw = [&](std::vector<Logarithm<Ball>>& known, std::vector<Ball>& score, std::size_t n) {
      for (std::size_t i = 0; i < n; ++i) {
        known.push_back({Ball(1 + from.below(1000)) / Ball(1 + from.below(1000))});
        score.push_back(log(known.back().power));
      }
    };
    draw(powers.z, reals.z, place.visible());
    draw(powers.s, reals.s, place.history());
  }
};

Law one_attention() {
  return {"sas.real_scores_and_their_powers_attend_alike",
          "o and LSE with exp and log of real scores = those with their powers: at once, by tiles and in merged parts; "
          "2 log g differs",
          "[SAS] eq. 4, 6, 9, alg. 3",
          Proof::tested,
          0,
          24,
          {check_over<Rational>([](Source<Rational>& from) {
            const QueryPlace place = drawn_place(from, 2, 4);
            const TwoForms x(from, place);
            const BlockSet selected{0};
            GateRule rule;
            rule.normalisation = static_cast<Normalisation>(from.size("normalisation", 0, 2));
            rule.position = from.size("outer", 0, 1) == 0 ? GatePosition::inner : GatePosition::outer;
            Matrix<Ball> v(place.visible(), 1);
            for (std::size_t i = 0; i < v.rows(); ++i) v(i, 0) = Ball(static_cast<std::int64_t>(from.below(17)) - 8);
            const auto terms = training_terms(x.reals, selected, rule);
            const auto want = attention(training_terms(x.powers, selected, rule), v);
            const auto got = attention(terms, v);
            const auto tiles = streamed(terms, v, 2);
            const std::vector<Attention<Ball>> parts{attention(tile_of(terms, 0, place.current_begin()), v),
                                                     attention(tile_of(terms, place.current_begin(), v.rows()), v)};
            const auto whole = merged(std::span<const Attention<Ball>>(parts));
            auto twice = terms;
            const Ball bias = log_gates(std::span<const Ball>(x.reals.s))[0];
            for (auto& term : twice)
              if (term.token < place.current_begin()) term.logit = term.logit + bias;
            FirstFailure found;
            for (const auto& result : {got, tiles, whole}) {
              found.note(same_ball("o", result.o[0], want.o[0]));
              found.note(same_ball("e^L", exp(result.lse), want.lse.power));
            }
            found.note(holds_if(!meet(exp(attention(twice, v).lse), want.lse.power), "2 log g gives the same"));
            return found.outcome();
          })}};
}

}  // namespace

std::vector<Law> sas_real_scores_laws() { return {one_attention()}; }

}  // namespace assay
