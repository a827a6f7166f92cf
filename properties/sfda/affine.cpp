#include "oracle/sfda/affine.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/inputs.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

template <class K>
Affine<K> free_map(Source<K>& from, std::size_t d, std::size_t dv) {
  return {from.values(d, d), from.values(d, dv)};
}

template <class K>
Outcome same_map(std::string_view name, const Affine<K>& got, const Affine<K>& want) {
  const Outcome outcome = all_of({same("A", got.A, want.A), same("B", got.B, want.B)});
  return outcome.kind == Outcome::Kind::holds ? outcome : Outcome::fails(std::string(name) + ": " + outcome.text);
}

Law composition() {
  return complex_identity("sfda.composition_of_affine_maps_acts_as_both_in_turn",
                          "(A_2, B_2) o (A_1, B_1) = (A_2 A_1, A_2 B_1 + B_2): on any state, first 1, then 2",
                          "[SFDA] s2.2, eq. 10, Lemma A.2; [SFDA-notes] s2.6; SFD-040", 3, 8,
                          []<class K>(Source<K>& from) {
                            const std::size_t d = from.size("d", 1, 4), dv = from.size("dv", 1, 3);
                            const Affine<K> first = free_map(from, d, dv), second = free_map(from, d, dv);
                            const Matrix<K> S = from.values(d, dv);
                            return same("S", applied(composed(second, first), S), applied(second, applied(first, S)));
                          });
}

Law associativity() {
  return complex_identity(
      "sfda.composition_of_affine_maps_is_associative", "(3 o 2) o 1 = 3 o (2 o 1); (I, 0) o x = x = x o (I, 0)",
      "[SFDA] s2.2, Lemma A.2; [SFDA-notes] s2.6; SFD-041", 3, 8, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 1, 4), dv = from.size("dv", 1, 3);
        const Affine<K> a = free_map(from, d, dv), b = free_map(from, d, dv), c = free_map(from, d, dv);
        const Affine<K> one = identity_map<K>(d, dv);
        return all_of({same_map("brackets", composed(composed(c, b), a), composed(c, composed(b, a))),
                       same_map("from the left", composed(one, a), a),
                       same_map("from the right", composed(a, one), a)});
      });
}

Law order() {
  return complex_generic_identity(
      "sfda.composition_of_affine_maps_has_an_order",
      "1 o 2 is not 2 o 1, and A_2 B_1 + B_2 is neither B_1 + B_2 nor A_1 B_2 + B_1",
      "[SFDA] s2.2, eq. 10; [SFDA-notes] s2.6; SFD-041", 3, 4, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 1, 4), dv = from.size("dv", 1, 3);
        const Affine<K> first = free_map(from, d, dv), second = free_map(from, d, dv), both = composed(second, first);
        return all_of({differs("swapped", composed(first, second).B, both.B),
                       differs("not carried", first.B + second.B, both.B),
                       differs("carried the wrong way", first.A * second.B + first.B, both.B)});
      });
}

constexpr std::int64_t longest = 7;
constexpr std::uint32_t run_degree = longest * token_degree + 1;

Law tokens_compose() {
  return complex_identity(
      "sfda.maps_of_tokens_compose_to_the_recurrence_in_any_bracketing",
      "one after the other, as a tree, and by chunks of uneven length composed as a tree: the same A, B and S_T",
      "[SFDA] s2.2, Thm 4.4; [SFDA-notes] s2.6; SFD-040, SFD-041", run_degree, 6, []<class K>(Source<K>& from) {
        const std::size_t T = from.size("T", 1, longest), d = from.size("d", 1, 4), dv = from.size("dv", 1, 3);
        FirstFailure found;
        for_every_control(from, d, [&](std::string_view, auto draw) {
          const auto x = tokens_with(from, T, d, dv, draw);
          const Matrix<K> S = from.values(d, dv);
          std::vector<Affine<K>> tokens, chunks;
          for (std::size_t t = 0; t < T; ++t) tokens.push_back(token_map(x, t));
          for (std::size_t begin = 0, end = 0; begin < T; begin = end) {
            end = std::min(T, begin + 1 + from.below(3));
            chunks.push_back(chunk_map(summarised(x, begin, end)));
          }
          const Affine<K> want = composed_in_order<K>(tokens);
          found.note(same("S", applied(want, S), recurrence(x, S).S));
          found.note(same_map("tree", composed_as_tree<K>(tokens), want));
          found.note(same_map("chunks in order", composed_in_order<K>(chunks), want));
          found.note(same_map("chunks as a tree", composed_as_tree<K>(chunks), want));
          found.note(refused("no maps", [] { composed_in_order<K>({}); }));
        });
        return found.outcome();
      });
}

Law superchunks() {
  return complex_identity(
      "sfda.factors_of_two_chunks_merge_into_those_of_their_superchunk",
      "Y = [Gamma_2 Y_1, Y_2], W = [W_1, Gamma_1* W_2], M_21 = -M_2 W_2* Y_1 M_1: the factors of all tokens at once",
      "own, for [SFDA] s6; [SFDA-notes] s3.1; SFD-031, SFD-041", run_degree, 6, []<class K>(Source<K>& from) {
        const std::size_t T = from.size("T", 0, longest), n = from.size("n", 0, longest) % (T + 1);
        const std::size_t d = from.size("d", 1, 4), dv = from.size("dv", 1, 3);
        FirstFailure found;
        for_every_control(from, d, [&](std::string_view, auto draw) {
          const auto x = tokens_with(from, T, d, dv, draw);
          const auto got = merged(summarised(x, n, T), summarised(x, 0, n)), want = summarised(x, 0, T);
          found.note(same("Gamma", dense<K>(got.factors.gamma), dense<K>(want.factors.gamma)));
          found.note(same("Y", got.factors.Y, want.factors.Y));
          found.note(same("W", got.factors.W, want.factors.W));
          found.note(same("M", got.factors.M, want.factors.M));
          found.note(same("B", got.B, want.B));
        });
        return found.outcome();
      });
}

}  // namespace

std::vector<Law> sfda_affine_laws() {
  return {composition(), associativity(), order(), tokens_compose(), superchunks()};
}

}  // namespace assay
