#include <cmath>

#include <fmt/format.h>

#include "arith/rounding.hpp"
#include "judge/verdict.hpp"
#include "kernels/table.hpp"
#include "oracle/table.hpp"
#include "problem/case_mix.hpp"
#include "properties/identity.hpp"
#include "properties/judge/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

/// A small case with what the oracle says of it for one kernel.
struct Judged {
  const Kernel& kernel;
  Case c;
  References want;
  Allowances allowed;
};

const Oracle& oracle_for(const Kernel& kernel) {
  for (const Oracle& oracle : oracle_table())
    if (oracle.op == kernel.op) return oracle;
  throw std::logic_error("no oracle");
}

Judged draw_judged(Draw& draw) {
  const Kernel& kernel = kernel_table()[draw.below(kernel_table().size())];
  const Family& family = families_of(*kernel.op).front();
  std::uint64_t seed = draw.bits() >> 12;
  while (work_of(make_sizes(kernel, family, seed), kernel.contract.algorithm) > 30'000) ++seed;
  Case c = make_case(kernel, family, seed);
  const Oracle& oracle = oracle_for(kernel);
  References want = oracle.evaluate(c);
  Allowances allowed = oracle.bound(c, kernel.contract, want);
  std::erase_if(want, [&](const auto& entry) { return !kernel.limits.returns(*kernel.op->find(entry.first)); });
  return {kernel, std::move(c), std::move(want), std::move(allowed)};
}

/// The truth rounded to the outputs' formats.
Tensors rounded_truth(const Judged& x) {
  Tensors outputs;
  for (const auto& [name, reference] : x.want) {
    const Format format = x.c.format_of(*x.c.op->find(name), x.kernel.contract.output);
    Tensor& tensor = outputs.emplace(name, Tensor(format, reference.shape)).first->second;
    for (std::size_t i = 0; i < reference.hi.size(); ++i)
      tensor.set(static_cast<std::int64_t>(i), round_to(float_format(format), reference.hi[i], reference.lo[i]));
  }
  return outputs;
}

/// The truth passes; with one element moved by one and a half bounds and a spacing it fails, at that element.
Outcome planted(Draw& draw) {
  const Judged x = draw_judged(draw);
  Tensors outputs = rounded_truth(x);
  const Judgement right = judge(outputs, x.want, x.allowed);
  if (right.verdict == Verdict::fail)
    return Outcome::fails(fmt::format("{}, {}, seed {}: the rounded truth fails", x.kernel.name, x.c.family, x.c.seed));
  auto output = x.want.begin();
  std::advance(output, static_cast<std::ptrdiff_t>(draw.below(x.want.size())));
  const auto& [name, reference] = *output;
  if (reference.hi.empty()) return Outcome::rejected("an output without elements");
  const auto i = draw.below(reference.hi.size());
  const Allowance& allowed = x.allowed.at(name);
  if (!allowed.degenerate.empty() && allowed.degenerate[i]) return Outcome::rejected("an undetermined element");
  if (std::isinf(reference.hi[i])) return Outcome::rejected("an infinite element has no neighbours");
  Tensor& tensor = outputs.at(name);
  const FloatFormat& format = float_format(tensor.format());
  const double sign = draw.below(2) == 0 ? 1 : -1;
  const double moved = reference.hi[i] + sign * (1.5 * allowed.statistical[i] + 2 * ulp(format, reference.hi[i]));
  tensor.set(static_cast<std::int64_t>(i), round_to(format, moved));
  const Judgement wrong = judge(outputs, x.want, x.allowed);
  const auto at = [&] { return fmt::format("{}, seed {}: {}[{}]", x.kernel.name, x.c.seed, name, i); };
  return all_of({holds_if(wrong.verdict == Verdict::fail, at() + " moved beyond its bound and did not fail"),
                 same(at() + ": output", wrong.worst.output, name),
                 same(at() + ": got", wrong.worst.got, round_to(format, moved))});
}

}  // namespace

std::vector<Law> judge_planted_errors_laws() {
  return {{"judge.planted_errors_are_found",
           "the truth, rounded, passes every kernel's bound; one element beyond its bound fails and is named",
           "",
           Proof::tested,
           0,
           60,
           {{"cases", 0, [](Draw& draw) { return try_once([&] { return planted(draw); }); }}}}};
}

}  // namespace assay
