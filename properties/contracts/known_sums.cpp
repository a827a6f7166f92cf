#include <array>
#include <cmath>

#include <fmt/format.h>

#include "arith/rounding.hpp"
#include "arith/tensor_core.hpp"
#include "properties/contracts/accumulator.hpp"
#include "properties/contracts/laws.hpp"
#include "properties/contracts/operand_rounding.hpp"
#include "properties/contracts/summation_tree.hpp"
#include "properties/enumerated.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

using Products = std::vector<std::pair<float, float>>;

/// Fused multiply-adds from 0 on.
float chain(const Products& x, std::size_t first, std::size_t last, std::size_t step = 1) {
  float sum = 0;
  for (std::size_t i = first; i < last; i += step) sum = std::fma(x[i].first, x[i].second, sum);
  return sum;
}

float in_turn(const Products& x) { return chain(x, 0, x.size()); }

float in_turn_backwards(const Products& x) {
  float sum = 0;
  for (std::size_t i = x.size(); i-- > 0;) sum = std::fma(x[i].first, x[i].second, sum);
  return sum;
}

float pairwise(const Products& x, std::size_t first, std::size_t count) {
  if (count == 1) return x[first].first * x[first].second;
  return pairwise(x, first, count / 2) + pairwise(x, first + count / 2, count - count / 2);
}
float as_tree(const Products& x) { return pairwise(x, 0, x.size()); }

/// Every fourth term an accumulator, the four by a tree.
float by_four(const Products& x) {
  const auto part = [&](std::size_t l) { return chain(x, l, x.size(), 4); };
  return (part(0) + part(1)) + (part(2) + part(3));
}

/// Blocks of four terms, one after the other.
float by_blocks(const Products& x) {
  float sum = 0;
  for (std::size_t i = 0; i < x.size(); i += 4) sum = sum + chain(x, i, i + 4);
  return sum;
}

template <class T, T (*round)(float)>
float instructions(const Products& x) {
  constexpr std::size_t length = tensor_core::block_length<T>;
  float sum = 0;
  for (std::size_t i = 0; i < x.size(); i += length) {
    std::vector<T> a, b;
    for (std::size_t k = i; k < std::min(i + length, x.size()); ++k)
      a.push_back(round(x[k].first)), b.push_back(round(x[k].second));
    sum = tensor_core::dot<T>(a, b, sum);
  }
  return sum;
}

float with_products_rounded(const Products& x) {
  float sum = 0;
  for (const auto& [a, b] : x) sum = sum + a * b;
  return sum;
}

float in_bf16(const Products& x) {
  float sum = 0;
  for (const auto& [a, b] : x) sum = to_float(bf16_nearest_even(std::fma(a, b, sum)));
  return sum;
}

SumSite site_of(float (*sum)(const Products&), std::size_t terms, bool at_most_one = false) {
  const Operand operand{.at_most_one = at_most_one};
  return {.name = "a known sum",
          .terms = terms,
          .a = operand,
          .b = operand,
          .sums = [sum](const Terms& b, const std::vector<Terms>& rows) {
            std::vector<double> sums;
            for (const Terms& a : rows) {
              Products x;
              for (std::size_t i = 0; i < b.size(); ++i)
                x.emplace_back(static_cast<float>(a[i]), static_cast<float>(b[i]));
              sums.push_back(sum(x));
            }
            return sums;
          }};
}

struct KnownSum {
  float (*sum)(const Products&);
  std::size_t terms;
  std::string_view tree;
  Order order;
  std::int64_t height, chain;
  std::size_t block;
};

Outcome revealed(const KnownSum& known) {
  const SumTree tree = revealed_tree(site_of(known.sum, known.terms));
  return all_of({same("tree", text_of(tree), std::string(known.tree)),
                 same("order", name_of(order_of(tree)), name_of(known.order)),
                 same("height", height_of(tree, known.chain == 0), known.height),
                 same("chain", chain_of(tree), known.chain), same("block", block_of(tree, 0), known.block)});
}

