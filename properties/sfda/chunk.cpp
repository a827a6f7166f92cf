#include "oracle/sfda/chunk.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/sfda/write_summary.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/inputs.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

constexpr std::int64_t longest = 6;
constexpr std::uint32_t run_degree = longest * token_degree + 2;  // and S_0 or v, and q

/// T tokens of every kind of control in turn, and a state: visit(name, tokens, S).
template <class K, class Visit>
void for_every_run(Source<K>& from, std::int64_t most, Visit visit) {
  const std::size_t T = from.size("T", 0, most), d = from.size("d", 1, 5), dv = from.size("dv", 1, 3);
  for_every_control(from, d, [&](std::string_view name, auto draw) {
    visit(name, tokens_with(from, T, d, dv, draw), from.values(d, dv));
  });
}

template <class K>
Outcome same_run(std::string_view name, const Run<K>& got, const Run<K>& want) {
  const Outcome outcome = all_of({same("o", got.o, want.o), same("S", got.S, want.S)});
  return outcome.kind == Outcome::Kind::holds ? outcome : Outcome::fails(std::string(name) + ": " + outcome.text);
}

template <class K, class C>
ChunkSummary<K, C> whole(const Tokens<K, C>& x) {
  return summarised(x, 0, x.length());
}

Law write_summary() {
  return complex_identity(
      "sfda.write_summary_is_the_sum_of_carried_writes",
      "sum_i A_C ... A_{i+1} B_i, its last term B_C, is the recursion S'_t = A_t S'_{t-1} + B_t from zero",
      "[SFDA] Thm 4.4; [SFDA-notes] s2.5; SFD-034, SFD-035", run_degree, 8, []<class K>(Source<K>& from) {
        FirstFailure found;
        for_every_run(from, longest, [&](std::string_view name, const auto& x, const Matrix<K>& S) {
          const Matrix<K> sum = write_sum<K>(x), zero(S.rows(), S.cols());
          found.note(same(name, whole(x).B, sum));
          found.note(same(name, recurrence(x, zero).S, sum));
        });
        return found.outcome();
      });
}

Law write_controls() {
  return complex_generic_identity(
      "sfda.write_summary_needs_every_term_and_its_order",
      "without the last term, with A_i in the product of B_i, or with the product reversed, the sum is another",
      "[SFDA] Thm 4.4; [SFDA-notes] s2.5; SFD-034", run_degree, 4, []<class K>(Source<K>& from) {
        const std::size_t T = from.size("T", 3, longest), d = from.size("d", 2, 4), dv = from.size("dv", 1, 3);
        const Tokens<K> x = diagonal_tokens(from, T, d, dv);
        const auto term = [&](std::size_t i, std::size_t after) {
          return product_of_transitions(x, after, T) * write<K>(x.k.row(i), x.v.row(i), x.beta[i]);
        };
        Matrix<K> shortened(d, dv), late(d, dv), reversed(d, dv);
        for (std::size_t i = 0; i < T; ++i) {
          if (i + 1 < T) shortened = shortened + term(i, i + 1);
          late = late + term(i, i);
          Matrix<K> backwards = identity_matrix<K>(d);
          for (std::size_t t = i + 1; t < T; ++t)
            backwards = backwards * transition<K>(x.lambda[t], x.k.row(t), x.beta[t]);
          reversed = reversed + backwards * write<K>(x.k.row(i), x.v.row(i), x.beta[i]);
        }
        const Matrix<K> sum = write_sum<K>(x);
        return all_of({differs("no last term", shortened, sum), differs("a factor too many", late, sum),
                       differs("reversed", reversed, sum)});
      });
}

Law boundary() {
  return complex_identity(
      "sfda.chunk_carries_any_state_like_its_tokens",
      "S_out = Gamma S_in - Y (M (W* S_in)) + B is the recurrence from S_in, for every kind of Lambda",
      "[SFDA] Thm 4.4, alg. 1; [SFDA-notes] s2.5; SFD-036", run_degree, 8, []<class K>(Source<K>& from) {
        FirstFailure found;
        for_every_run(from, longest + 2, [&](std::string_view name, const auto& x, const Matrix<K>& S) {
          found.note(same(name, applied(whole(x), S), recurrence(x, S).S));
        });
        return found.outcome();
      });
}

Law boundary_controls() {
  return complex_generic_identity(
      "sfda.boundary_needs_every_part_of_the_summary",
      "without B, without Gamma, with W^T in the place of W*, or from a stale state, S_out is another",
      "[SFDA] Thm 4.4, alg. 1; [SFDA-notes] s2.5; SFD-036", run_degree, 4, []<class K>(Source<K>& from) {
        const std::size_t T = from.size("T", 1, longest), d = from.size("d", 1, 4), dv = from.size("dv", 1, 3);
        const Tokens<K> x = diagonal_tokens(from, T, d, dv);
        const Matrix<K> S = from.values(d, dv), stale = from.values(d, dv), want = recurrence(x, S).S;
        const ChunkSummary<K, Diagonal<K>> summary = whole(x);
        const WyFactors<K, Diagonal<K>>& f = summary.factors;
        const Matrix<K> mixed = f.Y * lower_times(f.M, adjoint(f.W) * S);
        return all_of({differs("no B", carried(f, S), want), differs("no Gamma", summary.B - mixed, want),
                       differs("W^T", f.gamma.times(S) - f.Y * lower_times(f.M, transpose(f.W) * S) + summary.B, want),
                       differs("stale state", applied(summary, stale), want)});
      });
}

