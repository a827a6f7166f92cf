#include "oracle/sanatan/scores.hpp"

#include <algorithm>

#include "oracle/sanatan/attention.hpp"
#include "oracle/sanatan/recurrence.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/encodings.hpp"
#include "properties/sanatan/laws.hpp"
#include "properties/sanatan/margins.hpp"

namespace assay {
namespace {

using namespace sanatan;

Law four_channels_identity() {
  const std::uint32_t degree = 4;  // r c r' c'
  return identity("sanatan.four_channel_kernel_is_one_plus_label_times_similarity",
                  "<[1, r, rc, rs], [1, r', r'c', r's']> = 1 + r r' (1 + c c' + s s')",
                  "[SANATAN] s3.3; [SANATAN-notes] s2.5; SAN-039", degree, 24, []<class K>(Source<K>& from) {
                    const K c = from.value(), s = from.value(), r = from.value();
                    const K c2 = from.value(), s2 = from.value(), r2 = from.value();
                    const auto phi = four_channels(c, s, r), phi2 = four_channels(c2, s2, r2);
                    return same("score", dot<K>(phi, phi2), K(K(1) + r * r2 * (K(1) + c * c2 + s * s2)));
                  });
}

template <OrderedScalar K>
Outcome inside(const K& x, int low, int high) {
  return holds_if(!(x < K(low)) && !(K(high) < x),
                  text_of(x) + " outside [" + std::to_string(low) + ", " + std::to_string(high) + "]");
}

Law four_channel_ranges() {
  const std::uint32_t degree = 10;  // labels of two tokens and two circle coordinates of each, degree 2
  return certified_inequality(
      "sanatan.four_channel_score_lies_between_minus_d_and_three_d",
      "s + 1 = (1+rho)(1+cos D) + (1-cos D), 3 - s = (1-rho)(1+cos D) + (1-cos D); rho = 1: 2 + cos D in [1, 3]; rho = "
      "-1: -cos D in [-1, 1]",
      "[SANATAN] s3.3; [SANATAN-notes] s2.5; SAN-040, SAN-041", degree, 32, []<class K>(Source<K>& from) {
        const CircleAngle<K> z = from.angle(), z2 = from.angle();
        const K r = from.bounded(), r2 = from.bounded(), cosine = (z - z2).cosine;
        const auto score = [](const K& rho, const K& cosine) { return dimension_score(Channels::four, rho, cosine); };
        const K s = score(K(r * r2), cosine), near = squared_sum(z, z2), far = squared_distance(z, z2);
        FirstFailure found;
        found.note(same("s + 1", K(s + K(1)), K(twice_open_gate(r, r2) * near / K(4) + far / K(2))));
        found.note(same("3 - s", K(K(3) - s), K(twice_closed_gate(r, r2) * near / K(4) + far / K(2))));
        found.note(same("matched", score(K(1), cosine), K(K(1) + near / K(2))));
        found.note(same("matched", score(K(1), cosine), K(K(3) - far / K(2))));
        found.note(same("mismatched", score(K(-1), cosine), K(K(1) - near / K(2))));
        found.note(same("mismatched", score(K(-1), cosine), K(far / K(2) - K(1))));
        if constexpr (OrderedScalar<K>) {
          found.note(inside(score(K(1), cosine), 1, 3));
          found.note(inside(score(K(-1), cosine), -1, 1));
          found.note(inside(s, -1, 3));
        }
        return found.outcome();
      });
}

Law four_channel_signs() {
  return settled<Rational>(
      "sanatan.four_channel_mismatch_scores_both_signs",
      "rho = -1: -1 at D = 0, +1 at D = pi, where it ties the worst matched pair; six channels give 0",
      "[SANATAN-notes] s2.5; SAN-041", []<class K>(Source<K>&) {
        const auto four = [](int rho, int cosine) { return dimension_score(Channels::four, K(rho), K(cosine)); };
        const auto six = [](int rho, int cosine) { return dimension_score(Channels::six, K(rho), K(cosine)); };
        return all_of({same("at D = 0", four(-1, 1), K(-1)), same("at D = pi", four(-1, -1), K(1)),
                       same("tie", four(-1, -1), four(1, -1)), same("six at D = 0", six(-1, 1), K(0)),
                       same("six at D = pi", six(-1, -1), K(0))});
      });
}

/// d = 1, all angles 0: q and k_1 have label 1, k_2 label −1, v = 1. Scores 3 and −1.
Law clipping() {
  return settled<Rational>(
      "sanatan.four_channel_clipping_breaks_the_recurrence",
      "scores 3, -1: max(s, 0) sums to 3, the state reads 2; unclipped, state and sum agree",
      "[SANATAN] s3.3; [SANATAN-notes] s2.5; SAN-043", []<class K>(Source<K>&) {
        const Matrix<CircleAngle<K>> zero(2, 1, CircleAngle<K>{});
        Matrix<K> labels(2, 1, K(1));
        const Matrix<K> phi_q = features(Channels::four, encoding_of(zero, labels));
        labels(1, 0) = K(-1);
        const Matrix<K> phi_k = features(Channels::four, encoding_of(zero, labels));
        const Matrix<K> v(2, 1, K(1)), s = scores(phi_q, phi_k), clip = clipped(s, open_scores(s));
        const WeightRule<K> rule{1, K(1), K(0)};
        const auto read = recurrence(phi_q, phi_k, v, empty_state<K>(4, 1)).sums.denominator[1];
        const auto sum = [&](const Matrix<K>& s) { return weighted_sums(causal_weights(s, rule), v).denominator[1]; };
        return all_of({same("s_1", s(1, 0), K(3)), same("s_2", s(1, 1), K(-1)), same("clipped sum", sum(clip), K(3)),
                       same("state", read, K(2)), same("sum without clip", sum(s), read)});
      });
}

Law clip_of_the_total() {
  return settled<Rational>(
      "sanatan.clipping_the_total_is_not_clipping_each_dimension",
      "dimension scores 3 and -1: the total clips to 2, the dimensions to 3",
      "[SANATAN] s3.3; [SANATAN-notes] s2.5; SAN-043", []<class K>(Source<K>&) {
        const Matrix<CircleAngle<K>> zero(1, 2, CircleAngle<K>{});
        Matrix<K> labels(1, 2, K(1));
        const Matrix<K> q = features(Channels::four, encoding_of(zero, labels));
        labels(0, 1) = K(-1);
        const Matrix<K> s = scores(q, features(Channels::four, encoding_of(zero, labels)));
        const K each = std::max(dimension_score(Channels::four, K(1), K(1)), K(0)) +
                       std::max(dimension_score(Channels::four, K(-1), K(1)), K(0));
        return all_of({same("total", clipped(s, open_scores(s))(0, 0), K(2)), same("each", each, K(3))});
      });
}

Law all_scores_clipped() {
  return settled<Rational>(
      "sanatan.a_row_without_positive_scores_gives_zero",
      "totals -1, 0 (clipped to 0) and eps > 0: o = 0/eps = 0 for p = 1..4; eps = 0 is refused",
      "[SANATAN-notes] s2.5, s2.6; SAN-043, SAN-045", []<class K>(Source<K>& from) {
        Matrix<K> s(2, 2);
        s(0, 0) = s(1, 0) = K(-1);
        const Matrix<K> clip = clipped(s, open_scores(s)), v = from.values(2, 3), zero(2, 3);
        FirstFailure found;
        for (int p = 1; p <= 4; ++p) {
          found.note(same("o", attention(clip, v, WeightRule<K>{p, K(4), K(1) / K(1000000)}), zero));
          found.note(refused("0/0", [&] { attention(clip, v, WeightRule<K>{p, K(4), K(0)}); }));
        }
        return found.outcome();
      });
}

Law three_channels_are_labels_zero() {
  const std::uint32_t degree = 2;
  return identity("sanatan.three_channel_score_is_the_six_channel_score_of_zero_labels",
                  "<[1, c, s], [1, c', s']> = 1 + cos D = (1 + 0)(1 + cos D)", "[SANATAN-notes] s4.4; SAN-104", degree,
                  8, []<class K>(Source<K>& from) {
                    const std::size_t d = from.size("d", 1, 8);
                    Encoding<K> q = free_encoding(from, 2, d), k = free_encoding(from, 2, d);
                    const Matrix<K> three = scores(features(Channels::three, q), features(Channels::three, k));
                    q.label = k.label = Matrix<K>(2, d);
                    return same("scores", three, scores(features(Channels::six, q), features(Channels::six, k)));
                  });
}

Law three_channel_range() {
  const std::uint32_t degree = 8;
  return certified_inequality(
      "sanatan.three_channel_score_lies_between_zero_and_two_d",
      "1 + cos D = |z+z'|^2/2, 2 - (1 + cos D) = |z-z'|^2/2: in [0, 2]; [-1, 3] is the range of four channels",
      "[SANATAN-notes] s4.4; SAN-101", degree, 24, []<class K>(Source<K>& from) {
        const CircleAngle<K> z = from.angle(), z2 = from.angle();
        const K s = dimension_score(Channels::three, from.value(), (z - z2).cosine);
        FirstFailure found;
        found.note(same("s", s, K(squared_sum(z, z2) / K(2))));
        found.note(same("2 - s", K(K(2) - s), K(squared_distance(z, z2) / K(2))));
        found.note(same("at D = 0", dimension_score(Channels::three, K(1), K(1)), K(2)));
        found.note(same("at D = pi", dimension_score(Channels::three, K(1), K(-1)), K(0)));
        if constexpr (OrderedScalar<K>) found.note(inside(s, 0, 2));
        return found.outcome();
      });
}

/// Scores 0, d, 2d of one query, shifted by d and divided by 3d as the ablation does it.
Law shifted_three_channels() {
  return settled<Rational>(
      "sanatan.shift_of_the_three_channel_ablation_changes_the_weights",
      "(s + d)/3d turns weights 0:1:2 into 1:2:3 (p = 1), 0:1:4 into 1:4:9 (p = 2); zero similarity weighs 1/3 and 1/9",
      "[SANATAN-notes] s4.4; SAN-102", []<class K>(Source<K>&) {
        const K d(5);
        Matrix<K> s(3, 3), shifted(3, 3);
        for (std::size_t j = 0; j < 3; ++j) {
          s(2, j) = K(static_cast<int>(j)) * d;
          shifted(2, j) = s(2, j) + d;
        }
        FirstFailure found;
        for (int p = 1; p <= 2; ++p) {
          const Matrix<K> plain = causal_weights(s, WeightRule<K>{p, d, K(0)});
          const Matrix<K> moved = causal_weights(shifted, WeightRule<K>{p, d, K(0)});
          const Matrix<K> code = causal_weights(shifted, WeightRule<K>{p, K(3) * d, K(0)});
          for (int j = 0; j < 3; ++j) {
            found.note(same("weight", plain(2, j), integer_power(K(j), p)));
            found.note(same("shifted weight", moved(2, j), integer_power(K(j + 1), p)));
          }
          found.note(same("weight of similarity 0", code(2, 0), integer_power(K(K(1) / K(3)), p)));
          found.note(same("weight of similarity 2d", code(2, 2), K(1)));
        }
        return found.outcome();
      });
}

}  // namespace

std::vector<Law> sanatan_scores_laws() {
  return {four_channels_identity(),
          four_channel_ranges(),
          four_channel_signs(),

          clipping(),
          clip_of_the_total(),
          all_scores_clipped(),
          three_channels_are_labels_zero(),
          three_channel_range(),
          shifted_three_channels()};
}

}  // namespace assay
