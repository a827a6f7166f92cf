#include <vector>

#include <fmt/format.h>

#include "arith/multiprecision.hpp"
#include "properties/enumerated.hpp"
#include "properties/same.hpp"
#include "properties/sfda/laws.hpp"

/// What the stable parameterisation can and cannot reach.
namespace assay {
namespace {

/// σ(x) = 1/(1 + e^{−x}), tanh and a key over its norm: β ‖k‖² = σ < 1 for every finite logit.
Outcome stable_parameters() {
  using R = Mpfr50;
  for (int n = -100; n <= 100; ++n) {
    const R x = R(n) / 2, sigmoid = 1 / (1 + exp(-x)), angle = tanh(x);
    std::vector<R> k{R(n) + R(1) / 3, R(2), R(-n) / 7};
    R norm(0), unit(0);
    for (const R& entry : k) norm += entry * entry;
    for (const R& entry : k) unit += entry * entry / norm;
    const R strength = sigmoid * unit;
    if (!(sigmoid > 0 && sigmoid < 1 && abs(angle) < 1 && strength > 0 && strength <= 1))
      return Outcome::fails(fmt::format("logit {}", x.convert_to<double>()));
  }
  return Outcome::holds("logits -50 ... 50: 0 < sigmoid < 1, beta |k|^2 <= 1");
}

/// 1 rounds what lies within half an ulp below it: 1 − σ ≤ 2^-25; to 0 rounds what is at most half of 2^-149.
Outcome float_sigmoid() {
  using R = Mpfr50;
  const auto sigmoid = [](const R& x) { return R(1 / (1 + exp(-x))); };
  const auto rounds_to_one = [&](const R& x) { return 1 - sigmoid(x) <= ldexp(R(1), -25); };
  const auto rounds_to_zero = [&](const R& x) { return sigmoid(x) <= ldexp(R(1), -150); };
  const R hundredth = R(1) / 100;
  return all_of(
      {holds_if(rounds_to_one(1733 * hundredth) && !rounds_to_one(1732 * hundredth), "1 is not reached at 17.33"),
       holds_if(rounds_to_zero(-10398 * hundredth) && !rounds_to_zero(-10397 * hundredth),
                "0 is not reached at -103.98")});
}

}  // namespace

std::vector<Law> sfda_parameters_laws() {
  Law inside =
      enumerated("sfda.stable_parameters_stay_inside_the_bound",
                 "alpha, beta by sigmoid, theta by tanh, k over its norm: beta |k|^2 <= 1, no end point reached",
                 "[SFDA] eq. 15-18; [SFDA-notes] s3.3; SFD-058, SFD-059", "MPFR 50 digits", stable_parameters);
  inside.proof = Proof::tested;
  return {inside,
          enumerated("sfda.float32_sigmoid_reaches_its_ends",
                     "correctly rounded: 1 from x = 17.33 on (not at 17.32), 0 from -103.98 on (not at -103.97)",
                     "own, on [SFDA] eq. 15-18; SFD-059", "MPFR 50 digits", float_sigmoid)};
}

}  // namespace assay