Law order_of_evaluation() {
  return complex_identity(
      "sfda.boundary_in_the_stated_order_is_the_dense_product",
      "Gamma S - Y (M (W* S)) = (Gamma - Y M W*) S, and W (M* (Y* X)) likewise gives P* X",
      "[SFDA] Thm 4.4, alg. 1; [SFDA-notes] s2.5; SFD-037", run_degree, 8, []<class K>(Source<K>& from) {
        FirstFailure found;
        for_every_run(from, longest + 2, [&](std::string_view name, const auto& x, const Matrix<K>& S) {
          const auto f = whole(x).factors;
          found.note(same(name, carried(f, S), transfer(f) * S));
          found.note(same(name, carried_back(f, S), adjoint(transfer(f)) * S));
        });
        return found.outcome();
      });
}

Law prefixes() {
  return complex_identity(
      "sfda.prefix_factors_give_every_state_and_output",
      "S_r = P_r S_0 + B_r and o_r = S_0* P_r* q_r + B_r* q_r for every r <= C, for every kind of Lambda",
      "[SFDA] Thm 4.5; [SFDA-notes] s2.5; SFD-038", run_degree, 8, []<class K>(Source<K>& from) {
        FirstFailure found;
        for_every_run(from, longest, [&](std::string_view name, const auto& x, const Matrix<K>& S) {
          const Run<K> want = recurrence(x, S);
          Matrix<K> o(x.length(), S.cols()), state = S;
          for (std::size_t r = 0; r < x.length(); ++r) {
            const auto prefix = summarised(x, 0, r + 1);
            state = applied(prefix, S);
            found.note(same("S_r", state, recurrence(tokens_between(x, 0, r + 1), S).S));
            std::ranges::copy(prefix_output<K>(prefix, S, x.q.row(r)), o.row(r).begin());
          }
          found.note(same_run(name, Run<K>{o, state}, want));
        });
        return found.outcome();
      });
}

/// The composition of T that ends a chunk after token t wherever bit t of `cuts` is set.
std::vector<std::size_t> partition(std::size_t T, std::uint64_t cuts) {
  std::vector<std::size_t> lengths;
  for (std::size_t t = 0, begin = 0; t < T; ++t) {
    if (t + 1 < T && !(cuts >> t & 1)) continue;
    lengths.push_back(t + 1 - begin);
    begin = t + 1;
  }
  return lengths;
}

Law every_partition() {
  return complex_identity("sfda.chunk_form_equals_recurrence_for_every_partition",
                          "o and S agree for all 2^(T-1) partitions of T <= 6 tokens, from any state, any Lambda",
                          "[SFDA] Thm 4.4-4.5, alg. 1; [SFDA-notes] s2.5; SFD-039", run_degree, 3,
                          []<class K>(Source<K>& from) {
                            FirstFailure found;
                            for_every_run(from, longest, [&](std::string_view name, const auto& x, const Matrix<K>& S) {
                              const Run<K> want = recurrence(x, S);
                              const std::size_t T = x.length();
                              for (std::uint64_t cuts = 0; cuts < std::uint64_t{1} << (T ? T - 1 : 0); ++cuts)
                                found.note(same_run<K>(name, chunked<K>(x, S, partition(T, cuts)), want));
                            });
                            return found.outcome();
                          });
}

Law equal_chunks() {
  const std::int64_t most = 24;
  return complex_identity(
      "sfda.chunk_form_equals_recurrence_for_chunks_of_equal_length_and_a_tail",
      "chunks of C tokens and a rest: C = 1, below d, d, beyond d, beyond T; chunks of 0 tokens change nothing",
      "[SFDA] alg. 1; [SFDA-notes] s2.5, s3.2; SFD-039", most * token_degree + 2, 6, []<class K>(Source<K>& from) {
        const std::size_t T = from.size("T", 0, most), d = from.size("d", 1, 6), dv = from.size("dv", 1, 3);
        const std::size_t C = from.size("C", 1, 12);
        const Tokens<K> x = diagonal_tokens(from, T, d, dv);
        const Matrix<K> S = from.values(d, dv);
        std::vector<std::size_t> lengths{0};
        for (std::size_t begin = 0; begin < T; begin += C) lengths.insert(lengths.end(), {std::min(C, T - begin), 0});
        const std::vector<std::size_t> too_long{T + 1};
        return all_of({same_run<K>("ragged", chunked<K>(x, S, lengths), recurrence(x, S)),
                       refused("chunks of T + 1 tokens", [&] { chunked<K>(x, S, too_long); })});
      });
}

