#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "arith/multiprecision.hpp"
#include "oracle/sfda/givens.hpp"
#include "oracle/sfda/pair_blocks.hpp"
#include "oracle/sfda/stack.hpp"
#include "oracle/sfda/tied_write.hpp"
#include "properties/enumerated.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/inputs.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

template <class K>
TiedWrite<K> free_write(Source<K>& from, std::size_t d) {
  return {from.values(d, d), from.values(d, d), from.values(d, 1)};
}

/// Columns x with k* G̃ x = 0: free but for the last coordinate, which the equation gives.
template <class K>
Matrix<K> protected_states(Source<K>& from, const TiedWrite<K>& t, std::size_t n) {
  const Matrix<K> row = adjoint(t.k) * t.G;
  const std::size_t d = row.cols();
  if (has_no_inverse(row(0, d - 1))) throw ZeroDenominator("k* G x does not depend on the last coordinate");
  Matrix<K> x = from.values(d, n);
  for (std::size_t j = 0; j < n; ++j) {
    K sum(0);
    for (std::size_t i = 0; i + 1 < d; ++i) sum = sum + row(0, i) * x(i, j);
    x(d - 1, j) = -sum / row(0, d - 1);
  }
  return x;
}

Law compiles() {
  return complex_generic_identity(
      "sfda.a_routed_tied_write_is_a_free_write_on_protected_states",
      "G = R G', w = R k, k* G' x = 0: R [(I - k k*) G' x + k r] = G x + w r, for columns x, a row r and any norm of k",
      "[SFDA] Thm F.2; [SFDA-notes] s3.5; SFD-081", 24, 8, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 2, 5), n = from.size("n", 1, 3);
        const TiedWrite<K> t = free_write(from, d);
        const Matrix<K> x = protected_states(from, t, n), r = from.values(1, n);
        return all_of({same("exposed", exposed(t, x), Matrix<K>(1, n)),
                       same("x", routed(t, x, r), decoupled(t.wanted_control(), t.wanted_direction(), x, r))});
      });
}

Law error_without_protection() {
  return complex_identity("sfda.an_unprotected_write_loses_what_it_erases",
                          "R [(I - k k*) G' x + k r] = G x + w r - w (k* G' x) for every x",
                          "own, on [SFDA] Thm F.2; SFD-082", 7, 8, []<class K>(Source<K>& from) {
                            const std::size_t d = from.size("d", 1, 4), n = from.size("n", 1, 3);
                            const TiedWrite<K> t = free_write(from, d);
                            const Matrix<K> x = from.values(d, n), r = from.values(1, n), w = t.wanted_direction();
                            return same("x", routed(t, x, r),
                                        decoupled(t.wanted_control(), w, x, r) - w * exposed(t, x));
                          });
}

Law each_condition() {
  return complex_generic_identity(
      "sfda.each_condition_of_the_compilation_is_needed",
      "G != R G', or w != R k, or k* G' x != 0: three states that the tied write does not reach",
      "[SFDA] Thm F.2; [SFDA-notes] s3.5; SFD-081, SFD-082", 24, 4, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 2, 4);
        const TiedWrite<K> t = free_write(from, d);
        const Matrix<K> x = protected_states(from, t, 1), r = from.values(1, 1), other = from.values(d, 1);
        const Matrix<K> G = t.wanted_control(), w = t.wanted_direction();
        return all_of({differs("G is not R G'", routed(t, x, r), decoupled(from.values(d, d), w, x, r)),
                       differs("w is not R k", routed(t, x, r), decoupled(G, from.values(d, 1), x, r)),
                       differs("not protected", routed(t, other, r), decoupled(G, w, other, r))});
      });
}

Law direction_alone() {
  return settled<Rational>(
      "sfda.a_reachable_direction_alone_compiles_nothing",
      "R = G' = I, k = w = e_1, x = e_1, r = 0: the write returns 0, not x", "[SFDA-notes] s3.5; SFD-083",
      []<class K>(Source<K>&) {
        const Matrix<K> I = identity_matrix<K>(2), e = column<K>(unit_vector<K>(2, 0)), r(1, 1);
        const TiedWrite<K> t{I, I, e};
        return all_of({same("w", t.wanted_direction(), e), same("got", routed(t, e, r), Matrix<K>(2, 1)),
                       same("wanted", decoupled(I, e, e, r), e)});
      });
}

