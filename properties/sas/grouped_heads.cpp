#include "oracle/sas/grouped_heads.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/laws.hpp"

namespace assay {
namespace {

using namespace sas;

template <class K>
GroupedQuery<Logarithm<K>> drawn_groups(Source<K>& from, const QueryPlace& place, std::size_t H_kv,
                                        std::size_t a_group) {
  GroupedQuery<Logarithm<K>> x{place, {}, {}, {}, {}};
  for (std::size_t h = 0; h < H_kv * a_group; ++h) x.z.push_back(drawn_scores(from, place.visible()));
  for (std::size_t g = 0; g < H_kv; ++g) {
    x.s.push_back(drawn_scores(from, place.history()));
    x.selected.push_back(drawn_blocks(from, place.history()));
    x.v.push_back(from.values(place.visible(), 1));
  }
  return x;
}

Law shared() {
  return identity("sas.heads_of_a_group_share_scores_selection_and_values",
                  "H query heads on H_kv key-value heads: those of a group attend with its scores, blocks and values",
                  "[SAS-notes] s3.1; SAS-004", 400, 12, []<class K>(Source<K>& from) {
                    const QueryPlace place = drawn_place(from, 0, 3);
                    const std::size_t H_kv = from.size("H_kv", 1, 2), a_group = from.size("a_group", 1, 3);
                    const auto x = drawn_groups(from, place, H_kv, a_group);
                    const auto heads = grouped_attention(x);
                    FirstFailure found;
                    for (std::size_t g = 0; g < H_kv; ++g)
                      for (std::size_t h = g * a_group; h < (g + 1) * a_group; ++h) {
                        const Query<Logarithm<K>> alone{place, x.z[h], x.s[g]};
                        const auto want = attention(training_terms(alone, x.selected[g]), x.v[g]);
                        found.note(same("L", heads[h].lse, want.lse));
                        found.note(same("o", heads[h].o, want.o));
                      }
                    return found.outcome();
                  });
}

/// Two groups of two: head 1 is of the first, not of the second.
Law wrong_groups() {
  return generic_identity(
      "sas.heads_are_grouped_in_a_row_not_in_turn",
      "H = 4, H_kv = 2: heads 0, 1 read the first key-value head; head h mod 2 would give another o",
      "own, on [SAS-notes] s3.1; SAS-004", 200, 4, []<class K>(Source<K>& from) {
        const QueryPlace place{4, 2};
        const auto x = drawn_groups(from, place, 2, 2);
        auto in_turn = x;
        std::swap(in_turn.z[1], in_turn.z[2]);
        const auto got = grouped_attention(x), wrong = grouped_attention(in_turn);
        const Query<Logarithm<K>> second{place, x.z[1], x.s[0]};
        return all_of({same("o", got[1].o, attention(training_terms(second, x.selected[0]), x.v[0]).o),
                       differs("in turn", wrong[2].o, got[1].o), refused("3 heads on 2", [] { group_of(0, 3, 2); }),
                       refused("head 4 of 4", [] { group_of(4, 4, 2); })});
      });
}

}  // namespace

std::vector<Law> sas_grouped_heads_laws() { return {shared(), wrong_groups()}; }

}  // namespace assay
