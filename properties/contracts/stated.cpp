#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/table.hpp"
#include "problem/operators/sanatan.hpp"
#include "properties/contracts/accumulator.hpp"
#include "properties/contracts/laws.hpp"
#include "properties/contracts/operand_rounding.hpp"
#include "properties/contracts/sites.hpp"
#include "properties/contracts/summation_tree.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

/// Heights are stated for the largest width; other rules are the same for every one.
constexpr std::int64_t few_dimensions = 16;
/// So many that a scan adds three products in each of its accumulators.
constexpr std::int64_t chained_dimensions = 32;

std::optional<Reach> reach_of(const Kernel& kernel, std::int64_t d) {
  for (const auto reach_of : {sanatan_reach, sfda_reach, softmax_reach, softmax_gradient_reach, selection_reach})
    if (std::optional<Reach> reach = reach_of(kernel, d)) return reach;
  return std::nullopt;
}

bool is_probed(const Kernel& kernel) { return reach_of(kernel, few_dimensions).has_value(); }

Outcome all_hold(const std::vector<std::string>& faults) {
  for (const std::string& fault : faults)
    if (!fault.empty()) return Outcome::fails(fault);
  return Outcome::holds();
}

template <class T>
Outcome stated(std::string_view field, const T& states, const T& found) {
  return states == found
             ? Outcome::holds()
             : Outcome::fails(fmt::format("{}: the contract states {}, probes find {}", field, states, found));
}

/// A height that the contract states, and the largest that the sites it speaks of have; 0 where there is none.
struct Height {
  std::string_view field;
  std::int64_t Contract::*states;
};
constexpr Height heights[] = {{"score_height", &Contract::score_height},
                              {"value_height", &Contract::value_height},
                              {"read_height", &Contract::read_height},
                              {"update_height", &Contract::update_height}};

/// What the trees of all sites say together.
struct Shape {
  std::map<std::string_view, SumTree> trees;  ///< by the site's name
  const std::vector<SumSite>& sites;
  const Contract& contract;

  bool products_round(const SumSite& site) const {
    return site.multiplies && (!site.by_tiles || contract.product == Product::fma);
  }

  std::int64_t height(std::int64_t Contract::*field) const {
    std::int64_t highest = 0;
    for (const SumSite& site : sites)
      if (site.height == field)
        highest = std::max(highest, height_of(trees.at(site.name), products_round(site)) - site.later);
    return highest;
  }

  /// An instruction of three tf32 products counts three times.
  std::int64_t chain() const {
    std::int64_t longest = 0;
    for (const auto& [name, tree] : trees) longest = std::max(longest, chain_of(tree));
    return longest * (contract.product == Product::three_tf32 ? 3 : 1);
  }

  Order order() const {
    std::vector<Order> orders;
    for (const auto& [name, tree] : trees)
      if (tree.leaves > 2) orders.push_back(order_of(tree));
    const bool alike = std::ranges::count(orders, orders.front()) == static_cast<std::ptrdiff_t>(orders.size());
    return alike ? orders.front() : Order::blocked;
  }

  bool has_kinds() const {
    return std::ranges::any_of(sites, [](const SumSite& site) { return !site.kind.empty(); });
  }

  /// Whether sums of S and of z that are one sum are taken in one order.
  bool one_order() const {
    for (const SumSite& a : sites)
      for (const SumSite& b : sites)
        if (&a != &b && !a.kind.empty() && a.kind == b.kind && !(trees.at(a.name) == trees.at(b.name))) return false;
    return true;
  }
};

Shape shape_of(const Reach& reach, const Contract& contract) {
  Shape shape{{}, reach.sums, contract};
  for (const SumSite& site : reach.sums) shape.trees.emplace(site.name, revealed_tree(site));
  return shape;
}

/// Tokens a chunk or keys a tile; 1 where one running sum takes them all.
std::int64_t chunk_of(const SumSite& site) {
  if (site.terms < 2) return 1;
  const std::size_t block = block_of(revealed_tree(site), 0);
  return block == site.terms ? 1 : static_cast<std::int64_t>(block);
}

