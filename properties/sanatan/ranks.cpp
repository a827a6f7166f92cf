#include <array>
#include <cstddef>

#include "oracle/sanatan/attention.hpp"
#include "oracle/sanatan/merged_features.hpp"
#include "oracle/sanatan/scores.hpp"
#include "oracle/sanatan/sizes.hpp"
#include "properties/identity.hpp"
#include "properties/rank.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/encodings.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

/// A rank modulo a prime is at most the rank over the reals, and the rank at a point at most the generic one: a rank
/// found is attained. That no larger one occurs is what evaluation tests: minors of one size more vanish.
/// Cleared by rows and columns, an entry has the points of a query and a key in d dimensions and two labels, p times.
constexpr std::uint32_t minor_degree(std::uint32_t rank, std::uint32_t d, std::uint32_t p) {
  return (rank + 1) * p * (4 * d + 2);
}

template <class K>
Matrix<K> gram(Channels channels, const Encoding<K>& q, const Encoding<K>& k) {
  return scores(features(channels, q), features(channels, k));
}

template <class K>
Matrix<K> entrywise_power(Matrix<K> m, int p) {
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (K& entry : m.row(i)) entry = integer_power(entry, p);
  return m;
}

Law gram_rank() {
  return generic_identity(
      "sanatan.gram_rank_is_five_d_plus_one",
      "rank of an n x n score matrix, n > 6d: 5d + 1 with six channels, 3d + 1 with four, 2d + 1 with three; min(n, .)",
      "[SANATAN] s4.1; [SANATAN-notes] s2.4; SAN-033, SAN-034", minor_degree(31, 6, 1), 2,
      []<class K>(Source<K>& from) {
        FirstFailure found;
        for (const std::size_t d : {1, 2, 3, 4, 6}) {
          const std::size_t n = 6 * d + 8;
          const Encoding<K> q = soft_encoding(from, n, d), k = soft_encoding(from, n, d);
          const Encoding<K> hard_q = hard_encoding(from, n, d), hard_k = hard_encoding(from, n, d);
          const auto text = "rank at d = " + std::to_string(d);
          found.note(same(text, rank(gram(Channels::six, q, k)), 5 * d + 1));
          found.note(same(text, rank(gram(Channels::six, hard_q, hard_k)), 5 * d + 1));
          found.note(same(text, rank(gram(Channels::four, q, k)), 3 * d + 1));
          found.note(same(text, rank(gram(Channels::three, q, k)), 2 * d + 1));
          found.note(same("rank of 4 tokens", rank(gram(Channels::six, soft_encoding(from, 4, d), k)), std::size_t{4}));
        }
        return found.outcome();
      });
}

Law gram_rank_of_a_head() {
  return settled<F61>("sanatan.gram_rank_of_a_head_of_64_is_321", "d = 64: rank 321 < 384 = 6d",
                      "[SANATAN-notes] s2.4; SAN-034", []<class K>(Source<K>& from) {
                        const std::size_t n = 390;
                        const Encoding<K> q = soft_encoding(from, n, 64), k = soft_encoding(from, n, 64);
                        return same("rank", rank(gram(Channels::six, q, k)), std::size_t{321});
                      });
}

Law merged_constant_channel() {
  const std::uint32_t degree = 4;
  return identity("sanatan.merging_the_constant_channel_keeps_every_score",
                  "one constant column, d in queries and 1 in keys, replaces d: (c - 1) d + 1 features",
                  "[SANATAN-notes] s2.4; SAN-034, SAN-063", degree, 12, []<class K>(Source<K>& from) {
                    const std::size_t d = from.size("d", 1, 8);
                    FirstFailure found;
                    for (const Channels channels : {Channels::six, Channels::four, Channels::three}) {
                      const Matrix<K> q = features(channels, free_encoding(from, 3, d));
                      const Matrix<K> k = features(channels, free_encoding(from, 2, d));
                      const Matrix<K> merged_q = merged_constant(channels, q, K(static_cast<int>(d)));
                      const Matrix<K> merged_k = merged_constant(channels, k, K(1));
                      found.note(same("features", merged_q.cols(), (count(channels) - 1) * d + 1));
                      found.note(same("scores", scores(merged_q, merged_k), scores(q, k)));
                    }
                    return found.outcome();
                  });
}

Law masked_rank() {
  return settled<F61>(
      "sanatan.causal_mask_restores_full_rank",
      "d = 6, n = 44: masked scores have rank 44, unmasked 31; a zero on the diagonal makes them singular",
      "[SANATAN-notes] s2.4; SAN-035", []<class K>(Source<K>& from) {
        const std::size_t n = 44, d = 6;
        Encoding<K> q = soft_encoding(from, n, d), k = soft_encoding(from, n, d);
        const WeightRule<K> plain{1, K(1), K(0)};
        const Matrix<K> s = gram(Channels::six, q, k);
        for (std::size_t a = 0; a < d; ++a) {
          q.label(n / 2, a) = K(1);
          k.label(n / 2, a) = K(-1);
        }
        const Matrix<K> closed = gram(Channels::six, q, k);
        return all_of({same("unmasked", rank(s), std::size_t{31}), same("masked", rank(causal_weights(s, plain)), n),
                       same("diagonal", closed(n / 2, n / 2), K(0)),
                       same("with a zero on the diagonal", rank(causal_weights(closed, plain)), n - 1)});
      });
}

