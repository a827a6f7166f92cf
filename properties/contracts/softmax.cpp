#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "judge/verdict.hpp"
#include "kernels/table.hpp"
#include "oracle/table.hpp"
#include "problem/case_mix.hpp"
#include "problem/families.hpp"
#include "properties/contracts/laws.hpp"
#include "properties/enumerated.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

/// A field of a contract of a kernel of softmax attention, and a family of inputs on which it matters.
struct Licence {
  std::string_view kernel, name;
  bool Contract::*field;
  std::string_view family;
};

constexpr std::string_view forward = "softmax.attention/tiled.bf16.mma", backward = "softmax.gradients/recompute.f32";

constexpr std::array licences = {Licence{forward, "wide_normaliser", &Contract::wide_normaliser, "constant_values"},
                                 Licence{forward, "base_two", &Contract::base_two, "huge_exact"},
                                 Licence{forward, "flushes_subnormals", &Contract::flushes_subnormals, "subnormal"},
                                 Licence{backward, "base_two", &Contract::base_two, "huge_exact"},
                                 Licence{backward, "flushes_subnormals", &Contract::flushes_subnormals, "subnormal"}};

const Oracle& oracle_of(const Kernel& kernel) { return *std::ranges::find(oracle_table(), kernel.op, &Oracle::op); }

/// What the plain implementation returns, with zeros in place of subnormal numbers where the contract says so.
Tensors returned(const Oracle& oracle, const Case& c, const Contract& contract) {
  Tensors outputs = oracle.plain(c, contract, c.seed);
  if (!contract.flushes_subnormals) return outputs;
  for (auto& [name, tensor] : outputs)
    for (std::int64_t i = 0; i < tensor.count(); ++i)
      if (std::abs(tensor.value(i)) < 0x1p-126) tensor.set(i, 0);
  return outputs;
}

Verdict verdict(const Oracle& oracle, const Case& c, const Contract& contract, const Tensors& outputs) {
  const References want = oracle.evaluate(c);
  return judge(outputs, want, oracle.bound(c, contract, want)).verdict;
}

Outcome allows(const Licence& licence) {
  constexpr std::uint64_t cases = 12;
  const Kernel& kernel = *std::ranges::find(kernel_table(), licence.kernel, &Kernel::name);
  const Oracle& oracle = oracle_of(kernel);
  Contract with = kernel.contract;
  with.output = Format::f32;  // bf16 would hide what a licence is about
  Contract without = with;
  with.*licence.field = true;
  without.*licence.field = false;
  std::uint64_t allowed = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const Family& family = family_named(*kernel.op, std::string(licence.family));
    if (work_of(make_sizes(kernel, family, seed), Algorithm::parallel) > work_bins[0]) continue;
    const Case c = make_case(kernel, family, seed);
    const Tensors outputs = returned(oracle, c, with);
    allowed += verdict(oracle, c, with, outputs) == Verdict::fail;
    refused += verdict(oracle, c, without, outputs) == Verdict::fail;
  }
  return all_of(
      {holds_if(allowed == 0, fmt::format("{}, {}: {} cases fail with it", kernel.name, licence.name, allowed)),
       holds_if(refused > 0, fmt::format("{}, {}: no case fails without it", kernel.name, licence.name))});
}

Outcome all_allow() {
  FirstFailure found;
  for (const Licence& licence : licences) found.note(allows(licence));
  return found.outcome();
}

}  // namespace

std::vector<Law> contracts_softmax_laws() {
  return {enumerated("contract.softmax_allows_what_is_stated_and_no_more",
                     "normalisers of weights that are not rounded, powers of two, flushed subnormals: within the bound "
                     "of a contract that states them, and beyond that of one that does not",
                     "", "float32 against double-double", all_allow)};
}

}  // namespace assay
