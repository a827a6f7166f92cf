#pragma once

#include "problem/families.hpp"
#include "problem/kernel.hpp"

namespace assay {

/// Lengths that a measurement asks for. One sequence a batch, from a state of zero and position 0.
struct CaseSize {
  std::int64_t batch = 1, tokens = 1, heads = 1, feature = 1, value = 1;
};

/// The case of these sizes, with the kernel's first number of channels and first power. Widths above the kernel's
/// limits are cut to them. Values follow from family, seed and sizes alone.
Case make_case(const Kernel& kernel, const Family& family, std::uint64_t seed, const CaseSize& size);

/// Window `index` of sequences whose tokens come in windows of `size.tokens`: every window is drawn by itself.
/// Parameters given here are not drawn. There is no initial state.
Case make_window(const Kernel& kernel, const Family& family, std::uint64_t seed, const CaseSize& size,
                 const Parameters& parameters, std::uint64_t index);

/// Its sizes alone: there are no tensors.
Case make_sizes(const Kernel& kernel, const Family& family, std::uint64_t seed, const CaseSize& size);

}  // namespace assay
