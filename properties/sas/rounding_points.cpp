#include <cmath>
#include <cstddef>
#include <ostream>
#include <span>
#include <vector>

#include "arith/ball.hpp"
#include "oracle/sas/streaming.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/laws.hpp"

// The formulas where the points of a Steps policy do something: the points are those that the error statements name,
// and in float32 the results are within the error that they add up to.

namespace assay {
namespace {

using namespace sas;

struct Count {
  std::size_t elementary = 0, product = 0, accumulate = 0, weights = 0, output = 0;

  friend bool operator==(const Count&, const Count&) = default;
  friend Count operator+(const Count& x, const Count& y) {
    return {x.elementary + y.elementary, x.product + y.product, x.accumulate + y.accumulate, x.weights + y.weights,
            x.output + y.output};
  }
  friend std::ostream& operator<<(std::ostream& out, const Count& c) {
    return out << c.elementary << " elementary, " << c.product << " product, " << c.accumulate << " accumulate, "
               << c.weights << " weights, " << c.output << " output";
  }
};

/// Counts how often each point is passed.
struct CountingSteps {
  Count* count;

  static double input(double x) { return x; }
  static double dot(double x) { return x; }
  static double state(double x) { return x; }
  double elementary(double x) const { return passed(count->elementary, x); }
  double product(double x) const { return passed(count->product, x); }
  double accumulate(double x) const { return passed(count->accumulate, x); }
  double weights(double x) const { return passed(count->weights, x); }
  double output(double x) const { return passed(count->output, x); }

