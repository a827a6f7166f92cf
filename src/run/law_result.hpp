#pragma once

#include <cstdint>
#include <string>

#include "problem/law.hpp"

namespace assay {

/// What became of a law. A law of the tables, or a kernel law with one kernel.
struct LawResult {
  enum class Verdict { pass, fail, skipped } verdict = Verdict::pass;
  std::uint32_t trials = 0;    ///< trials that count, of each check
  std::uint32_t rejected = 0;  ///< trials outside the law's domain
  double log2_false_accept = 0;
  double seconds = 0;
  std::string text;  ///< the shrunk counterexample, why the law was skipped, or what a trial that holds has to show
};

}  // namespace assay
