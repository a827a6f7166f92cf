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

/// |z + z'|² and |z − z'|² are squares, so the score is in [0, 4m].
Law equal_labels_bound() {
  const std::uint32_t degree = 4 * 4;  // four points, squared
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
        const K v1 = from.free(), v2 = v1 + from.nonzero();
        return all_of({same("own score", own, K(8)), same("cross score", cross, K(4)),
                       same("read-out", K((own * v1 + cross * v2) / (own + cross)), K((K(2) * v1 + v2) / K(3))),
                       differs("no interference", K((own * v1 + cross * v2) / (own + cross)), v1)});
      });
}

}  // namespace

std::vector<Law> sanatan_patterns_laws() { return {equal_labels_bound(), figure_one(), complement(), interference()}; }

}  // namespace assay