Law patterns_and_slots() {
  return settled<F61>(
      "sanatan.label_patterns_outnumber_independent_responses_from_d_five",
      "2^d patterns give at most 5d + 1 independent responses: 16 < 21 at d = 4, 32 > 26 at d = 5, 2^64 against 321",
      "[SANATAN-notes] s2.4, s3.2; SAN-036", []<class K>(Source<K>& from) {
        FirstFailure found;
        for (std::size_t d = 1; d <= 8; ++d) {
          const std::size_t patterns = std::size_t{1} << d;
          const Encoding<K> tokens = hard_encoding(from, 2 * patterns, d);
          const std::size_t responses = rank(gram(Channels::six, tokens, tokens));
          const std::string text = " at d = " + std::to_string(d);
          found.note(holds_if(responses <= merged_feature_count(d), "rank " + std::to_string(responses) + text));
          found.note(same("more patterns than 5d + 1" + text, patterns > merged_feature_count(d), d >= 5));
          found.note(same("more patterns than 6d" + text, patterns > feature_count(Channels::six, d), d >= 5));
        }
        return found.outcome();
      });
}

struct PoweredRank {
  int p;
  std::size_t d, soft, hard;
};

Law powered_rank() {
  return generic_identity(
      "sanatan.rank_of_the_powered_kernel",
      "p = 2: (5d+1)(5d+2)/2 - 6d soft, - 11d hard (15 54 118, 10 44 103); d = 1: (p+1)(2p+1) soft, 2(2p+1) hard",
      "[SANATAN-notes] s2.6; SAN-051, SAN-052", minor_degree(118, 3, 2), 1, []<class K>(Source<K>& from) {
        const PoweredRank cases[] = {{1, 1, 6, 6},   {2, 1, 15, 10}, {3, 1, 28, 14},
                                     {4, 1, 45, 18}, {2, 2, 54, 44}, {2, 3, 118, 103}};
        FirstFailure found;
        for (const auto& [p, d, soft, hard] : cases) {
          const std::size_t n = 2 * soft;
          const auto powered = [&, p = p](const Encoding<K>& q, const Encoding<K>& k) {
            return rank(entrywise_power(gram(Channels::six, q, k), p));
          };
          const std::string text = " rank at p = " + std::to_string(p) + ", d = " + std::to_string(d);
          found.note(same("soft" + text, powered(soft_encoding(from, n, d), soft_encoding(from, n, d)), soft));
          found.note(same("hard" + text, powered(hard_encoding(from, n, d), hard_encoding(from, n, d)), hard));
        }
        return found.outcome();
      });
}

Law no_small_state_for_powers() {
  return settled<F61>(
      "sanatan.powers_above_one_have_no_six_channel_state",
      "d = 1: the powered scores have rank 15, 28, 45 > 6 (p = 2, 3, 4), so no 6-feature pair gives them",
      "[SANATAN] s3.5; [SANATAN-notes] s2.6, s2.7, s3.2; [SANATAN-post]; SAN-052", []<class K>(Source<K>& from) {
        const std::size_t least[] = {15, 28, 45};
        const Encoding<K> q = soft_encoding(from, 50, 1), k = soft_encoding(from, 50, 1);
        FirstFailure found;
        for (int p = 2; p <= 4; ++p) {
          const std::size_t found_rank = rank(entrywise_power(gram(Channels::six, q, k), p));
          found.note(same("rank", found_rank, least[p - 2]));
          found.note(differs("a power of a sum is a sum of powers", integer_power(K(1 + 1), p), K(1 + 1)));
        }
        return found.outcome();
      });
}

/// The circle of GF(2^61 − 1) has 2^61 points and is cyclic: n divides it, and half of its points generate it.
CircleAngle<F61> root_of_unity(Source<F61>& from, std::int64_t n) {
  for (int attempt = 0; attempt < 64; ++attempt) {
    const CircleAngle<F61> point = from.angle();
    if (multiple(std::int64_t{1} << 60, point) == CircleAngle<F61>{F61(-1), F61(0)})
      return multiple((std::int64_t{1} << 61) / n, point);
  }
  throw OutsideDomain("no generator among 64 points of the circle");
}

/// −cos(2π(i − j)/n) where it is positive, else 0: the clipped four-channel score of r_q = 1, r_k = −1, d = 1, as an
/// algebraic number reduced modulo the prime; which cosines are negative is read from i − j.
Matrix<F61> rectified_cosines(const CircleAngle<F61>& root, std::size_t n) {
  Matrix<F61> m(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t turns = (i + n - j) % n;
      if (n < 4 * turns && 4 * turns < 3 * n) m(i, j) = -multiple(static_cast<std::int64_t>(turns), root).cosine;
    }
  }
  return m;
}

/// (|cos| − cos) / 2 has the harmonics ±1 of cos and, |cos| having half the period, even ones: at most n/2 + 2, and a
/// rank modulo a prime is a lower bound.
Law clipped_rank() {
  return settled<F61>(
      "sanatan.clipped_four_channel_kernel_has_unbounded_rank",
      "max(-cos(2 pi (i - j)/n), 0) has rank n/2 + 2: 6 10 18 34 66 for n = 8 16 32 64 128",
      "[SANATAN-notes] s2.5; SAN-044", [](Source<F61>& from) {
        FirstFailure found;
        for (std::size_t n = 8; n <= 128; n *= 2) {
          const CircleAngle<F61> root = root_of_unity(from, static_cast<std::int64_t>(n));
          found.note(same("rank at n = " + std::to_string(n), rank(rectified_cosines(root, n)), n / 2 + 2));
        }
        return found.outcome();
      });
}

}  // namespace

std::vector<Law> sanatan_ranks_laws() {
  return {gram_rank(),          gram_rank_of_a_head(), merged_constant_channel(),   masked_rank(),
          patterns_and_slots(), powered_rank(),        no_small_state_for_powers(), clipped_rank()};
}

}  // namespace assay