Law full_size() {
  const std::uint32_t T = 70;
  return complex_generic_identity("sfda.chunk_form_equals_recurrence_at_full_size",
                                  "T = 70, d = dv = 32, chunks of 32, 32 and 6: every output and the final state",
                                  "[SFDA] Thm 4.4-4.5, alg. 1; [SFDA-notes] s2.5; SFD-036, SFD-038, SFD-039",
                                  T * token_degree + 2, 1, []<class K>(Source<K>& from) {
                                    const Tokens<K> x = diagonal_tokens(from, T, 32, 32);
                                    const Matrix<K> S = from.values(32, 32);
                                    const std::size_t lengths[] = {32, 32, 6};
                                    return same_run<K>("run", chunked<K>(x, S, lengths), recurrence(x, S));
                                  });
}

Law chaining() {
  return complex_identity("sfda.runs_chained_through_the_state_equal_one_run",
                          "tokens 0..n-1, then n..T-1 from the state they left", "[SFDA-notes] s2.5, s3.1; SFD-039",
                          run_degree, 8, []<class K>(Source<K>& from) {
                            FirstFailure found;
                            const std::size_t cut = from.below(longest + 1);
                            for_every_run(from, longest, [&](std::string_view name, const auto& x, const Matrix<K>& S) {
                              const std::size_t T = x.length(), n = std::min(cut, T);
                              const Run<K> first = recurrence(tokens_between(x, 0, n), S);
                              const Run<K> second = recurrence(tokens_between(x, n, T), first.S);
                              Matrix<K> o(T, S.cols());
                              for (std::size_t t = 0; t < T; ++t)
                                std::ranges::copy(t < n ? first.o.row(t) : second.o.row(t - n), o.row(t).begin());
                              found.note(same_run(name, Run<K>{o, second.S}, recurrence(x, S)));
                            });
                            return found.outcome();
                          });
}

Law causality() {
  return complex_identity("sfda.a_changed_future_leaves_earlier_outputs",
                          "outputs before n do not see q, k, v, beta and Lambda from n on, by tokens and by chunks",
                          "[SFDA] eq. 13, Thm 4.5; SFD-038", run_degree, 8, []<class K>(Source<K>& from) {
                            const std::size_t T = from.size("T", 1, longest), n = from.size("n", 0, longest) % (T + 1);
                            const std::size_t d = from.size("d", 1, 4), dv = from.size("dv", 1, 3);
                            const Tokens<K> x = diagonal_tokens(from, T, d, dv);
                            Tokens<K> changed = diagonal_tokens(from, T, d, dv);
                            const Tokens<K> kept = tokens_between(x, 0, n);
                            for (std::size_t t = 0; t < n; ++t) {
                              std::ranges::copy(kept.q.row(t), changed.q.row(t).begin());
                              std::ranges::copy(kept.k.row(t), changed.k.row(t).begin());
                              std::ranges::copy(kept.v.row(t), changed.v.row(t).begin());
                              changed.beta[t] = kept.beta[t];
                              changed.lambda[t] = kept.lambda[t];
                            }
                            const Matrix<K> S = from.values(d, dv);
                            const std::size_t lengths[] = {T};
                            const Matrix<K> want = recurrence(kept, S).o;
                            FirstFailure found;
                            for (const Matrix<K>& o : {recurrence(changed, S).o, chunked<K>(changed, S, lengths).o})
                              for (std::size_t t = 0; t < n; ++t) found.note(same<K>("o", o.row(t), want.row(t)));
                            return found.outcome();
                          });
}

/// S and o are linear in (S_0, v) together, and conjugate-linear nowhere: conj of all inputs conjugates all outputs.
Law symmetries() {
  return complex_identity(
      "sfda.conjugate_inputs_give_conjugate_outputs",
      "conj of q, k, v, Lambda and S_0 conjugates o and S; v and S_0 scaled by a real number scale both",
      "[SFDA] eq. 13; own", run_degree + 1, 8, []<class K>(Source<K>& from) {
        const std::size_t T = from.size("T", 0, longest), d = from.size("d", 1, 4), dv = from.size("dv", 1, 3);
        const Tokens<K> x = diagonal_tokens(from, T, d, dv);
        const Matrix<K> S = from.values(d, dv);
        const auto conjugated = [](const Matrix<K>& m) { return transpose(adjoint(m)); };
        Tokens<K> mirrored{conjugated(x.q), conjugated(x.k), conjugated(x.v), x.beta, x.lambda}, scaled = x;
        for (auto& lambda : mirrored.lambda)
          for (K& entry : lambda.lambda) entry = conj(entry);
        const Run<K> run = recurrence(x, S);
        const K factor(from.real());
        scaled.v = factor * x.v;
        return all_of(
            {same_run("conjugated", recurrence(mirrored, conjugated(S)), Run<K>{conjugated(run.o), conjugated(run.S)}),
             same_run("scaled", recurrence(scaled, factor * S), Run<K>{factor * run.o, factor * run.S})});
      });
}

}  // namespace

std::vector<Law> sfda_chunk_laws() {
  return {write_summary(),   write_controls(), boundary(),  boundary_controls(), order_of_evaluation(), prefixes(),
          every_partition(), equal_chunks(),   full_size(), chaining(),          causality(),           symmetries()};
}

}  // namespace assay