 private:
  static double passed(std::size_t& times, double x) {
    ++times;
    return x;
  }
};

template <class Run>
Count counted(Run run) {
  Count count;
  run(CountingSteps{&count});
  return count;
}

Count of_lse(std::size_t n) { return {.elementary = n + 1, .accumulate = 2 * n + 1}; }
Count of_gates(std::size_t C) { return C == 0 ? Count{} : of_lse(C) + Count{.accumulate = C}; }

/// One query with scores and logits as logarithms of small fractions, and values of small integers.
template <class Z>
struct RealQuery {
  Query<Z> x;
  Matrix<Z> v;
};
RealQuery<double> drawn_real_query(Source<Rational>& from, const QueryPlace& place) {
  const auto score = [&from] { return std::log((1.0 + double(from.below(1000))) / (1.0 + double(from.below(1000)))); };
  RealQuery<double> real{{place, {}, {}}, Matrix<double>(place.visible(), 2)};
  while (real.x.z.size() < place.visible()) real.x.z.push_back(score());
  while (real.x.s.size() < place.history()) real.x.s.push_back(score());
  for (std::size_t i = 0; i < place.visible(); ++i)
    for (double& entry : real.v.row(i)) entry = double(from.below(17)) - 8;
  return real;
}

/// Over the tokens two by two.
template <class Z>
std::vector<Attention<Z>> in_parts(const std::vector<Term<Z>>& terms, const Matrix<Z>& v) {
  std::vector<Attention<Z>> parts;
  for (std::size_t begin = 0; begin < v.rows(); begin += 2)
    if (const auto part = tile_of(terms, begin, begin + 2); !part.empty()) parts.push_back(attention(part, v));
  return parts;
}

Law points() {
  return {
      "sas.formulas_pass_the_points_that_their_error_statements_name",
      "LSE: 2 n + 1 sums, n + 1 functions; gates, terms, attention at once, by tiles and merged alike",
      "[SAS] eq. 4, 6, 9, alg. 3",
      Proof::tested,
      0,
      16,
      {check_over<Rational>([](Source<Rational>& from) {
        const QueryPlace place = drawn_place(from);
        const auto real = drawn_real_query(from, place);
        const BlockSet all = all_blocks(place.history());
        const std::size_t C = place.history(), n = place.visible(), history = place.current_begin(), dv = 2;
        const auto terms = training_terms(real.x, all);
        const std::size_t tile = from.size("tile", 1, 4), tiles = (n + tile - 1) / tile;
        const auto parts = in_parts(terms, real.v);
        const GateRule outer{.position = GatePosition::outer};
        FirstFailure found;
        found.note(same("gates", counted([&](auto st) { gates(std::span<const double>(real.x.s), {}, st); }),
                        of_gates(C) + Count{.elementary = C}));
        found.note(same("inner terms", counted([&](auto st) { training_terms(real.x, all, {}, st); }),
                        of_gates(C) + Count{.accumulate = history}));
        found.note(same("outer terms", counted([&](auto st) { training_terms(real.x, all, outer, st); }),
                        of_gates(C) + Count{.elementary = history}));
        found.note(same(
            "attention", counted([&](auto st) { attention(terms, real.v, st); }),
            of_lse(n) +
                Count{.elementary = n, .product = n * dv, .accumulate = n + n * dv, .weights = 2 * n, .output = dv}));
        found.note(same("tiles", counted([&](auto st) { streamed(terms, real.v, tile, st); }),
                        Count{.elementary = tiles - 1 + n + 1,
                              .product = (tiles - 1) * (1 + dv) + n * dv,
                              .accumulate = tiles - 1 + n * (2 + dv) + 1,
                              .weights = n,
                              .output = dv}));
        const std::size_t P = parts.size();
        found.note(
            same("merged", counted([&](auto st) { merged(std::span<const Attention<double>>(parts), st); }),
                 of_lse(P) +
                     Count{.elementary = P, .product = P * dv, .accumulate = P + P * dv, .weights = P, .output = dv}));
        return found.outcome();
      })}};
}

template <class Z, class From>
RealQuery<Z> in(const RealQuery<From>& real) {
  RealQuery<Z> result{{real.x.place, {}, {}}, Matrix<Z>(real.v.rows(), real.v.cols())};
  for (const From& z : real.x.z) result.x.z.push_back(Z(z));
  for (const From& s : real.x.s) result.x.s.push_back(Z(s));
  for (std::size_t i = 0; i < real.v.rows(); ++i)
    for (std::size_t j = 0; j < real.v.cols(); ++j) result.v(i, j) = Z(real.v(i, j));
  return result;
}

/// Every log is below M = 64 in size: |z|, |s| < 7, LSE < 7 + log n, log g > -16, logits > -23, differences below 46.
/// In units of u = 2^-24, functions off by 2: an LSE of n adds 3 M + 2 (n + 2), log g M more, a logit M more; a weight
/// e^{x - L} takes the error of x twice; a tile rescales by a difference, a function and a product.
double units_of_output(std::size_t n, std::size_t C, std::size_t tiles) {
  const double M = 64, lse_of_n = 3 * M + 2 * (double(n) + 2), lse_of_C = 3 * M + 2 * (double(C) + 2);
  const double logit = lse_of_C + 2 * M, factor = lse_of_C + M + 2, rescaled = double(tiles) * (M + 3);
  return 2 * logit + lse_of_n + M + factor + 2 * rescaled + 2 * double(n) + 8;
}

Law in_float32() {
  return {"sas.float32_attention_errs_by_no_more_than_its_steps_add_up_to",
          "o at once, by tiles and merged, gates inside and outside: |o - exact| <= 2 u (units) sum p |f v|",
          "[SAS] eq. 4, 9, alg. 3",
          Proof::tested,
          0,
          24,
          {check_over<Rational>([](Source<Rational>& from) {
            const QueryPlace place = drawn_place(from);
            const auto real = in<float>(drawn_real_query(from, place));
            const auto truth = in<Ball>(in<double>(real));
            BlockSet selected = drawn_blocks(from, place.history());
            GateRule rule;
            rule.position = from.size("outer", 0, 1) == 0 ? GatePosition::inner : GatePosition::outer;
            rule.normalisation = static_cast<Normalisation>(from.size("normalisation", 0, 2));
            const auto terms = training_terms(real.x, selected, rule);
            const auto exact = training_terms(truth.x, selected, rule);
            Matrix<Ball> sizes = truth.v;
            for (std::size_t i = 0; i < sizes.rows(); ++i)
              for (std::size_t j = 0; j < sizes.cols(); ++j) sizes(i, j) = Ball(std::abs(double(real.v(i, j))));
            const auto want = attention(exact, truth.v), size = attention(exact, sizes);
            const std::size_t n = real.v.rows();
            const auto parts = in_parts(terms, real.v);
            const double units = units_of_output(n, place.history(), n);
            FirstFailure found;
            for (const auto& got : {attention(terms, real.v), streamed(terms, real.v, 2),
                                    merged(std::span<const Attention<float>>(parts))})
              for (std::size_t j = 0; j < got.o.size(); ++j) {
                const double apart = (Ball(double(got.o[j])) - want.o[j]).lower_magnitude();
                const double bound = 2 * 0x1p-24 * units * size.o[j].upper_magnitude();
                found.note(holds_if(apart <= bound, "o is off by " + text_of(apart) + ", bound " + text_of(bound)));
              }
            return found.outcome();
          })}};
}

}  // namespace

std::vector<Law> sas_rounding_points_laws() { return {points(), in_float32()}; }

}  // namespace assay
