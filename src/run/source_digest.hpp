#pragma once

#include <cstdint>
#include <filesystem>

#include "problem/kernel.hpp"

namespace assay {

/// The file of a kernel in the source tree: kernels/<paper>/<algorithm>.cuh.
std::filesystem::path source_file(const Kernel& kernel);

/// FNV-1a over a file of the tree and everything of `kernels` and `src/simt` that it includes, and they include, each
/// once: where it is the same the kernel computes the same. 0 where the tree lacks the file.
std::uint64_t source_digest(const std::filesystem::path& tree, const std::filesystem::path& file);

}  // namespace assay
