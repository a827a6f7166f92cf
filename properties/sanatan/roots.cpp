#include "oracle/sanatan/roots.hpp"

#include <set>
#include <vector>

#include "oracle/axioms.hpp"
#include "oracle/sanatan/labels.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

template <class K>
Matrix<K> matrix2(const K& a, const K& b, const K& c, const K& d) {
  Matrix<K> m(2, 2);
  m(0, 0) = a;
  m(0, 1) = b;
  m(1, 0) = c;
  m(1, 1) = d;
  return m;
}

template <class K>
Matrix<K> minus_identity() {
  return K(-1) * identity_matrix<K>(2);
}

template <class K>
bool is_root(const Matrix<K>& x) {
  return x * x == minus_identity<K>();
}

template <class K>
bool is_orthogonal(const Matrix<K>& x) {
  return transpose(x) * x == identity_matrix<K>(2);
}

template <class K>
K determinant(const Matrix<K>& x) {
  return x(0, 0) * x(1, 1) - x(0, 1) * x(1, 0);
}

/// Every 2 x 2 matrix over GF(7).
template <class Visit>
void for_each_matrix_over_gf7(Visit visit) {
  using F7 = PrimeField<7>;
  for (int n = 0; n < 7 * 7 * 7 * 7; ++n) visit(matrix2(F7(n % 7), F7(n / 7 % 7), F7(n / 49 % 7), F7(n / 343)));
}

Law both_roots() {
  return settled<Rational>(
      "sanatan.both_roots_square_to_minus_identity", "i_+^2 = i_-^2 = -I, i_- = -i_+ = i_+^T, det = 1, +-90 degrees",
      "[SANATAN] s2; [SANATAN-notes] s2.1; SAN-001", []<class K>(Source<K>&) {
        const Matrix<K> plus = i_plus<K>(), minus = i_minus<K>();
        return all_of(
            {same("i_+", plus, matrix2(K(0), K(-1), K(1), K(0))), same("i_-", minus, matrix2(K(0), K(1), K(-1), K(0))),
             same("i_+^2", plus * plus, minus_identity<K>()), same("i_-^2", minus * minus, minus_identity<K>()),
             same("-i_+", K(-1) * plus, minus), same("i_+^T", transpose(plus), minus),
             same("det i_+", determinant(plus), K(1)), same("det i_-", determinant(minus), K(1))});
      });
}

/// X^2 = -I and X^T X = I give X^T = -X, so X = c i_+ with c^2 = 1. The circle points below are all of O(2): rotations
/// satisfy X^2 = 2cX - I, so only c = 0 is left; reflections satisfy X^2 = I.
Law orthogonal_roots() {
  const std::uint32_t degree = 4;  // two circle coordinates multiplied
  return identity(
      "sanatan.only_quarter_turns_are_orthogonal_roots", "rotations: X^2 + I = 2 cos(a) X; reflections: X^2 = I",
      "[SANATAN-notes] s2.1; [SANATAN-post]; SAN-002", degree, 16, []<class K>(Source<K>& from) {
        const CircleAngle<K> a = from.angle();
        const Matrix<K> rotation = matrix2(a.cosine, -a.sine, a.sine, a.cosine);
        const Matrix<K> reflection = matrix2(a.cosine, a.sine, a.sine, -a.cosine);
        return all_of({same("X^2 + I", rotation * rotation + identity_matrix<K>(2), K(2) * a.cosine * rotation),
                       same("X^2", reflection * reflection, identity_matrix<K>(2)),
                       holds_if(is_root(rotation) == (a.cosine == K(0)), "a root that is no quarter turn")});
      });
}

Law two_orthogonal_roots() {
  return settled<PrimeField<7>>("sanatan.exactly_two_orthogonal_matrices_are_roots",
                                "over GF(7), where -1 is no square either: {X : X^2 = -I, X^T X = I} = {i_+, i_-}",
                                "[SANATAN-notes] s2.1; [SANATAN-post]; SAN-002", []<class K>(Source<K>&) {
                                  int roots = 0, others = 0;
                                  for_each_matrix_over_gf7([&](const Matrix<K>& x) {
                                    if (!is_root(x) || !is_orthogonal(x)) return;
                                    ++roots;
                                    others += x != i_plus<K>() && x != i_minus<K>();
                                  });
                                  return all_of({same("roots", roots, 2), same("roots other than i_+-", others, 0)});
                                });
}

Law family_of_roots() {
  const std::uint32_t degree = 4;  // a^2 b, cleared of the denominator b
  return identity("sanatan.without_orthogonality_roots_are_a_family",
                  "[[a, b], [-(1+a^2)/b, -a]]^2 = -I for all a, b != 0", "[SANATAN-notes] s2.1; SAN-003", degree, 16,
                  []<class K>(Source<K>& from) {
                    const K a = from.value(), b = from.nonzero();
                    const auto member = [](const K& a, const K& b) { return matrix2(a, b, -(K(1) + a * a) / b, -a); };
                    return all_of({same("X^2", member(a, b) * member(a, b), minus_identity<K>()),
                                   holds_if(is_root(matrix2(K(1), K(-2), K(1), K(-1))), "[[1,-2],[1,-1]] is no root"),
                                   holds_if(is_root(matrix2(K(3), K(-10), K(1), K(-3))), "[[3,-10],[1,-3]] is no root"),
                                   holds_if(!is_orthogonal(member(K(1), K(-2))), "[[1,-2],[1,-1]] is orthogonal")});
                  });
}