/// x_0 = 0 is protected, but the write itself leaves the protected states.
Law closed_under_the_update() {
  return settled<Rational>(
      "sfda.protection_must_survive_the_update",
      "R = G' = I, k = w = e_1, r = 1 from 0: the first step is right, the second returns 1, not 2",
      "own, on [SFDA] Thm F.2; [SFDA-notes] s3.5; SFD-084", []<class K>(Source<K>&) {
        const Matrix<K> I = identity_matrix<K>(1), one(1, 1, K(1)), zero(1, 1);
        const TiedWrite<K> t{I, I, one};
        const Matrix<K> first = routed(t, zero, one), second = routed(t, first, one);
        return all_of({same("exposed at first", exposed(t, zero), zero), same("first", first, one),
                       differs("exposed then", exposed(t, first), zero), same("second", second, one),
                       same("wanted", decoupled(I, one, first, one), Matrix<K>(1, 1, K(2)))});
      });
}

Law fixed_pairs() {
  return identity(
      "sfda.rotations_of_fixed_pairs_keep_each_pair_to_itself",
      "any product of block rotations: x^2 + y^2 of every pair is unchanged; from e_1, e_3 stays out of reach",
      "[SFDA] s4.2; [SFDA-notes] s3.5; SFD-085", 4 * 4 + 2, 8, []<class K>(Source<K>& from) {
        const std::size_t pairs = from.size("pairs", 2, 4), n = from.size("n", 0, 4), d = 2 * pairs;
        auto product = PairBlocks<K>::identity(d);
        for (std::size_t t = 0; t < n; ++t) {
          auto step = PairBlocks<K>::identity(d);
          for (auto& block : step.blocks) block = rotation(from.angle());
          product = step * product;
        }
        const Matrix<K> x = from.values(d, 1), y = product.times(x);
        const Matrix<K> from_e1 = product.times(column<K>(unit_vector<K>(d, 0)));
        const auto square = [](const Matrix<K>& v, std::size_t p) {
          return K(v(2 * p, 0) * v(2 * p, 0) + v(2 * p + 1, 0) * v(2 * p + 1, 0));
        };
        FirstFailure found;
        found.note(same("first pair of e_1", square(from_e1, 0), K(1)));
        for (std::size_t p = 0; p < pairs; ++p) {
          found.note(same("pair", square(y, p), square(x, p)));
          if (p == 0) continue;
          found.note(same("x of another pair", from_e1(2 * p, 0), K(0)));
          found.note(same("y of another pair", from_e1(2 * p + 1, 0), K(0)));
        }
        return found.outcome();
      });
}

/// A unit vector as the coordinates of d − 1 angles, and what is left of the norm from each coordinate on.
template <class K>
struct Spherical {
  std::vector<K> w, left;
};

template <class K>
Spherical<K> spherical(Source<K>& from, std::size_t d) {
  Spherical<K> result;
  K left(1);
  for (std::size_t i = 0; i + 1 < d; ++i) {
    const CircleAngle<K> angle = from.angle();
    result.w.push_back(left * angle.cosine);
    left = left * angle.sine;
    result.left.push_back(left);
  }
  result.w.push_back(left);
  return result;
}

