#pragma once

#include "problem/kernel.hpp"
#include "problem/oracle.hpp"

namespace assay {

/// What a kernel's outputs are held against.
struct Truth {
  References want;
  Allowances allowed;
};

/// The oracle's values and the kernel's bound, of the outputs that the kernel returns; values of a short case are
/// refined where their radii are not small beside the bound.
Truth truth_for(const Case& c, const Kernel& kernel, const Oracle& oracle, bool with_sums = false);

/// An oracle gives every output of its operator; a kernel may have no final state, or no sums.
template <class Outputs>
void keep_what_is_returned(Outputs& outputs, const Kernel& kernel, bool with_sums = false) {
  std::erase_if(outputs,
                [&](const auto& output) { return !kernel.limits.returns(*kernel.op->find(output.first), with_sums); });
}

/// Takes the sums, of which an output is the quotient, out of a map by output.
template <class Outputs>
Outputs taken_sums(Outputs& outputs, const Operator& op) {
  Outputs sums;
  for (auto it = outputs.begin(); it != outputs.end();)
    if (op.find(it->first)->role == Role::sum)
      sums.insert(outputs.extract(it++));
    else
      ++it;
  return sums;
}

}  // namespace assay
