#include "oracle/sanatan/tensor_power.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "oracle/sanatan/recurrence.hpp"
#include "oracle/sanatan/scores.hpp"
#include "oracle/sanatan/sizes.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/encodings.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

Law tensor_powers() {
  const std::uint32_t degree = 16;  // (φ φ')^p, φ free of degree 2
  return identity(
      "sanatan.power_of_the_kernel_is_the_kernel_of_tensor_powers",
      "<Phi(q), Phi(k)>^p = <Phi(q)^(x)p, Phi(k)^(x)p>, p = 1..4, d = 1, 2", "[SANATAN-notes] s2.6; SAN-049", degree, 3,
      []<class K>(Source<K>& from) {
        FirstFailure found;
        for (std::size_t d = 1; d <= 2; ++d) {
          const Matrix<K> q = features(Channels::six, free_encoding(from, 1, d));
          const Matrix<K> k = features(Channels::six, free_encoding(from, 1, d));
          for (int p = 1; p <= 4; ++p) {
            const auto tensor_q = tensor_power<K>(q.row(0), p), tensor_k = tensor_power<K>(k.row(0), p);
            found.note(same("features", std::uint64_t{tensor_q.size()}, tensor_feature_count(6 * d, p)));
            found.note(same("score", dot<K>(tensor_q, tensor_k), integer_power(dot<K>(q.row(0), k.row(0)), p)));
          }
        }
        return found.outcome();
      });
}

template <class K>
K weighted_inner(const WeightedFeatures<K>& x, const WeightedFeatures<K>& y) {
  K sum(0);
  for (std::size_t m = 0; m < x.value.size(); ++m) sum = sum + x.weight[m] * x.value[m] * y.value.at(m);
  return sum;
}

Law symmetric_powers() {
  const std::uint32_t degree = 16;
  return identity(
      "sanatan.symmetric_power_needs_each_monomial_once",
      "<x, y>^p = sum_m multinomial(m) x^m y^m over C(F + p - 1, p) monomials", "[SANATAN-notes] s2.6; SAN-051", degree,
      3, []<class K>(Source<K>& from) {
        FirstFailure found;
        for (const std::size_t F : {1, 2, 6, 12}) {
          const std::vector<K> x = from.values(F), y = from.values(F);
          for (int p = 1; p <= 4; ++p) {
            const auto power_x = symmetric_power<K>(x, p), power_y = symmetric_power<K>(y, p);
            found.note(same("features", std::uint64_t{power_x.value.size()}, symmetric_feature_count(F, p)));
            found.note(same("score", weighted_inner(power_x, power_y), integer_power(dot<K>(x, y), p)));
          }
        }
        return found.outcome();
      });
}

Law angular_powers() {
  const std::uint32_t degree = 40;  // each side: four labels of each token, two points to the fourth
  return identity(
      "sanatan.powered_kernel_of_one_dimension_has_its_rank_in_features",
      "((1 + rho)(1 + cos D))^p in (p + 1)(2p + 1) features r^i cos m a, r^i sin m a: 6, 15, 28, 45",
      "[SANATAN-notes] s2.6; SAN-051, SAN-053", degree, 8, []<class K>(Source<K>& from) {
        const CircleAngle<K> a = from.angle(), b = from.angle();
        const K r = from.value(), r2 = from.value();
        const K score = dimension_score(Channels::six, K(r * r2), (a - b).cosine);
        FirstFailure found;
        for (int p = 1; p <= 4; ++p) {
          const auto power_q = angular_power(a, r, p), power_k = angular_power(b, r2, p);
          found.note(same("features", power_q.value.size(), static_cast<std::size_t>((p + 1) * (2 * p + 1))));
          found.note(same("score", weighted_inner(power_q, power_k), integer_power(score, p)));
        }
        return found.outcome();
      });
}

