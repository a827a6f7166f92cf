#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "problem/oracle.hpp"

namespace assay {

/// The errors e of one output beside their expected deviation σ, over the elements that have one: a rounding to nearest
/// has mean 0 and square 1, one toward zero mean -√3 and square 4. One sample a case: rows of a case share errors.
struct RoundingSample {
  std::size_t elements = 0;
  double bias = 0;    ///< mean of e sign(want) / σ
  double square = 0;  ///< mean of (e / σ)²
};
using RoundingSamples = std::map<std::string, RoundingSample, std::less<>>;

/// Of every output with such elements. Errors of exactly 0 say nothing of a rounding: they are left out.
RoundingSamples rounding_samples(const Tensors& got, const References& want, const Allowances& allowed);

}  // namespace assay
