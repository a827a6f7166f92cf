#include "oracle/sas/sizes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "arith/rational.hpp"
#include "oracle/sas/attention.hpp"
#include "oracle/sas/coverage.hpp"
#include "properties/counted.hpp"
#include "properties/enumerated.hpp"
#include "properties/same.hpp"
#include "properties/sas/laws.hpp"

namespace assay {
namespace {

using namespace sas;

Law budgets() {
  return enumerated(
      "sas.a_budget_of_k_blocks_reads_up_to_a_block_more",
      "b = 64: 1024, 2048, 4096 are K = 16, 32, 64; tokens read = min(C, K) b + 1 .. b, so 2049 .. 2112 at K = 32",
      "[SAS-notes] s2.1; SAS-007", "integers, and tokens counted", [] {
        FirstFailure found;
        for (const std::uint64_t K : {16, 32, 64}) found.note(same("budget", token_budget(K, 64), 64 * K));
        found.note(same("fewest", tokens_attended(32, 32, 64, 1), std::uint64_t{2049}));
        found.note(same("most", tokens_attended(500, 32, 64, 64), std::uint64_t{2112}));
        for (std::size_t t = 0; t < 64; ++t)
          for (std::size_t K = 0; K < 6; ++K) {
            const QueryPlace place{t, 8};
            BlockSet selected = all_blocks(std::min(K, place.history()));
            found.note(same("tokens", std::uint64_t{tokens_of(selected, place).size()},
                            tokens_attended(place.history(), K, 8, t % 8 + 1)));
          }
        return found.outcome();
      });
}

Law places() {
  return enumerated(
      "sas.history_is_the_full_blocks_before_the_current_one",
      "C is the largest whole number with C b <= t; B_0 is tokens C b to t, 1 to b of them",
      "[SAS-notes] s2.1; SAS-002", "integers", [] {
        FirstFailure found;
        for (std::size_t b = 1; b <= 8; ++b)
          for (std::size_t t = 0; t < 64; ++t) {
            std::size_t C = 0;
            while ((C + 1) * b <= t) ++C;
            const QueryPlace place{t, b};
            found.note(same("C", place.history(), C));
            found.note(same("begin", place.current_begin(), C * b));
            found.note(holds_if(place.visible() - C * b >= 1 && place.visible() - C * b <= b, "tokens of B_0"));
          }
        return found.outcome();
      });
}

/// Products of one query's scores by inner products, and of its attention over K blocks.
Law growth() {
  return enumerated(
      "sas.attention_after_selection_does_not_grow_but_scoring_does",
      "K = 2, d = dv: products of logits and output are the same for C = 2, 8, 32; those of scores are C d, as C ~ n / "
      "b",
      "[SAS-notes] s4.8; SAS-064", "counted products", [] {
        using Z = Logarithm<Counted>;
        constexpr std::size_t b = 2, d = 3, K = 2;
        FirstFailure found;
        std::uint64_t first = 0;
        for (const std::size_t C : {2, 8, 32}) {
          const QueryPlace place{C * b + b - 1, b};
          const Matrix<Counted> k = ones(place.visible(), d), summaries = ones(C, d), q = ones(1, d);
          const Query<Z> x{place, std::vector<Z>(place.visible()), std::vector<Z>(C)};
          const auto terms = inference_terms(x, all_blocks(K));
          const std::uint64_t scoring = products_of([&] {
            for (std::size_t m = 0; m < C; ++m) dot<Counted>(q.row(0), summaries.row(m));
          });
          const std::uint64_t logits = products_of([&] {
            for (const auto& term : terms) dot<Counted>(q.row(0), k.row(term.token));
          });
          const std::uint64_t gates_and_values = products_of([&] { attention(terms, k); });
          const std::uint64_t factors = terms.size() + 1;
          if (first == 0) first = logits + gates_and_values;
          found.note(same("scoring", scoring, scoring_products(C, d)));
          found.note(same("attention", logits + gates_and_values, first));
          found.note(same("formula", logits + gates_and_values - factors, attention_products(terms.size(), d, d)));
        }
        return found.outcome();
      });
}

Law candidates() {
  return enumerated(
      "sas.candidates_at_published_lengths", "b = 64: C = 128, 1024, 4096, 8192 at 8K, 64K, 256K, 512K",
      "own, on [SAS-notes] s4.8; SAS-064", "integers", [] {
        FirstFailure found;
        for (const std::uint64_t thousands : {8, 64, 256, 512})
          found.note(same("C", std::uint64_t{QueryPlace{thousands * 1024, 64}.history()}, thousands * 16));
        return found.outcome();
      });
}

Law memory() {
  return enumerated(
      "sas.the_gate_matrix_is_quadratic_and_the_saved_lse_linear",
      "n = 32768, b = 64: n^2 / b = 16777216 gates a group, beside n = 32768 numbers of LSE; n^2 weights are not kept",
      "own, on [SAS-notes] s2.8; SAS-054", "integers", [] {
        FirstFailure found;
        found.note(same("gates", gate_matrix_entries(32768, 64), std::uint64_t{16777216}));
        found.note(same("gates of 32769", gate_matrix_entries(32769, 64), std::uint64_t{32769 * 513}));
        found.note(same("LSE", saved_lse_entries(32768), std::uint64_t{32768}));
        found.note(same("twice as long", gate_matrix_entries(65536, 64), 4 * gate_matrix_entries(32768, 64)));
        return found.outcome();
      });
}

/// 36 layers of 8 key-value heads of width 128: Qwen3-4B.
Law cache() {
  return enumerated(
      "sas.a_cache_of_512k_tokens_in_bf16_is_72_gibibytes",
      "36 layers, 8 key-value heads, d = 128, 2 bytes: 147456 bytes a token, 77.3e9 bytes = 72 GiB at 524288 tokens",
      "own, on [SAS-notes] s4.8; SAS-069", "integers", [] {
        return all_of({same("a token", kv_cache_bytes(36, 8, 128, 2, 1), std::uint64_t{147456}),
                       same("512K", kv_cache_bytes(36, 8, 128, 2, 524288), std::uint64_t{72} << 30)});
      });
}

/// 21 % of 0.9 ms and 90 % of 9.8 ms.
Law published_shares() {
  return enumerated(
      "sas.printed_top_k_times_grow_with_the_candidates_and_the_rest_does_not",
      "8K to 512K: Top-K 0.189 to 8.82 ms, 46.7 times for 64 times the blocks; the rest 0.711 to 0.98 ms, below 1.4 "
      "times",
      "own, on [SAS-notes] s4.8; SAS-066", "Q", [] {
        const Rational short_step(9, 10), long_step(98, 10);
        const Rational short_top_k = short_step * Rational(21, 100), long_top_k = long_step * Rational(90, 100);
        const Rational ratio = long_top_k / short_top_k;
        const Rational rest = (long_step - long_top_k) / (short_step - short_top_k);
        return all_of({same("Top-K at 8K", short_top_k, Rational(189, 1000)),
                       same("Top-K at 512K", long_top_k, Rational(882, 100)),
                       holds_if(Rational(4665, 100) < ratio && ratio < Rational(4675, 100), "ratio " + text_of(ratio)),
                       holds_if(Rational(1) < rest && rest < Rational(14, 10), "rest " + text_of(rest))});
      });
}

}  // namespace

std::vector<Law> sas_sizes_laws() {
  return {places(), budgets(), growth(), candidates(), memory(), cache(), published_shares()};
}

}  // namespace assay
