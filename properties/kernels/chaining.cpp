#include <algorithm>

#include "problem/families.hpp"
#include "problem/sized_case.hpp"
#include "problem/token_by_token.hpp"
#include "problem/transforms.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/kernels/outputs.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

bool chains(const Kernel& kernel) {
  return kernel.limits.initial_state && !kernel.limits.one_token &&
         std::ranges::any_of(kernel.op->tensors, [](const TensorSpec& s) { return s.role == Role::final_state; });
}

/// A multiple of the chunk half of the time.
std::int64_t draw_cut(Draw& draw, std::int64_t T, std::int64_t chunk) {
  const auto cut = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(T) + 1));
  return draw.below(2) == 0 ? cut : cut / chunk * chunk;
}

/// Every sequence cut in two.
struct Parts {
  std::vector<Stretch> first, second;
};

Parts draw_parts(const Case& c, Draw& draw, std::int64_t chunk) {
  Parts parts;
  const std::int64_t common = draw_cut(draw, c.sizes[Axis::time], chunk);
  for (const Stretch& s : whole(c)) {
    const std::int64_t cut = layout_of(c) == Layout::batched ? common : draw_cut(draw, s.end, chunk);
    parts.first.push_back({s.sequence, 0, cut});
    parts.second.push_back({s.sequence, cut, s.end});
  }
  return parts;
}

/// Tokens a chunk: the case's, where it has them.
std::int64_t chunk_of(const KernelTrial& trial) {
  const auto C = trial.input.parameters.find("C");
  return C == trial.input.parameters.end() ? trial.kernel.contract.chunk : static_cast<std::int64_t>(C->second);
}

/// Whether a run in parts adds the same numbers in the same order: tokens one by one, or whole chunks. Over a field,
/// and where nothing rounds, any order gives the same.
bool same_order(const KernelTrial& trial, const Parts& parts) {
  const Contract& contract = trial.kernel.contract;
  if (trial.input.standard == Standard::field || trial.input.standard == Standard::exact) return true;
  if (contract.algorithm == Algorithm::scan) return true;
  return contract.algorithm == Algorithm::chunk &&
         std::ranges::all_of(parts.first, [&](const Stretch& s) { return s.end % chunk_of(trial) == 0; });
}

/// Rows of both parts, and the states after the second.
Outcome equal_to_whole(const KernelTrial& trial, const Parts& parts, const Tensors& first, const Tensors& second) {
  const Case& c = trial.input;
  const Layout layout = layout_of(c);
  const Tensors all = outputs_of(trial, c);
  const Case c1 = gathered(c, parts.first, layout), c2 = gathered(c, parts.second, layout);
  return all_of({same_bits("the first part", c1, first, gathered(c, all, parts.first, layout),
                           [](const TensorSpec& spec, const Place&) { return spec.role == Role::final_state; }),
                 same_bits("the second part", c2, second, gathered(c, all, parts.second, layout))});
}

Outcome split(const KernelTrial& trial) {
  const Parts parts = draw_parts(trial.input, trial.draw, chunk_of(trial));
  const Layout layout = layout_of(trial.input);
  const Tensors first = outputs_of(trial, gathered(trial.input, parts.first, layout));
  const Case rest = resumed(gathered(trial.input, parts.second, layout), first);
  if (same_order(trial, parts)) return equal_to_whole(trial, parts, first, outputs_of(trial, rest));
  return all_of(
      {meets_its_standard(trial, gathered(trial.input, parts.first, layout)), meets_its_standard(trial, rest)});
}

/// An infinite value makes NaN of rows of padding, which no state hands over.
bool is_finite(const Case& c) { return c.standard != Standard::laws; }

bool takes_one_token(const Kernel& kernel) { return kernel.limits.one_token; }

/// Families that begin at a state of zero and have a standard for any length.
bool has_length(const Case& c) { return c.standard != Standard::laws && !family_named(*c.op, c.family).resumed; }

Outcome steps(const KernelTrial& trial) {
  const auto few = [&](std::uint64_t most) { return 1 + static_cast<std::int64_t>(trial.draw.below(most)); };
  const Sizes& sizes = trial.input.sizes;
  const CaseSize size{.batch = few(3),
                      .tokens = 1 + few(8),
                      .heads = few(3),
                      .feature = sizes[Axis::feature],
                      .value = sizes[Axis::value]};
  const Kernel whole = token_by_token(trial.kernel);
  const Family& family = family_named(*whole.op, trial.input.family);
  return meets_its_standard({whole, trial.oracle, trial.input, trial.draw},
                            make_case(whole, family, trial.input.seed, size));
}

}  // namespace

std::vector<KernelLaw> kernels_chaining_laws() {
  return {
      {.name = "kernel.steps_chained_are_the_whole_sequence",
       .statement = "decode steps, each from the last one's states, are held against the whole sequence's standard",
       .covers = takes_one_token,
       .covers_case = has_length,
       .check = steps},
      {.name = "kernel.split_and_chained_equals_whole",
       .statement = "two parts, the second from the first one's final state, give the bits of the whole where the "
                    "contract keeps the order (a scan; chunks cut at their edges); elsewhere each is within its bound",
       .covers = chains,
       .covers_case = is_finite,
       .check = split}};
}

}  // namespace assay
