#include <array>
#include <cstddef>

#include "oracle/sanatan/scores.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/encodings.hpp"
#include "properties/sanatan/laws.hpp"
#include "properties/sanatan/margins.hpp"

namespace assay {
namespace {

using namespace sanatan;

template <class K>
K gate(const K& r, const K& r2) {
  return dimension_score(Channels::six, K(r * r2), K(0));
}

/// The hard labels of a pattern: bit a of `pattern` makes dimension a +1.
template <class K>
Matrix<K> pattern_labels(std::size_t pattern, std::size_t d) {
  Matrix<K> label(1, d, K(-1));
  for (std::size_t a = 0; a < d; ++a)
    if (pattern >> a & 1) label(0, a) = K(1);
  return label;
}

/// The score of two label patterns at angle differences `delta` [1, d].
template <class K>
K pattern_score(std::size_t p, std::size_t p2, const Matrix<CircleAngle<K>>& delta) {
  const std::size_t d = delta.cols();
  const Matrix<CircleAngle<K>> zero(1, d, CircleAngle<K>{});
  return scores(features(Channels::six, encoding_of(delta, pattern_labels<K>(p, d))),
                features(Channels::six, encoding_of(zero, pattern_labels<K>(p2, d))))(0, 0);
}

std::size_t equal_bits(std::size_t p, std::size_t p2, std::size_t d) {
  std::size_t equal = 0;
  for (std::size_t a = 0; a < d; ++a) equal += ((p ^ p2) >> a & 1) == 0;
  return equal;
}

Law hard_gate() {
  return settled<Rational>("sanatan.hard_gate_is_two_or_zero", "1 + r r' = 2 for equal, 0 for opposite labels +-1",
                           "[SANATAN] s3.3; [SANATAN-post]; SAN-025", []<class K>(Source<K>&) {
                             FirstFailure found;
                             for (const int r : {1, -1}) {
                               found.note(same("equal", gate(K(r), K(r)), K(2)));
                               found.note(same("opposite", gate(K(r), K(-r)), K(0)));
                             }
                             return found.outcome();
                           });
}

/// For |r|, |r'| < 1 every product on the right is positive.
Law soft_gate() {
  const std::uint32_t degree = 2;
  return certified_inequality(
      "sanatan.soft_gate_stays_between_its_ends",
      "2 gate = (1+r)(1+r') + (1-r)(1-r') and 2 (2 - gate) = (1+r)(1-r') + (1-r)(1+r'): 0 < gate < 2, and 1 at r = 0",
      "[SANATAN] s3.3; SAN-025", degree, 24, []<class K>(Source<K>& from) {
        const K r = from.bounded(), r2 = from.bounded(), one = gate(r, r2);
        FirstFailure found;
        found.note(same("2 gate", K(one + one), twice_open_gate(r, r2)));
        found.note(same("2 (2 - gate)", K(K(4) - one - one), twice_closed_gate(r, r2)));
        found.note(same("gate at r = 0", gate(K(0), r2), K(1)));
        if constexpr (OrderedScalar<K>) {
          const bool inside = r * r < K(1) || r2 * r2 < K(1);
          found.note(holds_if(!inside || (K(0) < one && one < K(2)), "gate " + text_of(one)));
        }
        return found.outcome();
      });
}

/// The margins vanish only where each dimension's does: at ρ = −1 or z = −z' below, at ρ = 1 and z = z' above.
Law kernel_range() {
  const std::uint32_t degree = 10;  // labels of two tokens and two circle coordinates of each, degree 2
  return certified_inequality(
      "sanatan.kernel_lies_between_zero_and_four_d",
      "4 kappa = sum 2(1+rho) |z+z'|^2 and 4 - kappa_a = 2(1-rho) + (1+rho)|z-z'|^2/2: in [0, 4d]; ends iff all rho = "
      "-1 or D = pi, all rho = 1 and D = 0",
      "[SANATAN] s3.3, App. A; SAN-026", degree, 32, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 1, 3);
        const auto z = from.angles(1, d), z2 = from.angles(1, d);
        const auto bounded = [&] { return from.filled(1, d, [&] { return from.bounded(); }); };
        const Matrix<K> r = bounded(), r2 = bounded();
        const K kappa =
            scores(features(Channels::six, encoding_of(z, r)), features(Channels::six, encoding_of(z2, r2)))(0, 0);
        const K top(4 * static_cast<int>(d));
        K below(0), above(0);
        bool all_open = true, all_closed = true;
        for (std::size_t a = 0; a < d; ++a) {
          const K open = twice_open_gate(r(0, a), r2(0, a)), closed = twice_closed_gate(r(0, a), r2(0, a));
          below = below + open * squared_sum(z(0, a), z2(0, a)) / K(4);
          above = above + closed + open * squared_distance(z(0, a), z2(0, a)) / K(4);
          all_open = all_open && closed == K(0) && z(0, a) == z2(0, a);
          all_closed = all_closed && (open == K(0) || squared_sum(z(0, a), z2(0, a)) == K(0));
        }
        FirstFailure found;
        found.note(same("kappa", kappa, below));
        found.note(same("4d - kappa", K(top - kappa), above));
        if constexpr (OrderedScalar<K>) {
          found.note(holds_if(!(kappa < K(0)) && !(top < kappa), "kappa = " + text_of(kappa)));
          found.note(holds_if((kappa == top) == all_open, "kappa = " + text_of(kappa) + " against 4d"));
          found.note(holds_if((kappa == K(0)) == all_closed, "kappa = " + text_of(kappa) + " against 0"));
        }
        return found.outcome();
      });
}

