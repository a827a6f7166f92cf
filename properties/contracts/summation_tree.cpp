#include "properties/contracts/summation_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

namespace assay {
namespace {

/// Absorbs every sum of ones in any float of at most 30 bits, and its square is far from overflow.
constexpr double huge = 0x1p40;

SumTree joined(SumTree left, SumTree right, bool same_node) {
  SumTree node{std::min(left.term, right.term), left.leaves + right.leaves, {}};
  // A part whose own terms meet only in this node is no node: its children are.
  if (same_node && !right.is_leaf())
    node.children = std::move(right.children);
  else
    node.children.push_back(std::move(right));
  node.children.push_back(std::move(left));
  std::ranges::sort(node.children, {}, &SumTree::term);
  return node;
}

/// Terms that one part of the tree holds and nothing else.
struct TermSet {
  std::vector<std::size_t> terms;
  std::size_t met = 0;      ///< leaves below the node at which they meet others
  bool neighbours = false;  ///< each is asked for with the next one, not the first with each
};

class Reveal {
 public:
  explicit Reveal(const SumSite& site) : site_(site), ones_(site.terms, 1.0) {}

  SumTree tree() {
    std::vector<std::size_t> all(site_.terms);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    std::vector<TermSet> sets = {{all}};
    if (all.size() < 2) sets.clear();
    while (!sets.empty()) sets = asked(sets);
    return part(all).tree;
  }

 private:
  using Groups = std::map<std::size_t, std::vector<std::size_t>>;
  using Pair = std::pair<std::size_t, std::size_t>;

  static std::vector<Pair> pairs_of(const TermSet& set) {
    std::vector<Pair> pairs;
    for (std::size_t i = 1; i < set.terms.size(); ++i)
      pairs.emplace_back(set.terms[set.neighbours ? i - 1 : 0], set.terms[i]);
    return pairs;
  }

  /// Asks for all sets together, and returns those that are still to be taken apart.
  std::vector<TermSet> asked(const std::vector<TermSet>& sets) {
    std::vector<Pair> pairs;
    for (const TermSet& set : sets)
      for (const Pair& pair : pairs_of(set)) pairs.push_back(pair);
    const std::vector<std::size_t> leaves = leaves_below(pairs);
    std::vector<TermSet> next;
    auto from = leaves.begin();
    for (const TermSet& set : sets) {
      const std::vector<std::size_t> own(from, from + static_cast<std::ptrdiff_t>(set.terms.size()) - 1);
      from += static_cast<std::ptrdiff_t>(own.size());
      const bool alike = std::ranges::count(own, set.met) == static_cast<std::ptrdiff_t>(own.size());
      if (set.neighbours && alike) flat_.insert(set.terms.front());
      if (set.neighbours && !alike) next.push_back({set.terms, set.met});
      if (!set.neighbours) divide(set, own, alike, next);
    }
    return next;
  }

  void divide(const TermSet& set, const std::vector<std::size_t>& leaves, bool alike, std::vector<TermSet>& next) {
    Groups& groups = groups_[set.terms.front()];
    for (std::size_t i = 1; i < set.terms.size(); ++i) groups[leaves[i - 1]].push_back(set.terms[i]);
    for (const auto& [count, group] : groups)
      if (group.size() > 1) next.push_back({group, count, alike});
  }

  /// `meets`: leaves below the node at which the part's last terms meet; more than its own where that node has others.
  struct Part {
    SumTree tree;
    std::size_t meets = 1;
  };

  Part part(const std::vector<std::size_t>& terms, std::size_t met = 0) const {
    Part result{{terms.front(), 1, {}}, 1};
    if (terms.size() == 1) return result;
    if (flat_.contains(terms.front())) {
      result = {{terms.front(), terms.size(), {}}, met};
      for (const std::size_t term : terms) result.tree.children.push_back({term, 1, {}});
      return result;
    }
    for (const auto& [count, group] : groups_.at(terms.front())) {
      Part other = part(group, count);
      result = {joined(std::move(result.tree), std::move(other.tree), other.meets == count), count};
    }
    return result;
  }

