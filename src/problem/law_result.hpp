#pragma once

#include <cstdint>
#include <string>

namespace assay {

/// What a run of a law found.
struct LawResult {
  bool holds = false;
  std::uint64_t seed = 0;
  std::uint32_t trials = 0;    ///< trials of each check that counted; the least of them
  std::uint32_t rejected = 0;  ///< trials that did not count, in all checks
  std::string text = {};       ///< the failing trial, shrunk; or what a trial that holds has to show
};

}  // namespace assay
