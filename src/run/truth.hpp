#pragma once

#include "problem/kernel.hpp"
#include "problem/oracle.hpp"

namespace assay {

/// What a kernel's outputs are held against.
struct Truth {
  References want;
  Allowances allowed;
};

/// The oracle's values and the kernel's bound, of the outputs that the kernel returns.
Truth truth_for(const Case& c, const Kernel& kernel, const Oracle& oracle);

/// An oracle gives every output of its operator; a kernel may have no final state.
template <class Outputs>
void keep_what_is_returned(Outputs& outputs, const Kernel& kernel) {
  std::erase_if(outputs, [&](const auto& output) { return !kernel.limits.returns(*kernel.op->find(output.first)); });
}

}  // namespace assay
