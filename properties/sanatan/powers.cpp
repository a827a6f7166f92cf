#include <cmath>
#include <cstddef>

#include "oracle/sanatan/attention.hpp"
#include "oracle/sanatan/scores.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/encodings.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

/// 0 <= s <= c = 4d is sanatan.kernel_lies_between_zero_and_four_d; so powers of s/c lie in [0, 1], and X >= 0.
Law weights_sum() {
  const std::uint32_t degree = 2 * 4 * (5 * 4 + 2);  // X to p = 4: points of a query and four keys in two dimensions
  return certified_inequality(
      "sanatan.weights_are_nonnegative_and_sum_below_one",
      "c = 4d, p = 1..4: sum_j a_tj = X/(X + eps) = 1 - eps/(X + eps) < 1 for X = sum_j (s_tj/c)^p; 0 <= (s/c)^p <= 1",
      "[SANATAN] s3.4-3.5 eq. 8; [SANATAN-notes] s2.6; SAN-045", degree, 12, []<class K>(Source<K>& from) {
        const std::size_t T = from.size("T", 1, 4), d = from.size("d", 1, 2);
        const Matrix<K> s = scores(features(Channels::six, bounded_encoding(from, T, d)),
                                   features(Channels::six, bounded_encoding(from, T, d)));
        const K epsilon = K(1) / K(1000000);
        FirstFailure found;
        for (int p = 1; p <= 4; ++p) {
          const WeightRule<K> rule{p, K(4 * static_cast<int>(d)), epsilon};
          const Matrix<K> w = causal_weights(s, rule), sum = attention(s, Matrix<K>(T, 1, K(1)), rule);
          for (std::size_t t = 0; t < T; ++t) {
            K total(0);
            for (std::size_t j = 0; j < T; ++j) {
              const K base = j <= t ? K(s(t, j) / rule.scale) : K(0);
              found.note(same("weight", w(t, j), integer_power(base, p)));
              total = total + w(t, j);
              if constexpr (OrderedScalar<K>)
                found.note(holds_if(!(w(t, j) < K(0)) && !(K(1) < w(t, j)), "weight " + text_of(w(t, j))));
            }
            found.note(same("1 - sum of weights", K(K(1) - sum(t, 0)), K(epsilon / (total + epsilon))));
            if constexpr (OrderedScalar<K>)
              found.note(holds_if(sum(t, 0) < K(1), "sum of weights " + text_of(sum(t, 0))));
          }
        }
        return found.outcome();
      });
}

Law zero_stays_zero() {
  return settled<Rational>(
      "sanatan.a_zero_score_keeps_weight_zero",
      "0^p = 0 for p = 1..4 where exp(0) = 1; a lone zero score gives o = 0; p = 0 and p = 5 are refused",
      "[SANATAN-notes] s2.6; SAN-045, SAN-046", []<class K>(Source<K>& from) {
        const Matrix<K> zero(1, 1), v = from.values(1, 1);
        FirstFailure found;
        for (int p = 1; p <= 4; ++p) {
          const WeightRule<K> rule{p, K(4), K(1) / K(1000000)};
          found.note(same("weight", causal_weights(zero, rule), zero));
          found.note(same("o", attention(zero, v, rule), zero));
        }
        for (const int p : {-1, 0, 5})
          found.note(refused("p = " + std::to_string(p), [&] { causal_weights(zero, WeightRule<K>{p, K(4), K(1)}); }));
        found.note(same("exp(0)", std::exp(0.0), 1.0));
        return found.outcome();
      });
}

Law closed_dimension() {
  return settled<Rational>(
      "sanatan.one_closed_dimension_leaves_the_total_positive",
      "rho = (-1, 1), D = 0: dimensions 0 and 4, total 4, weight (1/2)^p > 0", "[SANATAN-notes] s2.6; SAN-047",
      []<class K>(Source<K>&) {
        const K closed = dimension_score(Channels::six, K(-1), K(1));
        const K open = dimension_score(Channels::six, K(1), K(1));
        FirstFailure found;
        found.note(same("closed dimension", closed, K(0)));
        for (int p = 1; p <= 4; ++p)
          found.note(same("weight", causal_weights(Matrix<K>(1, 1, closed + open), {p, K(8), K(0)})(0, 0),
                          integer_power(K(K(1) / K(2)), p)));
        return found.outcome();
      });
}

Law sharpening() {
  return settled<Rational>("sanatan.scores_of_ratio_two_weigh_two_to_the_p",
                           "0.8 and 0.4: 2:1, 4:1, 8:1, 16:1 for p = 1, 2, 3, 4", "[SANATAN-notes] s2.6; SAN-048",
                           []<class K>(Source<K>&) {
                             Matrix<K> s(2, 2);
                             s(1, 0) = K(8) / K(10);
                             s(1, 1) = K(4) / K(10);
                             FirstFailure found;
                             for (int p = 1; p <= 4; ++p) {
                               const Matrix<K> w = causal_weights(s, WeightRule<K>{p, K(1), K(0)});
                               found.note(same("ratio", K(w(1, 0) / w(1, 1)), K(1 << p)));
                             }
                             return found.outcome();
                           });
}

}  // namespace

std::vector<Law> sanatan_powers_laws() { return {weights_sum(), zero_stays_zero(), closed_dimension(), sharpening()}; }

}  // namespace assay
