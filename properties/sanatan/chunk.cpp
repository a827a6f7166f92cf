#include "oracle/sanatan/chunk.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/axioms.hpp"
#include "oracle/sanatan/decode.hpp"
#include "oracle/sanatan/scores.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/encodings.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

/// Free features, values and initial state: what follows holds for every feature map.
template <class K>
struct FreeRun {
  std::size_t T, F, dv;
  Matrix<K> phi_q, phi_k, v;
  State<K> initial;

  FreeRun(Source<K>& from, std::int64_t longest)
      : T(from.size("T", 0, longest)),
        F(from.size("F", 1, 7)),
        dv(from.size("dv", 1, 4)),
        phi_q(from.values(T, F)),
        phi_k(from.values(T, F)),
        v(from.values(T, dv)),
        initial{from.values(F, dv), from.values(F)} {}

  Run<K> recurrent() const { return recurrence(phi_q, phi_k, v, initial); }
  Run<K> by_chunks(const std::vector<std::size_t>& lengths) const {
    return chunked<K>(phi_q, phi_k, v, initial, lengths);
  }
};

constexpr std::uint32_t degree_of_n = 3;  // φ φ' v

template <class K>
Outcome same_run(const Run<K>& got, const Run<K>& want) {
  return all_of({same("N", got.sums.numerator, want.sums.numerator),
                 same("D", got.sums.denominator, want.sums.denominator), same("S", got.state.S, want.state.S),
                 same("z", got.state.z, want.state.z)});
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
  return identity("sanatan.chunk_form_equals_recurrence_for_every_partition",
                  "N, D, S and z agree for all 2^(T-1) partitions of T <= 8 tokens, from any state",
                  "[SANATAN] s3.4-3.5 eq. 9; [SANATAN-notes] s2.7; SAN-057", degree_of_n, 4,
                  []<class K>(Source<K>& from) {
                    const FreeRun<K> x(from, 8);
                    const Run<K> want = x.recurrent();
                    FirstFailure found;
                    for (std::uint64_t cuts = 0; cuts < std::uint64_t{1} << (x.T ? x.T - 1 : 0); ++cuts)
                      found.note(same_run(x.by_chunks(partition(x.T, cuts)), want));
                    return found.outcome();
                  });
}

Law equal_chunks() {
  return identity(
      "sanatan.chunk_form_equals_recurrence_for_ragged_chunks_of_equal_length",
      "chunks of C tokens and a rest, T = 0, 1, C - 1, C, C + 1, several; chunks of 0 tokens change nothing",
      "[SANATAN] s3.4-3.5 eq. 9; SAN-057", degree_of_n, 8, []<class K>(Source<K>& from) {
        const FreeRun<K> x(from, 40);
        const std::size_t C = from.size("C", 1, 16);
        std::vector<std::size_t> lengths{0};
        for (std::size_t begin = 0; begin < x.T; begin += C)
          lengths.insert(lengths.end(), {std::min(C, x.T - begin), 0});
        return all_of({same_run(x.by_chunks(lengths), x.recurrent()),
                       refused("chunks of T + 1 tokens", [&] { x.by_chunks({x.T + 1}); })});
      });
}

Law one_chunk() {
  return identity(
      "sanatan.one_chunk_is_the_parallel_form",
      "from the empty state one chunk of T tokens has N and D of the parallel form at p = 1, c = 1",
      "[SANATAN] s3.4-3.5 eq. 8-9; SAN-057", degree_of_n, 8, []<class K>(Source<K>& from) {
        FreeRun<K> x(from, 12);
        x.initial = empty_state<K>(x.F, x.dv);
        const Readout<K> sums =
            weighted_sums(causal_weights(scores(x.phi_q, x.phi_k), WeightRule<K>{1, K(1), K(0)}), x.v);
        const Readout<K> got = x.by_chunks({x.T}).sums;
        return all_of({same("N", got.numerator, sums.numerator), same("D", got.denominator, sums.denominator)});
      });
}

template <class K>
Matrix<K> rows_of(const Matrix<K>& m, std::size_t begin, std::size_t end) {
  Matrix<K> part(end - begin, m.cols());
  for (std::size_t t = begin; t < end; ++t) std::ranges::copy(m.row(t), part.row(t - begin).begin());
  return part;
}

