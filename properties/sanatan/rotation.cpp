#include "oracle/sanatan/rotation.hpp"

#include "oracle/axioms.hpp"
#include "oracle/sanatan/scores.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

/// The degree of a score of two angles turned at most n steps, on both sides of an equation: a coordinate has degree 2
/// and 2 a step, labels 1.
constexpr std::uint32_t score_degree(std::uint32_t n) { return 2 * (2 * (2 + 2 * n) + 2); }

Law frequency_range() {
  const std::uint32_t degree = 4;
  return certified_inequality(
      "sanatan.rotation_frequency_stays_below_its_maximum",
      "lambda_max^2 - lambda^2 = lambda_max^2 (1 - tanh^2) > 0; 2047 steps of 1/100 turn by 20.47",
      "[SANATAN] s3.1-3.2; [SANATAN-notes] s2.2; SAN-018", degree, 16, []<class K>(Source<K>& from) {
        const K maximum = K(1) / K(100), raw = from.value(), value = from.bounded() / K(2);
        const K lambda = frequency(raw, maximum, [&](const K&) { return value; });
        FirstFailure found;
        found.note(
            same("margin", K(maximum * maximum - lambda * lambda), K(maximum * maximum * (K(1) - value * value))));
        found.note(same("turn at t = 2047", rotated(K(0), 2047, maximum), K(K(2047) / K(100))));
        if constexpr (OrderedScalar<K>)
          found.note(holds_if(-maximum < lambda && lambda < maximum, "lambda = " + text_of(lambda)));
        return found.outcome();
      });
}

Law relative_positions() {
  return generic_identity(
      "sanatan.phase_difference_sees_only_the_distance",
      "rot(q, t) - rot(k, j) = q - k + (t - j) lambda; with lambda_q != lambda_k it sees j too",
      "[SANATAN] App. A eq. 10-14; [SANATAN-notes] s2.2; SAN-019", score_degree(19), 16, []<class K>(Source<K>& from) {
        const auto t = static_cast<std::int64_t>(from.size("t", 0, 16));
        const auto j = static_cast<std::int64_t>(from.size("j", 0, 16));
        const CircleAngle<K> q = from.angle(), k = from.angle(), lambda = from.angle(), other = from.angle();
        const auto difference = [&](std::int64_t t, std::int64_t j, const CircleAngle<K>& lambda_k) {
          return rotated(q, t, lambda) - rotated(k, j, lambda_k);
        };
        return all_of(
            {same("cos", difference(t, j, lambda).cosine, (q - k + multiple(t - j, lambda)).cosine),
             same("sin", difference(t, j, lambda).sine, (q - k + multiple(t - j, lambda)).sine),
             holds_if(difference(t + 3, j + 3, lambda) == difference(t, j, lambda), "moved by a shift"),
             differs("lambda of its own for keys", difference(t + 3, j + 3, other), difference(t, j, other))});
      });
}

/// One query and one key, d = 1, and the head that encodes them.
template <class K>
struct Pair {
  Matrix<CircleAngle<K>> q, k;
  AngleParameters<CircleAngle<K>, K> head;
  axiom::Tanh<K> tanh;

  explicit Pair(Source<K>& from)
      : q(from.angles(1, 1)), k(from.angles(1, 1)), head{from.angles(1), from.angles(1), from.nonzero()}, tanh([&from] {
          return from.free();
        }) {}

  K score(const Encoding<K>& x, const Encoding<K>& y) const {
    return scores(features(Channels::six, x), features(Channels::six, y))(0, 0);
  }
  K score_at(std::int64_t t, std::int64_t j) const { return score(encode(q, head, t, tanh), encode(k, head, j, tanh)); }

  /// The order that the paper does not use: rotate, then label.
  K score_labelled_after(std::int64_t t, std::int64_t j) const {
    const auto turned = [this](const Matrix<CircleAngle<K>>& theta, std::int64_t t) {
      return encode(Matrix<CircleAngle<K>>(1, 1, rotated(theta(0, 0), t, head.lambda[0])), head, 0, tanh);
    };
    return score(turned(q, t), turned(k, j));
  }
};

Law labels_before_rotation() {
  return generic_identity("sanatan.labels_before_rotation_keep_shift_invariance",
                          "kappa(t + n, j + n) = kappa(t, j) when r is taken from the content angle",
                          "[SANATAN] s3.1-3.2; [SANATAN-notes] s2.2; SAN-020", score_degree(21), 16,
                          []<class K>(Source<K>& from) {
                            const Pair<K> pair(from);
                            const auto n = static_cast<std::int64_t>(from.size("n", 1, 16));
                            return same("score", pair.score_at(5 + n, 2 + n), pair.score_at(5, 2));
                          });
}

Law labels_after_rotation() {
  return generic_identity(
      "sanatan.labels_after_rotation_break_shift_invariance",
      "with r taken from the rotated angle kappa(t + n, j + n) != kappa(t, j), unless lambda = 0",
      "[SANATAN] s3.1-3.2; [SANATAN-notes] s2.2; SAN-020", score_degree(21), 16, []<class K>(Source<K>& from) {
        Pair<K> pair(from);
        const auto n = static_cast<std::int64_t>(from.size("n", 1, 16));
        const Outcome control =
            differs("labels after rotation", pair.score_labelled_after(5 + n, 2 + n), pair.score_labelled_after(5, 2));
        pair.head.lambda[0] = {K(1), K(0)};
        return all_of(
            {control, same("score at lambda = 0", pair.score_labelled_after(5 + n, 2 + n), pair.score_at(5, 2))});
      });
}

Law position_table() {
  return generic_identity(
      "sanatan.a_position_table_breaks_shift_invariance",
      "content angles moved by a table P[t] make kappa(t + n, j + n) != kappa(t, j); an empty table does not",
      "[SANATAN-notes] s2.2, s3.2; SAN-021", score_degree(7), 16, []<class K>(Source<K>& from) {
        const Pair<K> pair(from);
        const std::vector<CircleAngle<K>> table = from.angles(8), empty(8);
        const auto score = [&](std::size_t t, std::size_t j, const std::vector<CircleAngle<K>>& p) {
          Pair<K> moved = pair;
          moved.q(0, 0) = pair.q(0, 0) + p.at(t);
          moved.k(0, 0) = pair.k(0, 0) + p.at(j);
          return moved.score_at(static_cast<std::int64_t>(t), static_cast<std::int64_t>(j));
        };
        return all_of({same("score without a table", score(7, 4, empty), score(5, 2, empty)),
                       differs("a position table", score(7, 4, table), score(5, 2, table))});
      });
}

}  // namespace

std::vector<Law> sanatan_rotation_laws() {
  return {frequency_range(), relative_positions(), labels_before_rotation(), labels_after_rotation(), position_table()};
}

}  // namespace assay
