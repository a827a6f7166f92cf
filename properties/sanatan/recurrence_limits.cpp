#include <fmt/format.h>

#include "oracle/sanatan/attention.hpp"
#include "oracle/sanatan/features.hpp"
#include "oracle/sanatan/recurrence.hpp"
#include "oracle/sanatan/scores.hpp"
#include "properties/enumerated.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/computations.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

/// Two tokens of one dimension, d = 1, c = 4: labels 1, angles 0 and π/2, values 0 and 1.
struct TwoTokens {
  Matrix<Rational> phi, v;

  TwoTokens() : v(2, 1) {
    Encoding<Rational> x{Matrix<Rational>(2, 1), Matrix<Rational>(2, 1), Matrix<Rational>(2, 1, Rational(1))};
    x.cosine(0, 0) = 1;
    x.sine(1, 0) = 1;
    phi = features(Channels::six, x);
    v(1, 0) = 1;
  }

  /// The last row's output with weights (s / c)^p and ε.
  Rational parallel(int power, const Rational& epsilon) const {
    return attention(scores(phi, phi), v, WeightRule<Rational>{power, 4, epsilon})(1, 0);
  }

  Rational recurrent(const Rational& epsilon) const {
    return normalised(recurrence(phi, phi, v, empty_state<Rational>(6, 1)).sums, epsilon)(1, 0);
  }
};

Outcome powers() {
  const TwoTokens two;
  if (two.parallel(1, 0) != two.recurrent(0)) return Outcome::fails("the control p = 1 differs");
  for (const int power : {2, 3, 4})
    if (two.parallel(power, 0) == two.recurrent(0)) return Outcome::fails(fmt::format("p = {} does not differ", power));
  return Outcome::holds(
      fmt::format("d = 1, scores 2 and 4, values 0 and 1: the recurrence reads {}, attention is {} at "
                  "p = 2 and {} at p = 4",
                  text_of(two.recurrent(0)), text_of(two.parallel(2, 0)), text_of(two.parallel(4, 0))));
}

/// One ε in both equations, and ε scaled by c in the second.
Finding one_epsilon(const Published&) {
  const TwoTokens two;
  const Rational epsilon(1, 4);
  const Rational eq8 = two.parallel(1, epsilon), eq9 = two.recurrent(epsilon), rescaled = two.recurrent(4 * epsilon);
  const bool differ = eq8 != eq9 && eq8 == rescaled;
  return {differ ? ClaimVerdict::inconsistent : ClaimVerdict::proven,
          fmt::format("d = 1, c = 4, eps = 1/4: eq. 8 gives {}, eq. 9 with the same eps {}, with c eps {}",
                      text_of(eq8), text_of(eq9), text_of(rescaled))};
}

Finding without_epsilon(const Published&) {
  const TwoTokens two;
  const Rational with = two.recurrent(1), without = two.recurrent(0);
  return {with != without ? ClaimVerdict::inconsistent : ClaimVerdict::proven,
          fmt::format("d = 1, raw eps = 1: {} with the stabiliser, {} without", text_of(with), text_of(without))};
}

}  // namespace

std::vector<Law> sanatan_recurrence_limits_laws() {
  return {enumerated("sanatan.recurrence_differs_from_attention_for_p_above_one", "p = 1 agrees; p = 2, 3, 4 do not",
                     "[SANATAN-notes] s2.6, s2.7", "Q", powers)};
}

std::vector<Computation> sanatan_recurrence_limits_computations() {
  return {
      {"sanatan.one_epsilon_gives_two_outputs", "eq. 8 and eq. 9 with one eps", "[SANATAN-notes] s2.7", one_epsilon},
      {"sanatan.outputs_without_epsilon_differ", "the recurrence with and without eps", "[SANATAN-post]",
       without_epsilon}};
}

}  // namespace assay
