#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "problem/kernel.hpp"
#include "problem/oracle.hpp"
#include "run/tables.hpp"

namespace assay {

/// What is added to an element of the truth.
using KnownError = std::function<double(const Case&, const std::string& output, const Reference& want, std::size_t i)>;

/// A kernel of sanatan.feature_attention whose outputs are the truth and known errors, in f32. Its contract allows
/// errors of some units in the last place.
Kernel known_kernel(const std::string& name, const KnownError& error);

/// One of -places, 0 and places times 2^-23 of the element, drawn for each; another stream draws others.
KnownError scattered(int places, std::uint64_t stream);

/// The program's oracles and these kernels, nothing else.
Tables tables_with(std::span<const Kernel> kernels);

}  // namespace assay
