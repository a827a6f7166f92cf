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
  const std::uint32_t degree = 3 * 8 + 2;  // three dimensions of two points, squared; two labels
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
  return {hard_gate(), soft_gate(), kernel_range(), teaching_figure(), moments()};
}

}  // namespace assay