Outcome order(const KernelTrial& trial) {
  const Contract& contract = trial.kernel.contract;
  const Reach reach = *reach_of(trial.kernel, trial.kernel.limits.feature);
  const Shape shape = shape_of(reach, contract);
  FirstFailure found;
  for (const Height& height : heights)
    found.note(stated(height.field, contract.*height.states, shape.height(height.states)));
  found.note(stated("mma_chain", contract.mma_chain, shape.chain()));
  found.note(stated("a product on tensor cores", contract.product != Product::fma, shape.chain() > 0));
  // Any order is what sums that depend on the machine's have: what one run shows is no contract.
  const bool any_order = contract.repeats == Repeats::never;
  const Order order = any_order ? Order::any : shape.order();
  found.note(stated("order", name_of(contract.order), name_of(order)));
  if (shape.has_kinds()) found.note(stated("one_order", contract.one_order, shape.one_order()));
  found.note(stated("chunk", contract.chunk, chunk_of(reach.chunks)));
  return found.outcome();
}

Format kept_format(const Contract& contract, const Operand& operand) {
  return operand.kept == nullptr ? operand.held : contract.*operand.kept;
}

/// Products of 16 bits round what is kept in more: a contract must say so, as bounds are derived from what is kept.
std::string kept_fault(const Contract& contract, const SumSite& site, const Operand& operand) {
  const bool of_16_bits = contract.product == Product::bf16 || contract.product == Product::fp16;
  if (!of_16_bits || !site.by_tiles || operand.kept == nullptr || contract.*operand.kept != Format::f32) return "";
  return fmt::format("{}: the contract states {} products of a factor that is kept in f32", site.name,
                     name_of(contract.product));
}

Outcome operands(const KernelTrial& trial) {
  const Contract& contract = trial.kernel.contract;
  const Reach reach = *reach_of(trial.kernel, few_dimensions);
  std::vector<std::string> faults;
  for (const SumSite& site : reach.sums) {
    const auto rounding = [&](const Operand& operand) -> const OperandRounding& {
      return stated_rounding(contract, kept_format(contract, operand), site.by_tiles);
    };
    for (const Operand& operand : {site.a, site.b}) faults.push_back(kept_fault(contract, site, operand));
    faults.push_back(operand_fault(site, true, rounding(site.a)));
    if (site.multiplies) faults.push_back(operand_fault(site, false, rounding(site.b)));
  }
  return all_hold(faults);
}

Outcome accumulators(const KernelTrial& trial) {
  const Contract& contract = trial.kernel.contract;
  const Reach reach = *reach_of(trial.kernel, chained_dimensions);
  std::vector<std::string> faults;
  for (const SumSite& site : reach.sums) {
    if (!site.any_sign) continue;
    const SumTree tree = revealed_tree(site);
    faults.push_back(accumulator_fault(site, tree));
    if (!site.by_tiles || contract.product == Product::fma) faults.push_back(fused_product_fault(site, tree));
  }
  return all_of({all_hold(faults), stated("accumulate", name_of(contract.accumulate), name_of(Format::f32))});
}

Outcome tensors(const KernelTrial& trial) {
  const Contract& contract = trial.kernel.contract;
  const Reach reach = *reach_of(trial.kernel, few_dimensions);
  std::vector<std::string> faults;
  for (const HandedThrough& state : reach.kept)
    faults.push_back(handed_through_fault(state.name, Format::f32, rounding_to(contract.state), state.seen));
  faults.push_back(handed_through_fault("o", Format::f32, rounding_to(contract.output), reach.output));
  FirstFailure found;
  found.note(all_hold(faults));
  if (reach.rows_before_a_nan) found.note(stated("causal_tile", contract.causal_tile, reach.rows_before_a_nan() + 1));
  if (reach.rows_before_a_nan_key)
    found.note(stated("keys_reach_back", contract.keys_reach_back, reach.rows_before_a_nan_key() > 0));
  if (reach.negative_normaliser)
    found.note(stated("clamps_normaliser", contract.clamps_normaliser, reach.negative_normaliser() < 0));
  if (reach.wide_normaliser) found.note(stated("wide_normaliser", contract.wide_normaliser, reach.wide_normaliser()));
  if (reach.base_two) found.note(stated("base_two", contract.base_two, reach.base_two()));
  if (reach.flushes_subnormals)
    found.note(stated("flushes_subnormals", contract.flushes_subnormals, reach.flushes_subnormals()));
  return found.outcome();
}

