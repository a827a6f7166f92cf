#include "oracle/sanatan/recurrence.hpp"

#include <cstddef>
#include <cstdint>

#include "oracle/sanatan/attention.hpp"
#include "oracle/sanatan/merged_features.hpp"
#include "oracle/sanatan/scores.hpp"
#include "oracle/sanatan/sizes.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/encodings.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

/// Features of T tokens from free c, s, r, and free values.
template <class K>
struct Tokens {
  std::size_t T, d, dv;
  Matrix<K> phi_q, phi_k, v;

  Tokens(Source<K>& from, std::int64_t longest)
      : T(from.size("T", 0, longest)),
        d(from.size("d", 1, 4)),
        dv(from.size("dv", 1, 5)),
        phi_q(features(Channels::six, free_encoding(from, T, d))),
        phi_k(features(Channels::six, free_encoding(from, T, d))),
        v(from.values(T, dv)) {}

  State<K> empty() const { return empty_state<K>(phi_q.cols(), dv); }
};

/// N has degree 5, D 4; cross-multiplied, with c and ε.
constexpr std::uint32_t quotient_degree = 5 + 4 + 2;

Law sums_exchange() {
  const std::uint32_t degree = 5;
  return identity(
      "sanatan.sums_over_tokens_are_reads_of_the_state",
      "sum_{j<=t} s_tj v_j = Phi(q_t)^T S_t, sum_{j<=t} s_tj = Phi(q_t)^T z_t; S_T = sum Phi(k_j) v_j^T",
      "[SANATAN] s3.5; [SANATAN-notes] s2.7; [SANATAN-post]; SAN-055, SAN-056", degree, 12,
      []<class K>(Source<K>& from) {
        const Tokens<K> x(from, 20);
        const Readout<K> sums =
            weighted_sums(causal_weights(scores(x.phi_q, x.phi_k), WeightRule<K>{1, K(1), K(0)}), x.v);
        const Run<K> run = recurrence(x.phi_q, x.phi_k, x.v, x.empty());
        return all_of({same("N", run.sums.numerator, sums.numerator), same("D", run.sums.denominator, sums.denominator),
                       same("S", run.state.S, transpose(x.phi_k) * x.v), same("z", run.state.z, column_sums(x.phi_k))});
      });
}

Law equals_parallel() {
  return identity("sanatan.recurrence_equals_parallel_attention",
                  "o_t = Phi(q_t)^T S_t / (Phi(q_t)^T z_t + c eps), update first, is the parallel form of p = 1 for "
                  "every t, T = 0, 1, ...",
                  "[SANATAN] s3.4-3.5 eq. 9; [SANATAN-notes] s2.7; [SANATAN-post]; SAN-057", quotient_degree, 16,
                  []<class K>(Source<K>& from) {
                    const Tokens<K> x(from, 12);
                    const WeightRule<K> rule{1, from.nonzero(), from.value()};
                    const Readout<K> sums = recurrence(x.phi_q, x.phi_k, x.v, x.empty()).sums;
                    return same("o", normalised(sums, raw_epsilon(rule)),
                                attention(scores(x.phi_q, x.phi_k), x.v, rule));
                  });
}

Law zero_total() {
  return settled<Rational>(
      "sanatan.recurrence_gives_zero_where_every_score_is_zero",
      "complementary hard labels: N = D = 0, o = 0/eps = 0; eps = 0 is refused", "[SANATAN-notes] s2.7; SAN-057",
      []<class K>(Source<K>& from) {
        const std::size_t T = 3, d = 2;
        const auto with_label = [&](int r) {
          return features(Channels::six, encoding_of(from.angles(T, d), Matrix<K>(T, d, K(r))));
        };
        const Readout<K> sums =
            recurrence(with_label(1), with_label(-1), from.values(T, 1), empty_state<K>(6 * d, 1)).sums;
        return all_of({same("N", sums.numerator, Matrix<K>(T, 1)), same("D", sums.denominator, std::vector<K>(T, K(0))),
                       same("o", normalised(sums, K(K(1) / K(1000000))), Matrix<K>(T, 1)),
                       refused("0/0", [&] { normalised(sums, K(0)); })});
      });
}

