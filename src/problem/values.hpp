#pragma once

#include <cstdint>

#include "problem/draw.hpp"
#include "problem/tensor.hpp"

namespace assay {

/// A multiple of 2^-bits in [-1, 1), uniform. Made of integers and a power of two: the same on every machine.
double uniform_dyadic(Draw& draw, int bits);

/// A sum of four uniform draws, of variance 1: bell-shaped, at most sqrt(12) in size.
double bell_dyadic(Draw& draw, int bits);

/// 2^e times a number of either sign in [1, 2), e uniform in [low, high].
double scaled_dyadic(Draw& draw, int low, int high);

/// x cut toward zero to a value of the format; fields and integers: to an integer.
double shortened(double x, Format format);

/// Fills a tensor from a function of the element's number; values are shortened to the tensor's format.
template <class F>
void fill(Tensor& tensor, F value) {
  for (std::int64_t i = 0; i < tensor.count(); ++i) tensor.set(i, shortened(value(i), tensor.format()));
}

}  // namespace assay
