#include "oracle/sfda/certified_decay.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arith/multiprecision.hpp"
#include "oracle/sfda/decay_phase.hpp"
#include "problem/values.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

/// Floats: near 0, ordinary, where e^x leaves the range of doubles, and -inf.
double draw_log_alpha(Draw& draw) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::array<double, 5> sizes = {0x1p-30, 1, 32, 1024, infinity};
  const double size = sizes[draw.below(sizes.size())];
  return size == infinity ? -infinity : -size * std::abs(uniform_dyadic(draw, 23));
}

/// Floats of every size up to 2^120.
double draw_theta(Draw& draw) { return std::ldexp(uniform_dyadic(draw, 23), static_cast<int>(draw.below(141)) - 20); }

/// Reads λ of every token and compares it with MPFR; decay bounds |λ|.
Outcome within_error(Draw& draw) {
  const std::size_t steps = 4, d = 3;
  const bool complex = draw.below(2) == 0;
  const std::size_t width = complex || draw.below(2) == 0 ? d : 1;
  Matrix<double> log_alpha(steps, width), theta(complex ? steps : 0, complex ? d : 0);
  for (std::size_t t = 0; t < steps; ++t) {
    for (double& x : log_alpha.row(t)) x = draw_log_alpha(draw);
    if (complex)
      for (double& x : theta.row(t)) x = draw_theta(draw);
  }
  DeltaTokens tokens(steps, d, complex);
  set_decays(tokens, log_alpha, theta);
  for (std::size_t t = 0; t < steps; ++t)
    for (std::size_t i = 0; i < d; ++i) {
      const std::size_t at = t * tokens.stride + i;
      const auto part = [&](std::size_t plane) {
        return to_mpfr<Mpfr50>({tokens.lambda_hi.part(plane)[at], tokens.lambda_lo.part(plane)[at]});
      };
      const double exponent = log_alpha(t, width == 1 ? 0 : i), decay = tokens.norms[t].decay;
      const Cx<Mpfr50> want = polar(Mpfr50(exp(Mpfr50(exponent))), Mpfr50(complex ? theta(t, i) : 0));
      const Cx<Mpfr50> error = Cx<Mpfr50>(part(0), complex ? part(1) : Mpfr50(0)) - want;
      const double away = Mpfr50(sqrt(abs2(error))).convert_to<double>();
      if (away > tokens.lambda_error * decay + 0x1p-1020)
        return Outcome::fails(
            fmt::format("log alpha = {:a}, theta = {:a}: {:.3g} away", exponent, complex ? theta(t, i) : 0, away));
      if (abs2(want) > Mpfr50(decay) * decay)
        return Outcome::fails(fmt::format("log alpha = {:a}: |lambda| is more than {:.3g}", exponent, decay));
    }
  return Outcome::holds();
}

}  // namespace

std::vector<Law> sfda_certified_decay_laws() {
  return {{"sfda.certified_decays_are_within_their_error",
           "|computed - alpha e^(i theta)| <= error, |lambda| <= decay: theta up to 2^120, log alpha down to -inf",
           "[SFDA] eq. 13",
           Proof::tested,
           0,
           500,
           {{"MPFR, 50 digits", 0, [](Draw& draw) { return try_once([&] { return within_error(draw); }); }}}}};
}

}  // namespace assay
