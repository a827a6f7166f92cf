#pragma once

#include <string>

#include "judge/verdict.hpp"
#include "problem/case.hpp"

namespace assay {

/// Where a result came from and how to see it again.
struct Provenance {
  std::string kernel;
  std::string replay;  ///< the command
  std::string found;   ///< the case before it was made simpler; empty: it was not
  std::string text;    ///< the machine's message, R2's block, or why an output could not be read
};

/// The whole text of one mismatch: kernel, case, worst index, got and want in decimal and hexfloat, ulp, bound, slack,
/// seed, the command that replays it and where it was found. Built whole, so that parallel runs cannot interleave.
std::string mismatch_text(const Case& c, const Provenance& provenance, const Judgement& judgement);

}  // namespace assay
