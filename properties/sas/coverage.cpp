#include "oracle/sas/coverage.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/sas/attention.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/laws.hpp"

namespace assay {
namespace {

using namespace sas;

std::vector<Rational> drawn_weights(Source<Rational>& from, std::size_t n) {
  std::vector<Rational> w;
  for (const auto& z : drawn_scores(from, n)) w.push_back(z.power);
  return w;
}

/// Cov of B_0 and the selected blocks.
Rational covered(const std::vector<Rational>& w, const BlockSet& selected, const QueryPlace& place) {
  const auto tokens = tokens_of(selected, place);
  return coverage(std::span<const Rational>(w), tokens);
}

Law share() {
  return inequality("sas.coverage_is_a_share_that_grows_with_the_set",
                    "0 <= Cov(S) <= Cov(S + block) <= 1, Cov(all) = 1; w = e^z: the dense weight that S holds, 0 < Cov",
                    "[SAS] eq. 10; [SAS-notes] s4.6; SAS-056", 16, [](Source<Rational>& from) {
                      const QueryPlace place = drawn_place(from);
                      const auto x = drawn_query(from, place);
                      std::vector<Rational> w;
                      for (const auto& z : x.z) w.push_back(z.power);
                      BlockSet grown;
                      Rational last = covered(w, grown, place);
                      FirstFailure found;
                      found.note(holds_if(Rational(0) < last, "Cov(B_0) = " + text_of(last)));
                      for (std::size_t m = 0; m < place.history(); ++m) {
                        grown.push_back(m);
                        const Rational next = covered(w, grown, place);
                        found.note(holds_if(!(next < last) && !(Rational(1) < next), "Cov = " + text_of(next)));
                        last = next;
                      }
                      found.note(same("all", last, Rational(1)));
                      const BlockSet selected = drawn_blocks(from, place.history());
                      const Rational odds = exp_score(lse_of(inference_terms(x, selected)) - lse_of(dense_terms(x)));
                      found.note(same("dense weight", covered(w, selected, place), odds));
                      return found.outcome();
                    });
}

Law best_blocks() {
  return inequality("sas.top_k_of_block_masses_covers_most_of_all_sets_of_k_blocks",
                    "Cov(TopK(masses)) >= Cov(I) for each of the C over K sets I", "own, on [SAS] eq. 10; SAS-056", 16,
                    [](Source<Rational>& from) {
                      const QueryPlace place = drawn_place(from, 0, 5);
                      const std::size_t C = place.history(), K = from.size("K", 0, static_cast<std::int64_t>(C));
                      const std::vector<Rational> w = drawn_weights(from, place.visible());
                      const std::vector<Rational> mass = block_masses(std::span<const Rational>(w), place);
                      const Rational most = covered(w, top_k(std::span<const Rational>(mass), K), place);
                      FirstFailure found;
                      for (unsigned bits = 0; bits < 1u << C; ++bits) {
                        if (static_cast<std::size_t>(std::popcount(bits)) != K) continue;
                        BlockSet set;
                        for (std::size_t m = 0; m < C; ++m)
                          if (bits >> m & 1) set.push_back(m);
                        found.note(holds_if(!(most < covered(w, set, place)), "another set covers more"));
                      }
                      return found.outcome();
                    });
}

/// e^z |v| counts two blocks of opposite values, which leave o as it is.
Law blind_to_direction() {
  return settled<Rational>("sas.value_norms_do_not_see_that_values_cancel",
                           "v = (9, -9, 1), z = 0: blocks 1 and 2 hold 18/19 of e^z |v|; without them o = 1 instead of "
                           "1/3; v = o: weight above 0",
                           "[SAS-notes] s4.6; SAS-057", []<class K>(Source<K>&) {
                             using Z = Logarithm<K>;
                             const QueryPlace place{2, 1};
                             Matrix<K> v(3, 1);
                             v(0, 0) = K(9);
                             v(1, 0) = K(-9);
                             v(2, 0) = K(1);
                             const std::vector<K> w{K(9), K(9), K(1)};
                             const std::vector<std::size_t> pair{0, 1};
                             const Query<Z> x{place, std::vector<Z>(3), std::vector<Z>(2)};
                             const auto o = [&](const BlockSet& selected) {
                               return attention(inference_terms(x, selected), v).o[0];
                             };
                             Matrix<K> same_value(3, 1, K(2));
                             const auto all = attention(dense_terms(x), same_value).o[0];
                             const auto fewer = attention(inference_terms(x, {0}), same_value).o[0];
                             return all_of({same("Cov of the pair", coverage(std::span<const K>(w), pair), K(18, 19)),
                                            same("numerator of all", K(o({0, 1}) * K(3)), K(1)),
                                            same("without", o({}), K(1)), same("v = o", fewer, all)});
                           });
}

Law refusals() {
  return settled<Rational>("sas.coverage_of_no_weight_is_refused", "sum w = 0; a token that is not there", "own",
                           []<class K>(Source<K>&) {
                             const std::vector<K> none{K(0), K(0)}, w{K(1), K(1)};
                             const std::vector<std::size_t> tokens{0}, beyond{2};
                             return all_of({refused("no weight", [&] { coverage(std::span<const K>(none), tokens); }),
                                            refused("token 2 of 2", [&] { coverage(std::span<const K>(w), beyond); })});
                           });
}

}  // namespace

std::vector<Law> sas_coverage_laws() { return {share(), best_blocks(), blind_to_direction(), refusals()}; }

}  // namespace assay