Law chaining() {
  return identity(
      "sanatan.runs_chained_through_the_state_equal_one_run",
      "tokens 0..n-1, then n..T-1 from the state they left; the state enters N and D as Phi(q)^T S_0, Phi(q)^T z_0",
      "[SANATAN-notes] s2.7; SAN-057", degree_of_n, 12, []<class K>(Source<K>& from) {
        const FreeRun<K> x(from, 10);
        const std::size_t n = from.size("n", 0, static_cast<std::int64_t>(x.T));
        const auto part = [&](std::size_t begin, std::size_t end, const State<K>& state) {
          return recurrence(rows_of(x.phi_q, begin, end), rows_of(x.phi_k, begin, end), rows_of(x.v, begin, end),
                            state);
        };
        const Run<K> whole = x.recurrent(), head = part(0, n, x.initial), tail = part(n, x.T, head.state);
        const Run<K> fresh = part(n, x.T, empty_state<K>(x.F, x.dv));
        const Matrix<K> carried = rows_of(x.phi_q, n, x.T) * head.state.S;
        return all_of({same("N of the head", head.sums.numerator, rows_of(whole.sums.numerator, 0, n)),
                       same("N of the tail", tail.sums.numerator, rows_of(whole.sums.numerator, n, x.T)),
                       same("S", tail.state.S, whole.state.S), same("z", tail.state.z, whole.state.z),
                       same("N = N_fresh + Phi S_0", tail.sums.numerator, fresh.sums.numerator + carried)});
      });
}

Law causality() {
  const std::uint32_t degree = 5;  // (φ φ')² v
  return identity(
      "sanatan.a_changed_future_leaves_earlier_rows",
      "rows before n do not see keys and values from n on, in the parallel, recurrent and chunk forms",
      "[SANATAN] s3.4-3.5 eq. 8; SAN-045, SAN-057", degree, 8, []<class K>(Source<K>& from) {
        const FreeRun<K> x(from, 8);
        const std::size_t n = from.size("n", 0, static_cast<std::int64_t>(x.T));
        FreeRun<K> changed = x;
        for (std::size_t t = n; t < x.T; ++t) {
          for (K& entry : changed.phi_k.row(t)) entry = from.free();
          for (K& entry : changed.v.row(t)) entry = from.free();
        }
        const auto early = [n](const Readout<K>& sums) { return rows_of(sums.numerator, 0, n); };
        const auto parallel = [](const FreeRun<K>& x) {
          return weighted_sums(causal_weights(scores(x.phi_q, x.phi_k), WeightRule<K>{2, K(1), K(0)}), x.v);
        };
        return all_of({same("parallel", early(parallel(changed)), early(parallel(x))),
                       same("recurrent", early(changed.recurrent().sums), early(x.recurrent().sums)),
                       same("one chunk", early(changed.by_chunks({x.T}).sums), early(x.by_chunks({x.T}).sums))});
      });
}

Law decoding() {
  // A dimension: a query turned 8 steps, 18; five keys and λ to the eighth, 26. Three of them, two labels and v.
  const std::uint32_t degree = 3 * (18 + 26) + 3;
  return identity(
      "sanatan.decoding_token_by_token_equals_one_run",
      "encode at position t0 + t, update, read: N, D and the final state of a run over T tokens, 6 and 3 channels",
      "[SANATAN] s3.4-3.5 eq. 9; [SANATAN-notes] s2.7; SAN-057", degree, 8, []<class K>(Source<K>& from) {
        const std::size_t T = from.size("T", 1, 5), d = from.size("d", 1, 3), dv = from.size("dv", 1, 3);
        const auto t0 = static_cast<std::int64_t>(from.size("t0", 0, 4));
        const axiom::Tanh<K> tanh([&] { return from.free(); });
        const AngleParameters<CircleAngle<K>, K> head{from.angles(d), from.angles(d), from.nonzero()};
        const auto theta_q = from.angles(T, d), theta_k = from.angles(T, d);
        const Matrix<K> v = from.values(T, dv);
        FirstFailure found;
        for (const Channels channels : {Channels::six, Channels::three}) {
          State<K> state{from.values(count(channels) * d, dv), from.values(count(channels) * d)};
          const Run<K> want = recurrence(features(channels, encode(theta_q, head, t0, tanh)),
                                         features(channels, encode(theta_k, head, t0, tanh)), v, state);
          for (std::size_t t = 0; t < T; ++t) {
            const Run<K> step = decode(channels, rows_of(theta_q, t, t + 1), rows_of(theta_k, t, t + 1),
                                       rows_of(v, t, t + 1), head, t0 + static_cast<std::int64_t>(t), state, tanh);
            found.note(same("N", step.sums.numerator, rows_of(want.sums.numerator, t, t + 1)));
            found.note(same("D", step.sums.denominator[0], want.sums.denominator[t]));
            state = step.state;
          }
          found.note(same("S", state.S, want.state.S));
          found.note(same("z", state.z, want.state.z));
        }
        return found.outcome();
      });
}

}  // namespace

std::vector<Law> sanatan_chunk_laws() {
  return {every_partition(), equal_chunks(), one_chunk(), chaining(), causality(), decoding()};
}

}  // namespace assay
