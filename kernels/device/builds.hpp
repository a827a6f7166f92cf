#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/build.hpp"

namespace assay {

/// Every kernel as nvcc built it; none in a program without device builds.
std::vector<Build> device_builds();

/// A mutant's kernel as nvcc built it.
struct MutantDeviceBuild {
  std::string name;
  std::optional<Build> build;
};

/// The mutants that are compiled for the GPU, too: those with `device = true` in kernels/mutants/*.toml.
std::vector<MutantDeviceBuild> mutant_device_builds();

}  // namespace assay