Law strict_mask() {
  return generic_identity("sanatan.read_before_update_is_the_strict_mask",
                          "reading first sums over j < t, so that o_1 = 0/eps = 0; it differs from j <= t",
                          "[SANATAN-notes] s2.7; SAN-058", quotient_degree, 12, []<class K>(Source<K>& from) {
                            const Tokens<K> x(from, 8);
                            if (x.T == 0) return Outcome::holds();
                            Matrix<K> strict = scores(x.phi_q, x.phi_k);
                            for (std::size_t t = 0; t < x.T; ++t) strict(t, t) = K(0);
                            const WeightRule<K> rule{1, K(1), from.nonzero()};
                            const auto o = [&](Order order) {
                              return normalised(recurrence(x.phi_q, x.phi_k, x.v, x.empty(), order).sums, rule.epsilon);
                            };
                            const Matrix<K> read_first = o(Order::read_then_update);
                            const std::vector<K> first(read_first.row(0).begin(), read_first.row(0).end());
                            return all_of({same("o", read_first, attention(strict, x.v, rule)),
                                           same("o_1", first, std::vector<K>(x.dv, K(0))),
                                           differs("read first", read_first, o(Order::update_then_read))});
                          });
}

Law epsilon_scale() {
  const std::uint32_t degree = 21;  // p = 4: N of degree 4 s and v over c^4, D and c^4 ε likewise, s free
  return generic_identity(
      "sanatan.raw_epsilon_is_c_to_the_p_epsilon",
      "weights (s/c)^p with eps and s^p with c^p eps give the same o; c eps at p > 1 and eps itself do not",
      "[SANATAN] s3.4-3.5 eq. 8-9; [SANATAN-notes] s2.7; SAN-059, SAN-061", degree, 12, []<class K>(Source<K>& from) {
        const std::size_t T = from.size("T", 1, 5);
        const Matrix<K> s = from.values(T, T), v = from.values(T, 2);
        const K c = from.nonzero(), epsilon = from.nonzero();
        FirstFailure found;
        for (int p = 1; p <= 4; ++p) {
          const WeightRule<K> scaled{p, c, epsilon};
          const Matrix<K> o = attention(s, v, scaled);
          const auto raw = [&](const K& epsilon) { return attention(s, v, WeightRule<K>{p, K(1), epsilon}); };
          found.note(same("o", raw(raw_epsilon(scaled)), o));
          found.note(differs("epsilon not rescaled", raw(epsilon), o));
          if (p > 1) found.note(differs("c epsilon", raw(c * epsilon), o));
        }
        return found.outcome();
      });
}

/// d = 64, ε = 10⁻⁶: the parallel code's c = 4d + 10⁻⁶ gives c ε, the notebook uses 4d · 10⁻⁶, eq. 8 has c = 4d.
Law conventions() {
  return settled<Rational>(
      "sanatan.normaliser_conventions_differ_below_float32",
      "(4d + 1e-6) 1e-6 - 4d 1e-6 = 1e-12: o changes by 1e-12/(sum s + eps_raw) <= 1e-6/4d = 3.90625e-9 < 2^-24; no "
      "rescale: up to 256",
      "[SANATAN-notes] s2.7; SAN-060", []<class K>(Source<K>&) {
        const K micro = K(1) / K(1000000), c = K(256);
        const K code = raw_epsilon(WeightRule<K>{1, c + micro, micro}),
                notebook = raw_epsilon(WeightRule<K>{1, c, micro});
        const auto o = [](const K& sum, const K& epsilon) {
          return attention(Matrix<K>(1, 1, sum), Matrix<K>(1, 1, K(1)), WeightRule<K>{1, K(1), epsilon})(0, 0);
        };
        FirstFailure found;
        found.note(same("eps_raw", code, K(c * micro + micro * micro)));
        for (const K& sum : {K(micro * micro), micro, K(1), K(256), K(256 * 2048)}) {
          const K change = o(sum, notebook) / o(sum, code) - K(1);
          found.note(same("relative change", change, K(micro * micro / (sum + notebook))));
          found.note(
              holds_if(K(0) < change && change < micro / c && change < K(1) / K(1 << 24), "change " + text_of(change)));
        }
        found.note(same("change at sum 256", K(o(K(256), notebook) / o(K(256), code) - K(1)),
                        K(micro * micro / (K(256) + notebook))));
        found.note(same("no rescale at sum 0", K(notebook / micro), K(256)));
        const K without = o(K(256), micro) / o(K(256), notebook) - K(1);
        found.note(holds_if(without < micro, "no rescale at sum 256: " + text_of(without)));
        return found.outcome();
      });
}

