#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/case.hpp"
#include "problem/kernel.hpp"

// Cases made from cases, by the axes and roles of their tensors alone: the same for every operator.

namespace assay {

/// Tokens [begin, end) of a sequence, counted from its first.
struct Stretch {
  std::int64_t sequence, begin, end;

  std::int64_t length() const { return end - begin; }
};

/// Sequences of one length side by side, or of any length end to end under cu_seqlens.
enum class Layout { batched, packed };

Layout layout_of(const Case& c);

/// Every sequence of a case, whole.
std::vector<Stretch> whole(const Case& c);

/// The case whose n-th sequence is the n-th of these stretches. Positions move along with a late beginning; initial
/// states are those of the sequences. Throws std::logic_error for a batch of unequal lengths.
Case gathered(const Case& c, std::span<const Stretch> stretches, Layout layout);

/// The same of the case's outputs: tokens of the stretches, states of their sequences.
Tensors gathered(const Case& c, const Tensors& outputs, std::span<const Stretch> stretches, Layout layout);

/// Keeps these indices of an axis, in this order, in every tensor that has it. Not for batch, time and sequences.
Case with_indices(const Case& c, Axis axis, std::span<const std::int64_t> indices);
Tensors with_indices(const Case& c, const Tensors& outputs, Axis axis, std::span<const std::int64_t> indices);

/// The case with its initial states replaced by a run's final ones, in the order in which the operator names them.
Case resumed(Case c, const Tensors& outputs);

/// The case with zeros for every position that it leaves out, and for the initial state if the kernel takes one.
Case with_neutral_options(Case c, const Limits& limits);

/// Multiplies every element; over a field the factor is a whole number.
void scale(Tensor& tensor, double factor);

/// Every element of every input, or of every output, with this axis times a power of two, or minus one. A field has
/// no powers of two of its own: there the factor is an element like any other.
Case scaled(Case c, Axis axis, double factor);
Tensors scaled(const Case& c, Tensors outputs, Axis axis, double factor);

/// Every sequence between two others that hold nothing but NaN; sequence n is then number 2n + 1. Packed.
Case among_poisoned_sequences(const Case& c);

}  // namespace assay
