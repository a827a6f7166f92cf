#include "oracle/sas/selection.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "oracle/sas/attention.hpp"
#include "properties/enumerated.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/laws.hpp"

namespace assay {
namespace {

using namespace sas;

template <class Z>
BlockSet best(const std::vector<Z>& s, std::size_t K) {
  return top_k(std::span<const Z>(s), K);
}

/// Every weak order of up to 5 scores, each by some of its scores: a selection depends on nothing else.
template <class Visit>
void for_every_order(Visit visit) {
  for (std::size_t C = 0; C <= 5; ++C) {
    std::size_t patterns = 1;
    for (std::size_t m = 0; m < C; ++m) patterns *= C;
    for (std::size_t pattern = 0; pattern < patterns; ++pattern) {
      std::vector<int> s;
      for (std::size_t m = 0, rest = pattern; m < C; ++m, rest /= C) s.push_back(static_cast<int>(rest % C));
      visit(s);
    }
  }
}

Law by_rank() {
  return enumerated(
      "sas.top_k_takes_the_blocks_that_fewer_than_k_rank_before",
      "m is in TopK iff fewer than K blocks score higher, or as high and earlier; K = 0: none, K >= C: all",
      "[SAS] eq. 3; [SAS-notes] s2.2; SAS-003", "orders of up to 5 scores", [] {
        FirstFailure found;
        for_every_order([&](const std::vector<int>& s) {
          const std::size_t C = s.size();
          for (std::size_t K = 0; K <= C + 1; ++K) {
            BlockSet wanted;
            for (std::size_t m = 0; m < C; ++m) {
              std::size_t before = 0;
              for (std::size_t n = 0; n < C; ++n) before += s[n] > s[m] || (s[n] == s[m] && n < m);
              if (before < K) wanted.push_back(m);
            }
            found.note(same("TopK", best(s, K), wanted));
          }
          found.note(same("all", best(s, C), all_blocks(C)));
        });
        return found.outcome();
      });
}

/// Each score moves by less than half the gap, so no pair across it changes its order.
Law locally_constant() {
  return inequality("sas.scores_moved_by_less_than_half_the_gap_select_the_same_blocks",
                    "|delta| < (s_(K) - s_(K+1)) / 2: TopK(s + delta) = TopK(s), and the sparse output is the same",
                    "[SAS-notes] s1.1; SAS-006", 16, [](Source<Rational>& from) {
                      const std::size_t C = from.size("C", 2, 6),
                                        K = from.size("K", 1, static_cast<std::int64_t>(C) - 1);
                      const std::vector<Rational> s = from.values(C);
                      std::vector<Rational> falling = s;
                      std::ranges::sort(falling, std::greater<>());
                      const Rational gap = falling[K - 1] - falling[K];
                      if (gap == 0) return Outcome::rejected("a tie at rank K");
                      std::vector<Rational> moved = s;
                      for (Rational& score : moved)
                        score += gap / 2 * Rational(static_cast<int>(from.below(19)) - 9, 10);
                      return same("TopK", best(moved, K), best(s, K));
                    });
}

Law jump() {
  return settled<Rational>(
      "sas.the_sparse_output_jumps_where_two_blocks_tie",
      "s = (h, -h): K = 1 reads v = 1 for h > 0, v = 2 for h < 0, however small h; at fixed I it is constant",
      "[SAS-notes] s2.2; SAS-006, SAS-010", []<class K>(Source<K>&) {
        using Z = Logarithm<K>;
        Matrix<K> v(3, 1);
        v(0, 0) = K(1);
        v(1, 0) = K(2);
        const auto output = [&](const K& h, const BlockSet* fixed) {
          const std::vector<K> s{h, K(-h)};
          const Query<Z> x{{2, 1}, {{K(1)}, {K(1)}, {K(1)}}, {{K(1)}, {K(1)}}};
          return attention(inference_terms(x, fixed ? *fixed : best(s, 1)), v).o[0];
        };
        const BlockSet first{0};
        FirstFailure found;
        for (K h = K(1); K(1, 1 << 20) < h; h = h / K(2)) {
          found.note(same("above", output(h, nullptr), K(1, 2)));
          found.note(same("below", output(K(-h), nullptr), K(1)));
          found.note(same("fixed", output(K(-h), &first), K(1, 2)));
        }
        return found.outcome();
      });
}

Law monotone() {
  return inequality("sas.gates_select_what_scores_select",
                    "TopK(g) = TopK(s) for softmax and sigmoid gates, ties included", "[SAS-notes] s2.3; SAS-012", 16,
                    [](Source<Rational>& from) {
                      using Z = Logarithm<Rational>;
                      const std::size_t C = from.size("C", 1, 6), K = from.size("K", 0, 6);
                      std::vector<Z> s = drawn_scores(from, C);
                      if (C > 1) s[C - 1] = s[0];
                      FirstFailure found;
                      for (const Normalisation rule : {Normalisation::softmax, Normalisation::sigmoid})
                        found.note(same("TopK", best(gates(std::span<const Z>(s), rule), K), best(s, K)));
                      return found.outcome();
                    });
}

/// e^-104 < 2^-150: float32 holds no such power, so gates tie where scores do not.
Law underflow() {
  return enumerated("sas.float32_gates_that_underflow_select_other_blocks_than_scores",
                    "s = (0, -110, -105), K = 2: scores take blocks 1 and 3, gates of float32 blocks 1 and 2",
                    "own; SAS-012", "float", [] {
                      const std::vector<float> s{0, -110, -105};
                      std::vector<float> g;
                      for (const float score : s) g.push_back(std::exp(score) / std::exp(s[0]));
                      return all_of({same("scores", best(s, 2), BlockSet{0, 2}),
                                     same("gates", best(g, 2), BlockSet{0, 1}), same("gate", g[2], 0.0f)});
                    });
}

Law by_threshold() {
  return enumerated(
      "sas.a_threshold_selects_top_k_iff_ranks_k_and_k_plus_1_differ",
      "{m : s_m >= tau}, tau the K-th largest, contains TopK, and is TopK iff K = 0, K >= C or no tie at rank K",
      "[SAS-notes] s2.8, alg. 3; SAS-047", "orders of up to 5 scores", [] {
        FirstFailure found;
        for_every_order([&](const std::vector<int>& s) {
          const std::size_t C = s.size();
          std::vector<int> falling = s;
          std::ranges::sort(falling, std::greater<>());
          for (std::size_t K = 0; K <= C + 1; ++K) {
            const bool tied = K > 0 && K < C && falling[K - 1] == falling[K];
            const BlockSet chosen = best(s, K), passes = threshold_top_k(std::span<const int>(s), K);
            found.note(same("without a tie", passes == chosen, !tied));
            found.note(same("contains TopK", std::ranges::includes(passes, chosen), true));
            found.note(same("more than K", passes.size() > std::min(K, C), tied));
          }
        });
        return found.outcome();
      });
}

Law refusals() {
  return enumerated("sas.scores_that_are_no_numbers_select_nothing",
                    "NaN is refused, as is a threshold at K = 0 or K > C", "own", "double", [] {
                      const std::vector<double> nan{1, std::numeric_limits<double>::quiet_NaN()}, s{1, 2};
                      return all_of({refused("NaN", [&] { best(nan, 1); }),
                                     refused("K = 0", [&] { threshold(std::span<const double>(s), 0); }),
                                     refused("K > C", [&] { threshold(std::span<const double>(s), 3); })});
                    });
}

}  // namespace

std::vector<Law> sas_selection_laws() {
  return {by_rank(), locally_constant(), jump(), monotone(), underflow(), by_threshold(), refusals()};
}

}  // namespace assay