Law full_size() {
  return generic_identity(
      "sanatan.recurrence_equals_parallel_attention_at_full_size",
      "T = 130, d = dv = 64: N, D and o of every row, one head of the published model",
      "[SANATAN] s3.4-3.5 eq. 9; [SANATAN-notes] s2.7; SAN-057", quotient_degree, 1, []<class K>(Source<K>& from) {
        const std::size_t T = 130, d = 64;
        const Matrix<K> phi_q = features(Channels::six, free_encoding(from, T, d));
        const Matrix<K> phi_k = features(Channels::six, free_encoding(from, T, d));
        const Matrix<K> v = from.values(T, d);
        const WeightRule<K> rule{1, K(256), from.nonzero()};
        const Readout<K> sums = recurrence(phi_q, phi_k, v, empty_state<K>(6 * d, d)).sums;
        return same("o", normalised(sums, raw_epsilon(rule)), attention(scores(phi_q, phi_k), v, rule));
      });
}

Law merged_recurrence() {
  return identity("sanatan.recurrence_with_a_merged_constant_channel_gives_the_same_output",
                  "5d + 1 features, d in queries' constant column and 1 in keys': N and D of every row",
                  "[SANATAN-notes] s2.7; SAN-063", 5, 12, []<class K>(Source<K>& from) {
                    const Tokens<K> x(from, 8);
                    const Run<K> plain = recurrence(x.phi_q, x.phi_k, x.v, x.empty());
                    const K d(static_cast<int>(x.d));
                    const Run<K> merged = recurrence(merged_constant(Channels::six, x.phi_q, d),
                                                     merged_constant(Channels::six, x.phi_k, K(1)), x.v,
                                                     empty_state<K>(merged_feature_count(x.d), x.dv));
                    FirstFailure found;
                    found.note(same("N", merged.sums.numerator, plain.sums.numerator));
                    found.note(same("D", merged.sums.denominator, plain.sums.denominator));
                    for (std::size_t a = 1; a < x.d; ++a) {
                      found.note(same("z", plain.state.z[a], plain.state.z[0]));
                      found.note(same("row of S", plain.state.S.row(a), plain.state.S.row(0)));
                    }
                    return found.outcome();
                  });
}

Law order_of_writes() {
  return identity("sanatan.state_does_not_depend_on_the_order_of_its_writes",
                  "writing the same keys and values backwards leaves the same S and z: no decay, the transition is I",
                  "[SANATAN-notes] s1, s2.7; SAN-055, SAN-132", 3, 8, []<class K>(Source<K>& from) {
                    const Tokens<K> x(from, 8);
                    State<K> backwards = x.empty();
                    for (std::size_t t = x.T; t-- > 0;)
                      backwards = updated(std::move(backwards), x.phi_k.row(t), x.v.row(t));
                    const State<K> forwards = recurrence(x.phi_q, x.phi_k, x.v, x.empty()).state;
                    return all_of({same("S", backwards.S, forwards.S), same("z", backwards.z, forwards.z)});
                  });
}

}  // namespace

std::vector<Law> sanatan_recurrence_laws() {
  return {sums_exchange(), equals_parallel(), zero_total(),        strict_mask(),    epsilon_scale(),
          conventions(),   full_size(),       merged_recurrence(), order_of_writes()};
}

}  // namespace assay
