#include "oracle/sas/streaming.hpp"

#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/laws.hpp"

namespace assay {
namespace {

using namespace sas;

template <class K>
using Terms = std::vector<Term<Logarithm<K>>>;

/// Terms of any rule, and values.
template <class K>
struct Streamed {
  QueryPlace place;
  Terms<K> terms;
  Matrix<K> v;

  explicit Streamed(Source<K>& from) : place(drawn_place(from)) {
    const auto x = drawn_query(from, place);
    GateRule rule;
    rule.position = from.size("outer", 0, 1) == 0 ? GatePosition::inner : GatePosition::outer;
    rule.scope = from.size("full", 0, 1) == 0 ? Scope::sparse : Scope::full;
    terms = training_terms(x, drawn_blocks(from, place.history()), rule);
    v = from.values(place.visible(), from.size("dv", 1, 2));
  }
};

template <class K>
Outcome same_attention(const Attention<Logarithm<K>>& got, const Attention<Logarithm<K>>& want) {
  return all_of({same("L", got.lse, want.lse), same("o", got.o, want.o)});
}

Law tiles() {
  return identity("sas.online_softmax_over_tiles_of_every_size_is_the_softmax",
                  "o and LSE by tiles of 1 .. n tokens, masked ones among them, equal softmax(z + log g) V and its LSE",
                  "[SAS] alg. 3; [SAS-notes] s2.8; SAS-046, SAS-049", 400, 16, []<class K>(Source<K>& from) {
                    const Streamed<K> x(from);
                    const auto whole = attention(x.terms, x.v);
                    FirstFailure found;
                    for (std::size_t size = 1; size <= x.v.rows(); ++size)
                      found.note(same_attention(streamed(x.terms, x.v, size), whole));
                    return found.outcome();
                  });
}

/// A tile computed though nobody selected it: its logits are −∞.
Law skipped_tiles() {
  return inequality(
      "sas.a_tile_that_no_query_selected_changes_nothing",
      "skipped or computed with e^z = 0, after a tile that counts: the same o and LSE; before one, -inf - -inf has no "
      "value",
      "[SAS] alg. 3; [SAS-notes] s2.8; SAS-048", 16, [](Source<Rational>& from) {
        const Streamed<Rational> x(from);
        const std::span<const Term<Logarithm<Rational>>> terms(x.terms);
        Terms<Rational> masked{{0, {Rational(0)}}, {x.place.t, {Rational(0)}}};
        const std::span<const Term<Logarithm<Rational>>> dark(masked);
        const std::size_t cut = from.below(terms.size());
        using P = Partial<Logarithm<Rational>>;
        const auto first = after_tile(P{}, terms.first(cut + 1), x.v);
        const auto skipped = finished(after_tile(after_tile(first, {}, x.v), terms.subspan(cut + 1), x.v));
        const auto computed = finished(after_tile(after_tile(first, dark, x.v), terms.subspan(cut + 1), x.v));
        bool no_value = false;
        try {
          after_tile(P{}, dark, x.v);
        } catch (const std::overflow_error&) {
          no_value = true;
        }
        return all_of({same_attention(skipped, attention(x.terms, x.v)), same_attention(computed, skipped),
                       same("-inf - -inf fails", no_value, true)});
      });
}

/// Flash-decoding: parts of the keys on their own, each with its o and LSE, then together.
Law split_and_merge() {
  return identity("sas.results_over_parts_of_the_keys_merge_to_the_whole",
                  "disjoint parts in any number and order: o = sum e^{L_i - L} o_i, L = LSE(L_i)",
                  "own, on [SAS] alg. 3; SAS-046", 400, 16, []<class K>(Source<K>& from) {
                    const Streamed<K> x(from);
                    const std::size_t parts = from.size("parts", 1, 4);
                    std::vector<Terms<K>> share(parts);
                    for (const auto& term : x.terms) share[from.below(parts)].push_back(term);
                    std::vector<Attention<Logarithm<K>>> results;
                    for (const Terms<K>& part : share)
                      if (!part.empty()) results.push_back(attention(part, x.v));
                    return same_attention(merged(std::span<const Attention<Logarithm<K>>>(results)),
                                          attention(x.terms, x.v));
                  });
}

Law nothing_seen() {
  return settled<F61>(
      "sas.a_softmax_of_nothing_is_refused", "no term, no part, tiles of 0 tokens", "own", []<class K>(Source<K>&) {
        using Z = Logarithm<K>;
        const Matrix<K> v(2, 1);
        return all_of({refused("no term", [&] { streamed(Terms<K>{}, v, 1); }),
                       refused("no term at once", [&] { attention(Terms<K>{}, v); }),
                       refused("no part", [&] { merged(std::span<const Attention<Z>>()); }), refused("tiles of 0", [&] {
                         streamed(Terms<K>{{0, Z{}}}, v, 0);
                       })});
      });
}

}  // namespace

std::vector<Law> sas_streaming_laws() { return {tiles(), skipped_tiles(), split_and_merge(), nothing_seen()}; }

}  // namespace assay