Law teaching_figure() {
  return settled<Rational>(
      "sanatan.labels_of_49_50_leak_two_percent_of_the_gate",
      "r = +-0.98: equal signs 1.9604, opposite signs 0.0396, times 1 + cos D", "[SANATAN-notes] s2.3; SAN-028",
      []<class K>(Source<K>& from) {
        const K r = K(49) / K(50), cosine = rational_angle(from.free()).cosine;
        const K equal = K(19604) / K(10000), opposite = K(396) / K(10000);
        return all_of(
            {same("equal", gate(r, r), equal), same("opposite", gate(r, K(-r)), opposite),
             same("curve", dimension_score(Channels::six, K(-r * r), cosine), K(opposite * (K(1) + cosine)))});
      });
}

/// |z + z'|² and |z − z'|² are squares, so the score is in [0, 4m].
Law equal_labels_bound() {
  const std::uint32_t degree = 4;  // two circle coordinates, the other side's angles being 0
  return certified_inequality(
      "sanatan.m_equal_hard_labels_bound_the_score_by_four_m",
      "kappa = sum over m equal labels of |z+z'|^2, 4m - kappa = sum of |z-z'|^2, for all pairs of patterns, d <= 4; "
      "4m at D = 0, 0 at D = pi",
      "[SANATAN] s4.1; [SANATAN-notes] s2.4; SAN-030", degree, 1, []<class K>(Source<K>& from) {
        FirstFailure found;
        const CircleAngle<K> zero;
        for (std::size_t d = 1; d <= 4; ++d) {
          const Matrix<CircleAngle<K>> equal(1, d, zero), opposite(1, d, CircleAngle<K>{K(-1), K(0)});
          for (std::size_t p = 0; p < std::size_t{1} << d; ++p) {
            for (std::size_t p2 = 0; p2 < std::size_t{1} << d; ++p2) {
              const auto delta = from.angles(1, d);
              const K top(4 * static_cast<int>(equal_bits(p, p2, d))), s = pattern_score(p, p2, delta);
              K below(0), above(0);
              for (std::size_t a = 0; a < d; ++a) {
                if ((p ^ p2) >> a & 1) continue;
                below = below + squared_sum(delta(0, a), zero);
                above = above + squared_distance(delta(0, a), zero);
              }
              found.note(same("kappa", s, below));
              found.note(same("4m - kappa", K(top - s), above));
              found.note(same("at D = 0", pattern_score(p, p2, equal), top));
              found.note(same("at D = pi", pattern_score(p, p2, opposite), K(0)));
              if constexpr (OrderedScalar<K>)
                found.note(holds_if(!(s < K(0)) && !(top < s), "kappa = " + text_of(s) + ", 4m = " + text_of(top)));
            }
          }
        }
        return found.outcome();
      });
}