/// Bits of a score near zero that other roundings may change: those of operations in float32, and of a bf16 output.
bool is_near(double got, double want) { return std::abs(got - want) <= 0x1p-19 + 0x1p-6 * std::abs(want); }

Outcome computed_features(const KernelTrial& trial) {
  const Contract& contract = trial.kernel.contract;
  const OperandRounding& rounding = stated_rounding(contract, contract.features, true);
  for (const ScoreNearZero& score : sanatan_scores_near_zero(trial.kernel)) {
    const double want = score.expected(rounding.apply);
    if (!is_near(score.returned, want))
      return Outcome::fails(
          fmt::format("computed features: the contract states {}, which makes a score that is 0 {}; {}", rounding.name,
                      want, score.returned));
  }
  return Outcome::holds();
}

/// The kernel of the same name from given features.
const Kernel* with_given_features(const Kernel& kernel) {
  const std::size_t slash = kernel.name.find('/');
  if (kernel.op != &operators::sanatan_attention()) return nullptr;
  const std::string name = fmt::format("{}{}", operators::sanatan_feature_attention().name, kernel.name.substr(slash));
  const auto found = std::ranges::find(kernel_table(), name, &Kernel::name);
  return found == kernel_table().end() ? nullptr : &*found;
}

Outcome same_contract(const KernelTrial& trial) {
  const Contract& given = with_given_features(trial.kernel)->contract;
  Contract contract = trial.kernel.contract;
  contract.elementary_ulp.clear();
  contract.ill_conditioned = given.ill_conditioned;  // of the operator's inputs
  return contract == given ? Outcome::holds()
                           : Outcome::fails("the contract differs from that of the kernel from given features");
}

bool computes_features(const Kernel& kernel) { return with_given_features(kernel) != nullptr; }

KernelLaw law_of(std::string_view name, std::string_view statement, std::function<Outcome(const KernelTrial&)> check) {
  return {.name = name, .statement = statement, .covers = is_probed, .check = std::move(check), .of_contract = true};
}

}  // namespace

std::vector<KernelLaw> contracts_stated_laws() {
  return {
      law_of("contract.sums_are_taken_in_the_stated_order",
             "the tree of every sum, revealed term by term, has the stated order, heights, chain of tensor-core "
             "instructions and chunk; where there is a z, S and z share theirs as stated",
             order),
      law_of("contract.operands_are_rounded_as_stated",
             "halfway numbers and 1 + 2^-k in each factor of every product come out rounded as stated", operands),
      law_of("contract.sums_keep_the_stated_bits",
             "2^k + 1 - 2^k at every addition on the longest path: 24 bits, nearest even, truncated by tensor "
             "cores; products are fused",
             accumulators),
      law_of("contract.tensors_have_the_stated_formats",
             "states and outputs hold the stated bits; a NaN value or key reaches back as stated; D < 0 is clamped, "
             "weights are summed before they are rounded, and subnormals kept, as stated",
             tensors),
      {.name = "contract.computed_features_are_rounded_as_stated",
       .statement = "scores of angles that are pi apart are 0, or what rounding the features makes of them",
       .covers = computes_features,
       .check = computed_features,
       .of_contract = true},
      {.name = "contract.is_that_of_the_kernel_from_given_features",
       .statement = "computing features changes nothing but the elementary functions that are used",
       .covers = computes_features,
       .check = same_contract,
       .of_contract = true}};
}

}  // namespace assay