Outcome trees() {
  using enum Order;
  FirstFailure found;
  for (const KnownSum& known : std::initializer_list<KnownSum>{
           {in_turn, 5, "((((0 1) 2) 3) 4)", sequential, 5, 0, 5},
           {in_turn_backwards, 4, "(0 (1 (2 3)))", blocked, 4, 0, 4},
           {as_tree, 8, "(((0 1) (2 3)) ((4 5) (6 7)))", tree, 4, 0, 2},
           {by_four, 8, "(((0 4) (1 5)) ((2 6) (3 7)))", tree, 4, 0, 2},
           {by_blocks, 12, "(((((0 1) 2) 3) (((4 5) 6) 7)) (((8 9) 10) 11))", blocked, 6, 0, 4},
           {instructions<Tf32, tf32_truncated>, 24,
            "(((0 1 2 3 4 5 6 7) 8 9 10 11 12 13 14 15) 16 17 18 19 20 21 22 23)", blocked, 0, 3, 24},
           {instructions<Bf16, bf16_nearest_even>, 17, "((0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) 16)", blocked, 1, 1,
            17}})
    found.note(revealed(known));
  return found.outcome();
}

std::string accumulator_text(float (*sum)(const Products&), std::size_t terms) {
  const SumSite site = site_of(sum, terms);
  const SumTree tree = revealed_tree(site);
  return accumulator_fault(site, tree) + (chain_of(tree) == 0 ? fused_product_fault(site, tree) : "");
}

/// Each pair: a sum as it should be, and one that must be told from it.
Outcome accumulators() {
  return all_of({same("fused", accumulator_text(in_turn, 5), std::string()),
                 same("instructions", accumulator_text(instructions<Bf16, bf16_nearest_even>, 48), std::string()),
                 holds_if(!accumulator_text(with_products_rounded, 5).empty(), "rounded products pass for fused ones"),
                 holds_if(!accumulator_text(in_bf16, 5).empty(), "a sum in bf16 passes for one in float32")});
}

Contract contract_with(Product product, Tf32Input input = Tf32Input::rn) {
  return {.product = product, .tf32_input = input};
}

/// Every kind of operand must be told from every other one.
Outcome operands() {
  const std::array<std::pair<float (*)(const Products&), Contract>, 5> kinds = {
      {{in_turn, contract_with(Product::fma)},
       {instructions<Tf32, tf32_truncated>, contract_with(Product::tf32, Tf32Input::truncated)},
       {instructions<Tf32, tf32_nearest_away>, contract_with(Product::tf32, Tf32Input::rna)},
       {instructions<Tf32, tf32_nearest_even>, contract_with(Product::tf32, Tf32Input::rn)},
       {instructions<Bf16, bf16_nearest_even>, contract_with(Product::bf16)}}};
  FirstFailure found;
  for (const auto& [sum, ignored] : kinds)
    for (const auto& [other, contract] : kinds)
      for (const bool of_a : {true, false})
        for (const bool at_most_one : {true, false}) {
          const SumSite site = site_of(sum, 5, at_most_one);
          const std::string fault = operand_fault(site, of_a, stated_rounding(contract, Format::f32, true));
          found.note(holds_if(fault.empty() == (sum == other), fault.empty() ? "a wrong claim passes" : fault));
        }
  return found.outcome();
}

}  // namespace

std::vector<Law> contracts_known_sums_laws() {
  return {
      enumerated("contract.known_sums_reveal_their_trees",
                 "chains, trees, blocks and tensor-core instructions, from their results alone", "", "float32", trees),
      enumerated("contract.known_accumulators_are_told_apart",
                 "products that are rounded and sums in bf16 are found, fused ones pass", "", "float32", accumulators),
      enumerated("contract.known_operands_are_told_apart",
                 "float32, tf32 truncated, rna and rn, and bf16: each passes for itself alone", "", "float32",
                 operands)};
}

}  // namespace assay
