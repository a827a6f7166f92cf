#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/build.hpp"

namespace assay {

/// A row of kernels/mutants/*.toml as it was compiled. A stale one, whose edit no longer applies, has no build.
struct MutantBuild {
  std::string name, base, kind, family, sentence, reference;
  std::optional<Build> build;
};

/// The build with that name, or nothing.
inline std::optional<Build> find_build(const std::vector<Build>& builds, std::string_view name) {
  for (const Build& b : builds)
    if (b.name == name) return b;
  return std::nullopt;
}

/// Every mutant. The source is written by scripts/mutants.py.
std::vector<MutantBuild> mutant_builds();

}  // namespace assay
