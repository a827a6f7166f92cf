#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "judge/elements.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/kernels/outputs.hpp"
#include "properties/same.hpp"
#include "run/truth.hpp"

namespace assay {
namespace {

bool takes_keys(const Kernel& kernel) { return kernel.op->find("phi_k") != nullptr; }

/// Whether the case's normaliser is the sum of scores that change their sign with the keys.
bool has_signed_normaliser(const Case& c) {
  return c.standard == Standard::bound && c.has("phi_k") && !c.has("z0") && c.parameter("p") == 1 &&
         c.sizes[Axis::channel] != 4;
}

/// The same with every key negated: scores are 0 or below, and so is the normaliser.
Case with_negated_keys(Case c) {
  Tensor& k = c.inputs.at("phi_k");
  for (std::int64_t i = 0; i < k.count(); ++i) k.set(i, -k.value(i));
  return c;
}

Outcome passes(std::string_view what, const Judgement& j) {
  if (j.verdict != Verdict::fail) return Outcome::holds();
  return Outcome::fails(fmt::format("{}: {} at {}{}: got {}, want {}, bound {}", what, name_of(j.rule), j.worst.output,
                                    index_text(j.worst.index), j.worst.got, j.worst.want, j.worst.bound));
}

/// N and D within their bounds, and o their quotient.
Outcome sums_agree(const KernelTrial& trial, const Case& c) {
  Tensors outputs = outputs_of(trial, c, {.sums = true});
  const Tensors sums = taken_sums(outputs, *c.op);
  auto [want, allowed] = truth_for(c, trial.kernel, trial.oracle, true);
  const References want_sums = taken_sums(want, *c.op);
  const auto [quotient, last_roundings] = trial.oracle.quotient(c, trial.kernel.contract, sums);
  return all_of({passes("sums", judge(sums, want_sums, allowed)),
                 passes("quotient of the returned sums", judge(outputs, quotient, last_roundings))});
}

Outcome quotients(const KernelTrial& trial) {
  const Case& c = trial.input;
  if (!has_signed_normaliser(c)) return sums_agree(trial, c);
  return all_of({sums_agree(trial, c), sums_agree(trial, with_negated_keys(c))});
}

Outcome unasked(const KernelTrial& trial) {
  Tensors asked = outputs_of(trial, trial.input, {.sums = true});
  taken_sums(asked, *trial.input.op);
  return same_bits("sums were asked for", trial.input, asked, outputs_of(trial, trial.input));
}

/// D is at most 0, so o = N / eps: of N's sign wherever that is certain, and no larger than the contract says.
Outcome clamped(const KernelTrial& trial) {
  const Case c = with_negated_keys(trial.input);
  const double eps_raw = c.parameter("normaliser") * c.parameter("eps");
  const Tensor o = outputs_of(trial, c).at("o");
  const References truth = trial.oracle.evaluate(c);
  const Allowance allowed = trial.oracle.bound(c, trial.kernel.contract, truth).at("o");
  for (std::int64_t i = 0; i < o.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!allowed.degenerate[at]) continue;
    const double most = allowed.largest[at], due = truth.at("N").hi[at] / eps_raw;
    const bool certain = std::abs(due) > 2 * (most - std::abs(due));
    if (std::abs(o.value(i)) <= most && !(certain && o.value(i) * due < 0)) continue;
    return Outcome::fails(fmt::format("D = {}: o[{}] = {}, N / eps = {}, at most {}",
                                      truth.at("D").hi[at / static_cast<std::size_t>(c.sizes[Axis::value])], i,
                                      o.value(i), due, most));
  }
  return Outcome::holds();
}

}  // namespace

std::vector<KernelLaw> kernels_normaliser_laws() {
  const auto returns_sums = [](const Kernel& kernel) { return kernel.limits.sums; };
  return {
      {.name = "kernel.output_is_the_quotient_of_its_sums",
       .statement = "N and D are within their bounds, and o is N / (D + eps) with D clamped at 0 where the contract "
                    "says so, whatever the sign of D",
       .covers = returns_sums,
       .covers_case = [](const Case& c) { return c.standard == Standard::bound; },
       .check = quotients},
      {.name = "kernel.asking_for_sums_changes_nothing",
       .statement = "outputs have the same bits whether N and D are returned or not",
       .covers = returns_sums,
       .check = unasked},
      {.name = "kernel.clamped_normaliser_bounds_the_output",
       .statement = "where D is below 0 a kernel that clamps it returns N / eps, which no rounding makes larger than "
                    "(|N| + its bound) / eps",
       .covers = [](const Kernel& kernel) { return kernel.contract.clamps_normaliser && takes_keys(kernel); },
       .covers_case = has_signed_normaliser,
       .check = clamped}};
}

}  // namespace assay