Law figure_one() {
  return settled<Rational>(
      "sanatan.score_of_figure_one_is_feasible",
      "(+,-,+) against (+,+,+): dimension 2 closed, 7.75 <= 8, reached at cos D_1 = cos D_3 = 15/16",
      "[SANATAN] fig. 1; [SANATAN-notes] s2.4; SAN-031", []<class K>(Source<K>&) {
        const K cosine = K(15) / K(16);
        const K open = dimension_score(Channels::six, K(1), cosine);
        const K closed = dimension_score(Channels::six, K(-1), cosine);
        const K total = open + closed + open;
        return all_of({same("dimension 2", closed, K(0)), same("total", total, K(K(31) / K(4))),
                       holds_if(total < K(8), "above 4m"),
                       same("cos D_1 + cos D_3", K(cosine + cosine), K(K(15) / K(8)))});
      });
}

Law complement() {
  return settled<Rational>(
      "sanatan.only_the_complement_pattern_closes_every_dimension",
      "kappa = 0 for all angles iff the patterns are complements; 2^d - 2 other patterns share a label, d <= 6",
      "[SANATAN-notes] s2.4; SAN-032", []<class K>(Source<K>&) {
        FirstFailure found;
        for (std::size_t d = 1; d <= 6; ++d) {
          const Matrix<CircleAngle<K>> equal(1, d, CircleAngle<K>{});
          const std::size_t patterns = std::size_t{1} << d;
          for (std::size_t p = 0; p < patterns; ++p) {
            std::size_t sharing = 0;
            for (std::size_t p2 = 0; p2 < patterns; ++p2) {
              const bool closed = pattern_score(p, p2, equal) == K(0);  // the maximum over all angles
              found.note(same("closed", closed, p2 == patterns - 1 - p));
              sharing += !closed && p2 != p;
            }
            found.note(same("others that share a label", sharing, patterns - 2));
          }
        }
        return found.outcome();
      });
}

Law interference() {
  return settled<Rational>(
      "sanatan.keys_of_different_labels_interfere",
      "d = 2, labels (+,+) and (+,-), equal angles: reading at the first key gives (8 v_1 + 4 v_2)/12",
      "[SANATAN] s4.1, App. C; [SANATAN-notes] s2.4, s3.2; SAN-037", []<class K>(Source<K>& from) {
        const Matrix<CircleAngle<K>> equal(1, 2, CircleAngle<K>{});
        const K own = pattern_score(3, 3, equal), cross = pattern_score(3, 1, equal);
        const K v1 = from.free(), v2 = from.free();
        return all_of({same("own score", own, K(8)), same("cross score", cross, K(4)),
                       same("read-out", K((own * v1 + cross * v2) / (own + cross)), K((K(2) * v1 + v2) / K(3))),
                       differs("no interference", K((own * v1 + cross * v2) / (own + cross)), v1)});
      });
}

/// A mean over four quarter turns is the mean over the circle for every polynomial of degree below 4 in (cos, sin).
Law moments() {
  return settled<Rational>(
      "sanatan.independent_hard_labels_score_d_on_average",
      "uniform labels and phases: E s = d, E s^2 = d^2 + 2d, max s = 4d: one match among n keys weighs 4/(n+3) at p = "
      "1",
      "[SANATAN-notes] s2.4; SAN-038", []<class K>(Source<K>&) {
        FirstFailure found;
        for (int d = 1; d <= 4; ++d) {
          int cases = 1;
          for (int a = 0; a < d; ++a) cases *= 8;
          K sum(0), squares(0), top(0);
          for (int n = 0; n < cases; ++n) {
            K s(0);
            for (int rest = n, a = 0; a < d; ++a, rest /= 8)
              s = s + dimension_score(Channels::six, K(rest % 2 ? 1 : -1),
                                      multiple(rest % 8 / 2, CircleAngle<K>{K(0), K(1)}).cosine);
            sum = sum + s;
            squares = squares + s * s;
            top = top < s ? s : top;
          }
          found.note(same("E s", K(sum / K(cases)), K(d)));
          found.note(same("E s^2", K(squares / K(cases)), K(d * d + 2 * d)));
          found.note(same("max s", top, K(4 * d)));
          found.note(same("p = 2 ratio", K(top * top / (squares / K(cases))), K(K(16 * d) / K(d + 2))));
          for (const int n : {2, 10, 1000})
            found.note(same("weight", K(top / (top + K(n - 1) * sum / K(cases))), K(K(4) / K(n + 3))));
        }
        return found.outcome();
      });
}

}  // namespace

std::vector<Law> sanatan_gates_laws() {
  return {hard_gate(),  soft_gate(),  kernel_range(), teaching_figure(), equal_labels_bound(),
          figure_one(), complement(), interference(), moments()};
}

}  // namespace assay