Law feature_counts() {
  return settled<Rational>(
      "sanatan.feature_counts_of_powers",
      "d = 64: (6d)^p = 384; 147,456; 21,743,271,936; C(6d+p-1, p) = 73,920; 920,193,120; C(5d+p, p) = 51,681; "
      "450,710,001",
      "[SANATAN-notes] s2.6; SAN-050, SAN-051", []<class K>(Source<K>&) {
        const std::uint64_t six = feature_count(Channels::six, 64), merged = merged_feature_count(64);
        return all_of({same("p = 1", tensor_feature_count(six, 1), std::uint64_t{384}),
                       same("p = 2", tensor_feature_count(six, 2), std::uint64_t{147456}),
                       same("p = 4", tensor_feature_count(six, 4), std::uint64_t{21743271936}),
                       same("symmetric p = 2", symmetric_feature_count(six, 2), std::uint64_t{73920}),
                       same("symmetric p = 4", symmetric_feature_count(six, 4), std::uint64_t{920193120}),
                       same("merged p = 2", symmetric_feature_count(merged, 2), std::uint64_t{51681}),
                       same("merged p = 4", symmetric_feature_count(merged, 4), std::uint64_t{450710001}),
                       same("value state p = 2", state_entries(tensor_feature_count(six, 2), 64) - 147456,
                            std::uint64_t{147456 * 64})});
      });
}

/// Weighted features as two matrices, the weights on the queries.
template <class K, class Map>
std::pair<Matrix<K>, Matrix<K>> mapped(std::size_t T, Map features_at) {
  const std::size_t F = features_at(0, true).value.size();
  Matrix<K> q(T, F), k(T, F);
  for (std::size_t t = 0; t < T; ++t) {
    const auto x = features_at(t, true), y = features_at(t, false);
    for (std::size_t f = 0; f < F; ++f) {
      q(t, f) = x.weight[f] * x.value[f];
      k(t, f) = y.value[f];
    }
  }
  return {q, k};
}

Law fixed_state_for_powers() {
  const std::uint32_t degree =
      1024;  // two sides of a row: points of a query and six keys to the fourth, labels, c and v
  return identity(
      "sanatan.a_fixed_state_exists_for_every_power",
      "d = 1: recurrences over C(5 + p, p) = 21 and (p + 1)(2p + 1) = 15 features (p = 2; p = 1..4) equal the parallel "
      "form",
      "[SANATAN-notes] s2.6; SAN-053", degree, 4, []<class K>(Source<K>& from) {
        const std::size_t T = from.size("T", 1, 6), dv = from.size("dv", 1, 3);
        const auto angle_q = from.angles(T, 1), angle_k = from.angles(T, 1);
        const Encoding<K> q = encoding_of(angle_q, from.values(T, 1));
        const Encoding<K> k = encoding_of(angle_k, from.values(T, 1));
        const Matrix<K> phi_q = features(Channels::six, q), phi_k = features(Channels::six, k);
        const Matrix<K> v = from.values(T, dv);
        FirstFailure found;
        for (int p = 1; p <= 4; ++p) {
          const WeightRule<K> rule{p, K(4), from.nonzero()};
          const Matrix<K> want = attention(scores(phi_q, phi_k), v, rule);
          const auto run = [&](const std::pair<Matrix<K>, Matrix<K>>& phi) {
            const State<K> empty = empty_state<K>(phi.first.cols(), dv);
            return normalised(recurrence(phi.first, phi.second, v, empty).sums, raw_epsilon(rule));
          };
          found.note(same(
              "monomials",
              run(mapped<K>(
                  T, [&](std::size_t t, bool query) { return symmetric_power<K>((query ? phi_q : phi_k).row(t), p); })),
              want));
          found.note(same("harmonics",
                          run(mapped<K>(T,
                                        [&](std::size_t t, bool query) {
                                          return query ? angular_power(angle_q(t, 0), q.label(t, 0), p)
                                                       : angular_power(angle_k(t, 0), k.label(t, 0), p);
                                        })),
                          want));
        }
        return found.outcome();
      });
}

}  // namespace

std::vector<Law> sanatan_tensor_power_laws() {
  return {tensor_powers(), symmetric_powers(), angular_powers(), feature_counts(), fixed_state_for_powers()};
}

}  // namespace assay
