#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "problem/oracle.hpp"
#include "run/trial.hpp"

namespace assay {

/// The last lines of a mismatch block, as in Provenance.
struct Origin {
  std::string replay;
  std::string found;
};

/// What is wrong with a case, in a whole block; empty if nothing is.
using Complaint = std::function<std::string(const Case&, const Origin&)>;

/// The complaint about the simplest case, on a way down from the trial's, that has one and that the kernel takes. It
/// lies, with the kernel's outputs and the oracle's, in a folder of its own in `folder`; if `folder` is empty the
/// complaint is about the trial's case itself. `law`: what the complaint comes from, empty for the judgement.
std::string counterexample(const Trial& trial, const std::string& law, const Complaint& complaint, const Oracle& oracle,
                           const std::filesystem::path& folder);

/// Writes a trial's case as it is: nothing can be asked of a kernel that kills its process.
Origin written_as_found(const Trial& trial, const std::string& law, const std::filesystem::path& folder);

}  // namespace assay
