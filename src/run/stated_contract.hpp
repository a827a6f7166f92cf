#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "problem/case.hpp"
#include "problem/precision.hpp"

namespace assay {

/// The precision contract of outputs that come from elsewhere, as far as it was stated.
struct StatedContract {
  std::string name;                    ///< of the preset, or of the file
  std::optional<Algorithm> algorithm;  ///< none: the operator's own, usual_algorithm
  Contract contract;                   ///< a height or chain of 0 was not stated
};

/// "f32, f32-tf32, bf16, bf16-mma"
std::string contract_presets();

/// The preset of that name, else the contract in that file: one JSON object, whose keys are fields of Contract, and
/// `preset` (f32 where it is not there), which gives the fields that are not. Throws RecordError with one line.
StatedContract stated_contract(const std::string& name_or_file);

/// Throws RecordError for an unknown name.
Algorithm parse_algorithm(std::string_view name);

/// How kernels of the operator are mostly written: by chunks; elementwise ones otherwise.
Algorithm usual_algorithm(const Operator& op);

/// The contract for one case. Heights that were not stated are the number of terms of the case's sums, the longest path
/// that any order has, products rounded by themselves; a chain of tensor-core instructions is as long as the longest
/// sum. Throws RecordError where the operator has no bound for the algorithm.
Contract contract_for(const StatedContract& stated, const Case& c);

}  // namespace assay
