#include "properties/contracts/accumulator.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace assay {
namespace {

/// Three terms: `big` meets `small` at the node, and `other` only later.
struct Triple {
  std::size_t big, small, other;
  bool fused;        ///< they meet in an instruction of tensor cores
  bool small_alone;  ///< `small` enters the node as a term, beside a running sum
};

std::size_t deepest_term(const SumTree& tree) {
  const SumTree* node = &tree;
  while (!node->is_leaf())
    node = &*std::ranges::max_element(node->children, {},
                                      [](const SumTree& child) { return height_of(child, false) + chain_of(child); });
  return node->term;
}

const SumTree* child_with(const SumTree& tree, std::size_t term) {
  for (const SumTree& child : tree.children) {
    const SumTree* node = &child;
    if (node->is_leaf() ? node->term == term : child_with(child, term) != nullptr) return &child;
  }
  return nullptr;
}

/// A term below the node, but not below its child.
std::size_t term_beside(const SumTree& node, const SumTree* child) {
  for (const SumTree& other : node.children)
    if (&other != child) return other.term;
  return node.term;
}

/// One for every node on the longest path, but for the root, whose sum no term can follow.
std::vector<Triple> triples_of(const SumTree& tree) {
  const std::size_t big = deepest_term(tree);
  std::vector<Triple> triples;
  const SumTree* child = child_with(tree, big);
  const std::size_t other = term_beside(tree, child);
  for (const SumTree* node = child; node != nullptr && !node->is_leaf(); node = child) {
    child = child_with(*node, big);
    const std::size_t small = term_beside(*node, child);
    const bool alone = !child->is_leaf() && child_with(*node, small)->is_leaf();
    triples.push_back({big, small, other, node->is_fused(), alone});
  }
  return triples;
}

/// What is left of `small` beside 2^exponent.
struct Question {
  int exponent;
  double small, from_nearest, toward_zero;
};
/// What a quotient shows of a sum that is zero.
constexpr double nothing = 0x1p-30;
constexpr Question questions[] = {{22, 1, 1, 1}, {23, 1, 1, 1}, {24, 1, 0, 0}, {24, 1.5, 2, 0}};

}  // namespace

std::string accumulator_fault(const SumSite& site, const SumTree& tree) {
  const std::vector<Triple> triples = triples_of(tree);
  if (triples.empty()) return "";
  std::vector<Terms> rows;
  for (const Triple& t : triples) {
    for (const Question& q : questions) {
      Terms a(site.terms, 0.0);
      a[t.big] = std::ldexp(1, q.exponent), a[t.small] = q.small, a[t.other] = -a[t.big];
      rows.push_back(a);
    }
  }
  const std::vector<double> sums = site.sums(Terms(site.terms, 1.0), rows);
  std::size_t row = 0;
  for (const Triple& t : triples) {
    for (const Question& q : questions) {
      const double got = sums[row++], want = t.fused ? q.toward_zero : q.from_nearest;
      if (std::abs(got - want) <= std::ldexp(want, 1 - site.precision) + nothing) continue;
      return fmt::format("{}: 2^{} + {} - 2^{}, terms {}, {} and {}, gives {}; {} of 24 bits gives {}", site.name,
                         q.exponent, q.small, q.exponent, t.big, t.small, t.other, got,
                         t.fused ? "a truncated sum" : "a sum rounded to nearest even", want);
    }
  }
  return "";
}

std::string fused_product_fault(const SumSite& site, const SumTree& tree) {
  const bool holds = float_format(site.a.held).precision > 12 && float_format(site.b.held).precision > 12;
  const std::vector<Triple> triples = triples_of(tree);
  const auto found =
      std::find_if(triples.rbegin(), triples.rend(), [](const Triple& t) { return t.small_alone && !t.fused; });
  // What tells the two apart is less than the least error of a factor.
  if (!site.multiplies || !holds || site.b_error != 0 || found == triples.rend()) return "";
  Terms a(site.terms, 0.0), b(site.terms, 1.0);
  a[found->big] = -1, b[found->big] = 1 - 0x1p-12, a[found->small] = b[found->small] = 1 - 0x1p-13;
  const double got = site.sums(b, {a}).front();
  if (std::abs(got - 0x1p-26) < 0x1p-30) return "";
  return fmt::format(
      "{}: (1 - 2^-13)^2 - (1 - 2^-12), terms {} and {}, gives {:a}: the product is rounded before it is added",
      site.name, found->small, found->big, got);
}

}  // namespace assay
