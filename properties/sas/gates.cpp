#include "oracle/sas/gates.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/laws.hpp"

namespace assay {
namespace {

using namespace sas;

template <class K>
std::vector<K> gates_of(const std::vector<Logarithm<K>>& s, Normalisation rule) {
  return gates(std::span<const Logarithm<K>>(s), rule);
}

/// A quotient of positive numbers is positive.
Law distribution() {
  return certified_inequality("sas.softmax_gates_are_positive_and_sum_to_one",
                              "g_m = e^{s_m} / sum_l e^{s_l} > 0, sum_m g_m = 1; C = 1: g_1 = 1",
                              "[SAS-notes] s2.2; SAS-001, SAS-031", 16, 8, []<class K>(Source<K>& from) {
                                const auto s = drawn_scores(from, from.size("C", 1, 6));
                                const std::vector<K> g = gates_of(s, Normalisation::softmax);
                                K powers(0), sum(0);
                                for (const auto& score : s) powers = powers + score.power;
                                FirstFailure found;
                                for (std::size_t m = 0; m < s.size(); ++m) {
                                  sum = sum + g[m];
                                  found.note(same("g times the sum of powers", K(g[m] * powers), s[m].power));
                                  if constexpr (OrderedScalar<K>)
                                    found.note(holds_if(K(0) < g[m], "g = " + text_of(g[m])));
                                }
                                found.note(same("sum", sum, K(1)));
                                if (s.size() == 1) found.note(same("only gate", g[0], K(1)));
                                return found.outcome();
                              });
}

Law definitions() {
  return identity("sas.log_gates_are_the_logarithms_of_three_rules",
                  "log g_m = s_m - LSE(s), s_m - LSE(0, s_m), s_m: g = e^s / sum e^s, 1 / (1 + e^-s), e^s",
                  "[SAS] eq. 6; [SAS-notes] s2.5; SAS-022", 16, 8, []<class K>(Source<K>& from) {
                    using Z = Logarithm<K>;
                    const auto s = drawn_scores(from, from.size("C", 1, 6));
                    const auto softmax = log_gates(std::span<const Z>(s)),
                               raw = log_gates(std::span<const Z>(s), Normalisation::raw);
                    const std::vector<K> sigmoid = gates_of(s, Normalisation::sigmoid);
                    K powers(0);
                    for (const Z& score : s) powers = powers + score.power;
                    FirstFailure found;
                    found.note(same("LSE", log_sum_exp(std::span<const Z>(s)), Z{powers}));
                    for (std::size_t m = 0; m < s.size(); ++m) {
                      found.note(same("softmax", softmax[m] + Z{powers}, s[m]));
                      found.note(same("sigmoid", K(sigmoid[m] * (K(1) + K(1) / s[m].power)), K(1)));
                      found.note(same("raw", raw[m], s[m]));
                    }
                    return found.outcome();
                  });
}

Law shift() {
  return generic_identity("sas.a_common_shift_of_scores_leaves_softmax_gates",
                          "s + a: softmax gates stay; sigmoid and raw ones do not",
                          "[SAS-notes] s2.5; SAS-023, SAS-025", 32, 8, []<class K>(Source<K>& from) {
                            auto s = drawn_scores(from, from.size("C", 1, 6)), shifted = s;
                            const auto a = drawn_score(from);
                            for (auto& score : shifted) score = score + a;
                            using enum Normalisation;
                            return all_of({same("softmax", gates_of(shifted, softmax), gates_of(s, softmax)),
                                           differs("sigmoid", gates_of(shifted, sigmoid), gates_of(s, sigmoid)),
                                           differs("raw", gates_of(shifted, raw), gates_of(s, raw))});
                          });
}

/// A sum of no powers is 0, which has no logarithm.
Law no_history() {
  return settled<F61>(
      "sas.without_history_no_lse_is_formed", "C = 0: no gate under every rule; LSE of no score is refused",
      "own; SAS-001, SAS-031", []<class K>(Source<K>&) {
        using Z = Logarithm<K>;
        FirstFailure found;
        for (const Normalisation rule : {Normalisation::softmax, Normalisation::sigmoid, Normalisation::raw})
          found.note(same("gates", gates_of(std::vector<Z>{}, rule), std::vector<K>{}));
        found.note(refused("LSE of no score", [] { log_sum_exp(std::span<const Z>()); }));
        return found.outcome();
      });
}

}  // namespace

std::vector<Law> sas_gates_laws() { return {distribution(), definitions(), shift(), no_history()}; }

}  // namespace assay