/// X^2 = tr(X) X - det(X) I. With X^2 = -I a trace would make X a multiple of I, and -1 is no square: so the trace is
/// 0.
Law all_roots() {
  return settled<PrimeField<7>>("sanatan.roots_are_the_matrices_of_trace_zero_and_determinant_one",
                                "over GF(7): X^2 = -I iff tr X = 0 and det X = 1", "[SANATAN-notes] s2.1; SAN-003",
                                []<class K>(Source<K>&) {
                                  int roots = 0, wrong = 0;
                                  for_each_matrix_over_gf7([&](const Matrix<K>& x) {
                                    const bool form = x(0, 0) + x(1, 1) == K(0) && determinant(x) == K(1);
                                    roots += is_root(x);
                                    wrong += is_root(x) != form;
                                  });
                                  return all_of({same("matrices against it", wrong, 0), same("roots", roots, 7 * 6)});
                                });
}

Law combination() {
  const std::uint32_t degree = 2;
  return identity("sanatan.combination_of_roots_is_a_multiple_of_i_plus",
                  "S = c i_+ + s i_- = (c - s) i_+ = [[0, -(c-s)], [c-s, 0]] for free c, s",
                  "[SANATAN] s2; [SANATAN-post]; SAN-004", degree, 16, []<class K>(Source<K>& from) {
                    const CircleAngle<K> free{from.value(), from.value()};
                    const K difference = free.cosine - free.sine;
                    return all_of({same("S", root_combination(free), difference * i_plus<K>()),
                                   same("S", root_combination(free), matrix2(K(0), -difference, difference, K(0))),
                                   same("coefficient", root_coefficient(free), difference)});
                  });
}

Law square_of_combination() {
  const std::uint32_t degree = 4;  // two circle coordinates multiplied
  return identity("sanatan.square_of_the_combination_is_minus_its_coefficient_squared",
                  "S(a)^2 = -(cos a - sin a)^2 I = -(1 - 2 sin a cos a) I: in general no root",
                  "[SANATAN] s2; [SANATAN-notes] s2.1; SAN-005", degree, 16, []<class K>(Source<K>& from) {
                    const CircleAngle<K> a = from.angle();
                    const K coefficient = root_coefficient(a), sin_2a = K(2) * a.sine * a.cosine;
                    const Matrix<K> square = root_combination(a) * root_combination(a);
                    return all_of({same("S^2", square, coefficient * coefficient * minus_identity<K>()),
                                   same("S^2", square, (K(1) - sin_2a) * minus_identity<K>()),
                                   holds_if(is_root(root_combination(a)) == (sin_2a == K(0)),
                                            "root although sin 2a != 0, or none although sin 2a = 0")});
                  });
}

Law combination_at_eighth_turns() {
  return settled<F61>("sanatan.combination_is_a_root_at_quarter_turns_only",
                      "at a = n pi/4: S^2 = -I for even n, 0 at pi/4 + k pi, -2I at -pi/4 + k pi",
                      "[SANATAN-notes] s2.1; SAN-005", []<class K>(Source<K>&) {
                        const int magnitude[8] = {1, 0, 1, 2, 1, 0, 1, 2};
                        for (int n = 0; n < 8; ++n) {
                          const Matrix<K> s = root_combination(multiple(n, eighth_turn<K>()));
                          const Outcome outcome =
                              same("S(" + std::to_string(n) + " pi/4)^2", s * s, K(magnitude[n]) * minus_identity<K>());
                          if (outcome.kind != Outcome::Kind::holds) return outcome;
                        }
                        return Outcome::holds();
                      });
}

Law both_signs() {
  const std::uint32_t degree = 10;  // gamma times a coordinate of the sum of two angles, cleared, on both sides
  return identity(
      "sanatan.both_signs_of_the_coefficient_stand_in_the_matrix",
      "entries (2,1) and (1,2) of S are +(c-s) and -(c-s): only sgn(c-s) can label, and r(a + pi) = -r(a)",
      "[SANATAN-post]; [SANATAN-notes] s2.1; SAN-006", degree, 16, []<class K>(Source<K>& from) {
        const axiom::Tanh<K> tanh([&] { return from.free(); });
        const CircleAngle<K> a = from.angle(), omega = from.angle(), half_turn{K(-1), K(0)};
        const K gamma = from.nonzero();
        const Matrix<K> s = root_combination(a);
        return all_of({same("S(2,1)", s(1, 0), root_coefficient(a)), same("S(1,2)", s(0, 1), -root_coefficient(a)),
                       same("r(a + pi)", label(a + half_turn, omega, gamma, tanh), -label(a, omega, gamma, tanh))});
      });
}

Law label_patterns() {
  return settled<Rational>("sanatan.d_labels_make_two_to_the_d_patterns",
                           "the signs of cos a - sin a over a in {0, pi}^d are all of {+, -}^d, d <= 12",
                           "[SANATAN] s2.2; [SANATAN-notes] s2.1, s2.4; SAN-007", []<class K>(Source<K>&) {
                             const CircleAngle<K> half_turn{K(-1), K(0)};
                             for (int d = 1; d <= 12; ++d) {
                               std::set<std::vector<bool>> patterns;
                               for (int choice = 0; choice < 1 << d; ++choice) {
                                 std::vector<bool> pattern;
                                 for (int a = 0; a < d; ++a)
                                   pattern.push_back(K(0) < root_coefficient(multiple(choice >> a & 1, half_turn)));
                                 patterns.insert(pattern);
                               }
                               if (patterns.size() != std::size_t{1} << d)
                                 return same("patterns at d = " + std::to_string(d), patterns.size(),
                                             std::size_t{1} << d);
                             }
                             return Outcome::holds();
                           });
}

}  // namespace

std::vector<Law> sanatan_roots_laws() {
  return {both_roots(),  orthogonal_roots(),      two_orthogonal_roots(),        family_of_roots(), all_roots(),
          combination(), square_of_combination(), combination_at_eighth_turns(), both_signs(),      label_patterns()};
}

}  // namespace assay