  /// Ones go in groups that the site's outputs count exactly.
  std::vector<std::size_t> leaves_below(const std::vector<Pair>& pairs) const {
    const std::size_t group = std::size_t{1} << std::min(site_.precision, 20);
    const std::size_t groups = (site_.terms + group - 1) / group;
    std::vector<Terms> rows;
    for (const Pair& pair : pairs)
      for (std::size_t g = 0; g < groups; ++g) rows.push_back(row(pair, g * group, group));
    const std::vector<double> sums = site_.sums(ones_, rows);
    std::vector<std::size_t> leaves;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      double added_later = 0;
      for (std::size_t g = 0; g < groups; ++g) added_later += std::round(sums[k * groups + g]);
      if (!(added_later >= 0 && added_later <= static_cast<double>(site_.terms) - 2))
        throw std::runtime_error(fmt::format("{}: {} ones are left beside terms {} and {}", site_.name, added_later,
                                             pairs[k].first, pairs[k].second));
      leaves.push_back(site_.terms - static_cast<std::size_t>(added_later));
    }
    return leaves;
  }

  Terms row(const Pair& pair, std::size_t first, std::size_t group) const {
    Terms a(site_.terms, 0.0);
    for (std::size_t k = first; k < std::min(first + group, a.size()); ++k) a[k] = 1;
    a[pair.first] = huge;
    a[pair.second] = -huge;
    return a;
  }

  const SumSite& site_;
  Terms ones_;
  std::map<std::size_t, Groups> groups_;  ///< by the first term of a set
  std::set<std::size_t> flat_;            ///< first terms of sets that are children of one node
};

/// Whether every step adds terms to one running sum.
bool is_chain(const SumTree& tree) {
  return std::ranges::count_if(tree.children, [](const SumTree& child) { return !child.is_leaf(); }) <= 1 &&
         std::ranges::all_of(tree.children, is_chain);
}

bool takes_terms_in_turn(const SumTree& tree) {
  return tree.is_leaf() ||
         (tree.children.size() == 2 && tree.children[1].is_leaf() &&
          tree.children[1].term == tree.term + tree.leaves - 1 && takes_terms_in_turn(tree.children[0]));
}

bool holds_term(const SumTree& tree, std::size_t term) {
  if (tree.is_leaf()) return tree.term == term;
  return std::ranges::any_of(tree.children, [&](const SumTree& child) { return holds_term(child, term); });
}

void append_text(std::string& text, const SumTree& tree) {
  constexpr std::size_t longest = 160;
  if (text.size() > longest) return;
  if (tree.is_leaf()) {
    text += fmt::format("{}", tree.term);
    return;
  }
  text += '(';
  for (const SumTree& child : tree.children) {
    if (&child != &tree.children.front()) text += ' ';
    append_text(text, child);
  }
  text += text.size() > longest ? " ..." : ")";
}

}  // namespace

SumTree revealed_tree(const SumSite& site) { return Reveal(site).tree(); }

std::int64_t height_of(const SumTree& tree, bool products_round) {
  std::int64_t below = 0;
  for (const SumTree& child : tree.children) below = std::max(below, height_of(child, products_round));
  if (tree.is_leaf() || tree.is_fused()) return below;
  const bool of_terms = tree.children[0].is_leaf() && tree.children[1].is_leaf();
  return below + 1 + (of_terms && products_round ? 1 : 0);
}

std::int64_t chain_of(const SumTree& tree) {
  std::int64_t below = 0;
  for (const SumTree& child : tree.children) below = std::max(below, chain_of(child));
  return below + (tree.is_fused() ? 1 : 0);
}

std::size_t block_of(const SumTree& tree, std::size_t first) {
  if (is_chain(tree)) return tree.leaves;
  for (const SumTree& child : tree.children)
    if (holds_term(child, first)) return block_of(child, first);
  throw std::logic_error(fmt::format("the tree has no term {}", first));
}

Order order_of(const SumTree& tree) {
  if (takes_terms_in_turn(tree)) return Order::sequential;
  const bool least = height_of(tree, false) == static_cast<std::int64_t>(std::bit_width(tree.leaves - 1));
  return least && chain_of(tree) == 0 ? Order::tree : Order::blocked;
}

std::string text_of(const SumTree& tree) {
  std::string text;
  append_text(text, tree);
  return text;
}

}  // namespace assay
