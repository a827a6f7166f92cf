#include "oracle/sfda/transition_norms.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "oracle/sfda/certified_decay.hpp"
#include "oracle/sfda/token_update.hpp"
#include "problem/values.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;
using K = Cx<double>;

/// Keys near length 1, beta one of 1, 2, 2.1 and 30, decays 1 or close to it; real or complex.
DeltaTokens draw_tokens(Draw& draw, std::size_t steps, std::size_t d, bool complex) {
  DeltaTokens tokens(steps, d, complex);
  constexpr double betas[] = {1, 2, 2.1, 30};
  const double beta = betas[draw.below(4)];
  const bool decays = draw.below(2) == 0;
  Matrix<double> log_alpha(steps, d), theta(complex ? steps : 0, complex ? d : 0);
  for (std::size_t t = 0; t < steps; ++t) {
    double square = 0;
    for (std::size_t i = 0; i < d; ++i) {
      const std::size_t at = t * tokens.stride + i;
      tokens.k.re[at] = uniform_dyadic(draw, 20);
      if (complex) tokens.k.im[at] = uniform_dyadic(draw, 20);
      square += tokens.k.re[at] * tokens.k.re[at] + (complex ? tokens.k.im[at] * tokens.k.im[at] : 0);
      if (decays) log_alpha(t, i) = -std::abs(uniform_dyadic(draw, 20));
      if (complex) theta(t, i) = 3 * uniform_dyadic(draw, 20);
    }
    tokens.norms[t].beta = square == 0 ? 1 : beta / square;
  }
  set_decays(tokens, log_alpha, theta);
  set_norms(tokens);
  return tokens;
}

Matrix<K> product(const DeltaTokens& tokens, Matrix<K> P) {
  for (std::size_t t = 0; t < tokens.steps; ++t) {
    std::vector<K> k;
    Diagonal<K> lambda;
    for (std::size_t at = t * tokens.stride; at < t * tokens.stride + tokens.features; ++at) {
      const bool complex = tokens.k.complex();
      k.emplace_back(tokens.k.re[at], complex ? tokens.k.im[at] : 0);
      lambda.lambda.emplace_back(tokens.lambda_hi.re[at], complex ? tokens.lambda_hi.im[at] : 0);
    }
    P = transition<K>(lambda, std::span<const K>(k), tokens.norms[t].beta) * P;
  }
  return P;
}

double length(const Matrix<K>& x) {
  double square = 0;
  for (std::size_t i = 0; i < x.rows(); ++i) square += abs2(x(i, 0));
  return std::sqrt(square);
}

/// |P x| / |x| after 400 rounds of x -> P* P x: at most the 2-norm, and close to it.
double norm_from_below(const Matrix<K>& P) {
  Matrix<K> x(P.cols(), 1);
  for (std::size_t i = 0; i < x.rows(); ++i) x(i, 0) = K(1.0, static_cast<double>(i) / 7);
  for (int round = 0; round < 400; ++round) {
    const double size = length(x);
    if (size == 0) return 0;
    x = K(1 / size) * x;
    x = adjoint(P) * (P * x);
  }
  return length(P * x) / length(x);
}

Outcome bounds_closely(const char* what, double bound, double below) {
  return holds_if(bound >= below * (1 - 1e-9) && bound <= below * 1.02 + 1e-9,
                  fmt::format("{}: bound {:.6g}, norm {:.6g}", what, bound, below));
}

/// Of two blocks, one after the other, and of both together.
Outcome products_are_bounded(Draw& draw) {
  const auto d = static_cast<std::size_t>(draw.size("d", 2, 6)),
             steps = static_cast<std::size_t>(draw.size("C", 1, 12));
  const bool complex = draw.below(2) == 0;
  const auto products = transition_product(d, complex);
  Matrix<K> all = identity_matrix<K>(d);
  for (int block = 0; block < 2; ++block) {
    const DeltaTokens tokens = draw_tokens(draw, steps, d, complex);
    const Outcome own =
        bounds_closely("a block", products->append(tokens), norm_from_below(product(tokens, identity_matrix<K>(d))));
    if (own.kind != Outcome::Kind::holds) return own;
    all = product(tokens, all);
  }
  return bounds_closely("two blocks", products->finish(), norm_from_below(all));
}

/// Of every token, and of the tokens up to it.
Outcome steps_are_bounded(Draw& draw) {
  const auto d = static_cast<std::size_t>(draw.size("d", 2, 6));
  DeltaTokens tokens = draw_tokens(draw, static_cast<std::size_t>(draw.size("C", 1, 32)), d, draw.below(2) == 0);
  const std::size_t kept = tokens.steps;
  Matrix<K> P = identity_matrix<K>(d);
  for (std::size_t t = 0; t < kept; ++t) {
    DeltaTokens one = tokens;
    one.steps = 1;
    for (PlanePair* const rows : {&one.k, &one.lambda_hi})
      for (std::size_t plane = 0; plane <= rows->complex(); ++plane)
        std::copy_n(rows->part(plane).begin() + static_cast<std::ptrdiff_t>(t * one.stride), d,
                    rows->part(plane).begin());
    one.norms[0] = tokens.norms[t];
    P = product(one, P);
    if (norm_from_below(product(one, identity_matrix<K>(d))) > tokens.norms[t].transition * (1 + 1e-9) ||
        norm_from_below(P) > tokens.norms[t].growth * (1 + 1e-9))
      return Outcome::fails(fmt::format("token {}: its norm is larger than the bound", t));
  }
  return holds_if(kept == 1 || tokens.norms[kept - 1].growth <= 0x1p64, "a block grows beyond 2^64");
}

}  // namespace

std::vector<Law> sfda_transition_norms_laws() {
  const auto tested = [](std::string_view name, std::string_view statement, Outcome (*run)(Draw&)) {
    return Law{
        name, statement, "[SFDA] Prop. 6.3", Proof::tested, 0, 100, {{"double", 0, [run](Draw& draw) {
                                                                        return try_once([&] { return run(draw); });
                                                                      }}}};
  };
  return {tested("sfda.norms_of_products_of_transitions_are_bounded",
                 "|A_C ... A_1| <= bound <= 1.02 |A_C ... A_1|, of a block and of two", products_are_bounded),
          tested("sfda.norms_of_transitions_are_bounded", "|A_t| and |A_t ... A_1| are at most the stated norms",
                 steps_are_bounded)};
}

}  // namespace assay
