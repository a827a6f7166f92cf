#include "oracle/sas/recall.hpp"

#include <cstddef>
#include <set>
#include <span>
#include <vector>

#include "properties/enumerated.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/laws.hpp"

namespace assay {
namespace {

using namespace sas;

/// Subset number `bits` of the first blocks.
BlockSet subset(unsigned bits) {
  BlockSet blocks;
  for (std::size_t m = 0; bits >> m != 0; ++m)
    if (bits >> m & 1) blocks.push_back(m);
  return blocks;
}

/// Both sets of five blocks, each in every way.
Law share() {
  return enumerated(
      "sas.recall_is_a_share_that_a_larger_union_never_lowers",
      "0 <= Recall <= 1; I = all: 1; I within J: Recall(I) <= Recall(J); |I*| = 0 is refused",
      "[SAS] eq. 11; [SAS-notes] s4.6; SAS-058, SAS-059", "Q, all sets of 5 blocks", [] {
        FirstFailure found;
        for (unsigned wanted = 1; wanted < 32; ++wanted) {
          for (unsigned there = 0; there < 32; ++there) {
            const Rational r = recall(subset(there), subset(wanted));
            found.note(holds_if(!(r < 0) && !(1 < r), "recall " + text_of(r)));
            found.note(same("all wanted there", r == 1, (there & wanted) == wanted));
            found.note(same("none wanted there", r == 0, (there & wanted) == 0));
            for (unsigned more = 1; more < 32; more <<= 1)
              found.note(holds_if(!(recall(subset(there | more), subset(wanted)) < r), "a larger set recalls less"));
          }
          found.note(same("every block", recall(subset(31), subset(wanted)), Rational(1)));
        }
        found.note(refused("no block wanted", [] { recall({0}, {}); }));
        return found.outcome();
      });
}

Law unions() {
  return inequality("sas.the_union_of_layers_holds_what_any_layer_holds",
                    "m is in the union iff a layer has it: once, ascending", "[SAS] eq. 11; [SAS-notes] s4.6; SAS-058",
                    16, [](Source<Rational>& from) {
                      std::vector<BlockSet> layers;
                      std::set<std::size_t> wanted;
                      for (std::size_t n = from.size("layers", 0, 4); n > 0; --n) {
                        layers.push_back(drawn_blocks(from, 6));
                        wanted.insert(layers.back().begin(), layers.back().end());
                      }
                      return same("union", union_of(layers), BlockSet(wanted.begin(), wanted.end()));
                    });
}

/// Two against two: the sets of a group depend on a rule that the source does not give, and have not K blocks.
Law votes() {
  return enumerated(
      "sas.a_majority_of_four_heads_needs_a_rule_for_two_votes",
      "heads {0,1}, {0,1}, {2,3}, {2,3}: none or all four, neither K = 2; {0,1}, {0,1}, {0,2}, {3,4}: {0} or {0,1}",
      "own, on [SAS-notes] s4.6; SAS-060", "sets", [] {
        const std::vector<BlockSet> halves{{0, 1}, {0, 1}, {2, 3}, {2, 3}}, mixed{{0, 1}, {0, 1}, {0, 2}, {3, 4}};
        const std::vector<BlockSet> odd{{0, 1}, {0, 2}, {1, 2}};
        using enum EvenVote;
        return all_of({same("halves", majority(halves, rejects), BlockSet{}),
                       same("halves", majority(halves, accepts), BlockSet{0, 1, 2, 3}),
                       same("mixed", majority(mixed, rejects), BlockSet{0}),
                       same("mixed", majority(mixed, accepts), BlockSet{0, 1}),
                       same("three heads", majority(odd, rejects), majority(odd, accepts)),
                       same("three heads of K = 2", majority(odd, rejects), BlockSet{0, 1, 2})});
      });
}

}  // namespace

std::vector<Law> sas_recall_laws() { return {share(), unions(), votes()}; }

}  // namespace assay
