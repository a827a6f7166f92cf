#include <numeric>

#include <fmt/format.h>

#include "problem/transforms.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/kernels/outputs.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

bool packs(const Kernel& kernel) { return kernel.limits.ragged && !kernel.limits.one_token; }

Outcome separate(const KernelTrial& trial) {
  const Case& c = trial.input;
  const Tensors together = outputs_of(trial, c);
  FirstFailure found;
  for (const Stretch& s : whole(c)) {
    const std::vector<Stretch> alone = {s};
    const Case one = gathered(c, alone, Layout::batched);
    found.note(same_bits(fmt::format("sequence {} alone", s.sequence), one, outputs_of(trial, one),
                         gathered(c, together, alone, Layout::batched)));
  }
  return found.outcome();
}

Outcome packed(const KernelTrial& trial) {
  const Case& c = trial.input;
  if (layout_of(c) == Layout::packed) return separate(trial);
  const Case ends = gathered(c, whole(c), Layout::packed);
  return all_of({separate(trial), same_bits("the batch packed", ends, outputs_of(trial, ends),
                                            gathered(c, outputs_of(trial, c), whole(c), Layout::packed))});
}

Outcome neighbours(const KernelTrial& trial) {
  const Case& c = trial.input;
  const Case crowded = among_poisoned_sequences(c);
  std::vector<Stretch> own = whole(crowded);
  std::erase_if(own, [](const Stretch& s) { return s.sequence % 2 == 0; });
  const Layout layout = layout_of(c);
  return same_bits("between sequences of NaN", c, gathered(crowded, outputs_of(trial, crowded), own, layout),
                   outputs_of(trial, c));
}

std::vector<std::int64_t> draw_permutation(Draw& draw, std::int64_t n) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draw.below(i)]);
  return order;
}

Outcome permuted(const KernelTrial& trial) {
  const Case& c = trial.input;
  const Layout layout = layout_of(c);
  const std::vector<std::int64_t> heads = draw_permutation(trial.draw, c.sizes[Axis::head]);
  std::vector<Stretch> order;
  for (const std::int64_t n : draw_permutation(trial.draw, c.sequences()))
    order.push_back(whole(c)[static_cast<std::size_t>(n)]);
  const Case by_head = with_indices(c, Axis::head, heads);
  const Case both = gathered(by_head, order, layout);
  const Tensors want = with_indices(c, outputs_of(trial, c), Axis::head, heads);
  return same_bits("heads and sequences in another order", both, outputs_of(trial, both),
                   gathered(by_head, want, order, layout));
}

}  // namespace

std::vector<KernelLaw> kernels_packing_laws() {
  return {{.name = "kernel.packed_equals_separate",
           .statement = "a sequence has the bits of a run of its own, packed under cu_seqlens or in a batch",
           .covers = packs,
           .check = packed},
          {.name = "kernel.batched_equals_separate",
           .statement = "a sequence of a batch has the bits of a run of its own",
           .covers = [](const Kernel& kernel) { return !packs(kernel); },
           .check = separate},
          {.name = "kernel.neighbours_may_hold_anything",
           .statement = "sequences of NaN before and behind change no bit",
           .covers = packs,
           .check = neighbours},
          {.name = "kernel.heads_and_batches_permute",
           .statement = "heads and sequences in another order give the same bits in that order",
           .check = permuted}};
}

}  // namespace assay
