#pragma once

#include <string>

#include "record/record.hpp"
#include "run/evaluate.hpp"
#include "run/law_result.hpp"

namespace assay {

/// The command that makes and judges the same case again.
std::string replay_command(const Evaluation& e);

/// A row of `results[]`.
Json result_json(const Evaluation& e);

/// The mismatch block of an evaluation that did not pass.
std::string mismatch_text(const Evaluation& e);

/// A row of `laws[]`.
Json law_json(const Law& law, const LawResult& result, std::uint64_t seed);

}  // namespace assay