/// Unit vectors whose tails have known roots: w_i = s_1 … s_{i−1} c_i.
Law givens_routes() {
  return generic_identity(
      "sfda.d_less_one_givens_rotations_reach_every_unit_vector",
      "from e_1, rotation i in the plane (i, i + 1) leaves w_i behind: w after d - 1; d = 1 reaches e_1 alone",
      "[SFDA] App. F.5; [SFDA-notes] s3.5; SFD-086", 200, 8, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 1, 6);
        const Spherical<K> target = spherical(from, d);
        const auto norm = [&](std::span<const K> tail) { return target.left[d - tail.size() - 1]; };
        std::vector<K> x = unit_vector<K>(d, 0);
        const auto steps = routing<K>(target.w, norm);
        FirstFailure found;
        for (const Givens<K>& step : steps) {
          const CircleAngle<K>& a = step.angle;
          found.note(same("c^2 + s^2", K(a.cosine * a.cosine + a.sine * a.sine), K(1)));
          x = rotated(x, step);
        }
        const std::vector<K> minus{K(-1)};
        return all_of({found.outcome(), same("w", x, target.w),
                       holds_if(steps.size() < std::max<std::size_t>(d, 1), "too many steps"),
                       refused("a plane of one coordinate",
                               [&] {
                                 rotated(minus, Givens<K>{0, 0, {}});
                               }),
                       refused("d = 1, w = -1", [&] { routing<K>(minus, norm); })});
      });
}

/// Vectors of double-precision integers, normalised in 50 digits; zeros at their ends included.
Outcome givens_in_digits() {
  using R = Mpfr50;
  Draw draw(1, "sfda.givens_in_digits", 0);
  const R tolerance = R(1) / R(std::int64_t{1} << 62) / R(std::int64_t{1} << 62);
  R worst(0);
  for (std::size_t d = 2; d <= 12; ++d)
    for (std::size_t zeros = 0; zeros < d; ++zeros) {
      std::vector<R> w(d, R(0));
      const auto norm = [](std::span<const R> x) {
        R sum(0);
        for (const R& entry : x) sum = sum + entry * entry;
        return R(sqrt(sum));
      };
      for (std::size_t i = 0; i < d - zeros; ++i)
        w[i] = R(static_cast<std::int64_t>(draw.below(2001)) - 1000) + R(1) / 2;
      const R length = norm(w);
      for (R& entry : w) entry = entry / length;
      std::vector<R> x = unit_vector<R>(d, 0);
      for (const Givens<R>& step : routing<R>(w, norm)) x = rotated(x, step);
      for (std::size_t i = 0; i < d; ++i) worst = std::max(worst, R(abs(x[i] - w[i])));
    }
  return holds_if(worst < tolerance, fmt::format("off by {:.1e}", worst.convert_to<double>()));
}

/// A rotation in the plane (i, j) can give at most one of the two a support that it lacked: supports as bit sets.
Outcome givens_supports() {
  for (std::size_t d = 1; d <= 6; ++d) {
    std::set<std::size_t> reached{1};
    for (std::size_t step = 0; step + 2 <= d; ++step) {
      std::set<std::size_t> next = reached;
      for (const std::size_t support : reached)
        for (std::size_t i = 0; i < d; ++i)
          for (std::size_t j = 0; j < i; ++j)
            if ((support >> i & 1) != 0 || (support >> j & 1) != 0)
              next.insert(support | std::size_t{1} << i | std::size_t{1} << j);
      if (reached.contains((std::size_t{1} << d) - 1))
        return Outcome::fails(fmt::format("d = {}: {} steps fill", d, step));
      reached = next;
    }
    if (!reached.contains((std::size_t{1} << d) - 1)) return Outcome::fails(fmt::format("d = {}: not filled", d));
  }
  return Outcome::holds();
}

}  // namespace

std::vector<Law> sfda_routing_laws() {
  Law digits = enumerated("sfda.givens_routing_reaches_vectors_in_fifty_digits",
                          "d = 2 ... 12, random unit vectors, 0 to d - 1 zeros at their ends: off by less than 2^-124",
                          "[SFDA] App. F.5; SFD-086", "MPFR 50 digits", givens_in_digits);
  digits.proof = Proof::tested;
  return {compiles(),
          error_without_protection(),
          each_condition(),
          direction_alone(),
          closed_under_the_update(),
          fixed_pairs(),
          givens_routes(),
          digits,
          enumerated("sfda.fewer_than_d_less_one_givens_rotations_leave_a_coordinate_empty",
                     "d = 1 ... 6: d - 2 rotations of any pairs never fill all coordinates, d - 1 can", "own; SFD-086",
                     "subsets", givens_supports)};
}

}  // namespace assay
