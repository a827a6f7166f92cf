#pragma once

#include <string>

#include "judge/verdict.hpp"

namespace assay {

/// Marks a judgement vacuous if its allowances accept a trivially wrong output: zeros, the mean, the value of another
/// row, one row dropped. A trivial output within 4 u |want| + radius of the truth is right, and only `degenerate`.
/// `u` is the unit roundoff of the output format.
void judge_trivial_outputs(Judgement& judgement, const References& want, const Allowances& allowed, double u);

}  // namespace assay
