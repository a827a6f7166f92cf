#include "oracle/sanatan/rotation.hpp"

#include "oracle/axioms.hpp"
#include "oracle/sanatan/scores.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

/// κ(θ_q at position t, θ_k at position j) in one dimension, with labels from `label_q`, `label_k`.
template <class K>
K score_of(const CircleAngle<K>& q, const K& label_q, const CircleAngle<K>& k, const K& label_k) {
  return dimension_score(Channels::six, K(label_q * label_k), (q - k).cosine);
}

Law frequency_range() {
  return inequality("sanatan.rotation_frequency_stays_below_its_maximum",
                    "|lambda_max tanh(x)| < lambda_max as |tanh| < 1; 2047 steps of 1/100 turn by 20.47",
                    "[SANATAN] s3.2; [SANATAN-notes] s2.2; SAN-018", 32, []<class K>(Source<K>& from) {
                      const auto below_one = [](const K& x) { return K(x / (K(1) + (x < K(0) ? K(-x) : x))); };
                      const K maximum = K(1) / K(100), raw = from.value();
                      const K lambda = frequency(raw, maximum, below_one);
                      return all_of({holds_if(-maximum < lambda && lambda < maximum, "lambda = " + text_of(lambda)),
                                     same("turn at t = 2047", rotated(K(0), 2047, maximum), K(K(2047) / K(100)))});
                    });
}

Law relative_positions() {
  const std::uint32_t degree = 132;  // both sides: angles of degree 2 turned at most 16 + 8 steps, degree 2 a step
  return generic_identity(
      "sanatan.phase_difference_sees_only_the_distance",
      "rot(q, t) - rot(k, j) = q - k + (t - j) lambda; with lambda_q != lambda_k it sees j too",
      "[SANATAN] App. A eq. 10-14; [SANATAN-notes] s2.2; SAN-019", degree, 16, []<class K>(Source<K>& from) {
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

template <class K>
struct ShiftTrial {
  CircleAngle<K> q, k, omega, lambda;
  K gamma;
  axiom::Tanh<K> tanh;

  explicit ShiftTrial(Source<K>& from)
      : q(from.angle()),
        k(from.angle()),
        omega(from.angle()),
        lambda(from.angle()),
        gamma(from.nonzero()),
        tanh([&from] { return from.free(); }) {}

  K content_label(const CircleAngle<K>& theta) const { return label(theta, omega, gamma, tanh); }

  K label_before(std::int64_t t, std::int64_t j) const {
    return score_of(rotated(q, t, lambda), content_label(q), rotated(k, j, lambda), content_label(k));
  }
  K label_after(std::int64_t t, std::int64_t j) const {
    const CircleAngle<K> turned_q = rotated(q, t, lambda), turned_k = rotated(k, j, lambda);
    return score_of(turned_q, content_label(turned_q), turned_k, content_label(turned_k));
  }
};

Law labels_before_rotation() {
  const std::uint32_t degree = 132;  // as phase_difference_sees_only_the_distance; labels are free
  return generic_identity("sanatan.labels_before_rotation_keep_shift_invariance",
                          "kappa(t + n, j + n) = kappa(t, j) when r is taken from the content angle",
                          "[SANATAN] s3.2; [SANATAN-notes] s2.2; SAN-020", degree, 16, []<class K>(Source<K>& from) {
                            const ShiftTrial<K> trial(from);
                            const auto n = static_cast<std::int64_t>(from.size("n", 1, 16));
                            return same("score", trial.label_before(5 + n, 2 + n), trial.label_before(5, 2));
                          });
}

Law labels_after_rotation() {
  const std::uint32_t degree = 132;
  return generic_identity("sanatan.labels_after_rotation_break_shift_invariance",
                          "with r taken from the rotated angle kappa(t + n, j + n) != kappa(t, j), unless lambda = 0",
                          "[SANATAN] s3.2; [SANATAN-notes] s2.2; SAN-020", degree, 16, []<class K>(Source<K>& from) {
                            ShiftTrial<K> trial(from);
                            const auto n = static_cast<std::int64_t>(from.size("n", 1, 16));
                            const Outcome control = differs("labels after rotation", trial.label_after(5 + n, 2 + n),
                                                            trial.label_after(5, 2));
                            trial.lambda = {K(1), K(0)};
                            return all_of({control, same("score at lambda = 0", trial.label_after(5 + n, 2 + n),
                                                         trial.label_before(5, 2))});
                          });
}

Law position_table() {
  const std::uint32_t degree = 16;
  return generic_identity(
      "sanatan.a_position_table_breaks_shift_invariance",
      "content angles moved by a table P[t] make kappa(t + n, j + n) != kappa(t, j); an empty table does not",
      "[SANATAN-notes] s2.2, s3.2; SAN-021", degree, 16, []<class K>(Source<K>& from) {
        const ShiftTrial<K> trial(from);
        const std::vector<CircleAngle<K>> table = from.angles(8), empty(8);
        const auto score = [&](std::size_t t, std::size_t j, const std::vector<CircleAngle<K>>& p) {
          ShiftTrial<K> moved = trial;
          moved.q = trial.q + p.at(t);
          moved.k = trial.k + p.at(j);
          return moved.label_before(static_cast<std::int64_t>(t), static_cast<std::int64_t>(j));
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
