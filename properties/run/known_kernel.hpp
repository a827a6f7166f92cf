#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "problem/kernel.hpp"
#include "run/tables.hpp"

namespace assay {

/// How many units in the last place an element is off.
using KnownError = std::function<std::int64_t(const Case&, const std::string& output, std::int64_t element)>;

/// A kernel of sanatan.feature_attention whose outputs are the truth in f32, moved by known errors. Its contract is
/// that of the first scan of the table.
Kernel known_kernel(const std::string& name, const KnownError& error);

/// One of -size, 0 and size, drawn for each element; another stream draws others.
KnownError scattered(std::int64_t size, std::uint64_t stream);

/// The program's oracles and these kernels, nothing else.
Tables tables_with(std::span<const Kernel> kernels);

}  // namespace assay
