#pragma once

#include <filesystem>
#include <string>

#include "problem/case.hpp"
#include "problem/npy.hpp"

namespace assay {

/// The version of the form of case folders.
inline constexpr int exchange_version = 1;

/// A case as it lies in a folder: case.json and one .npy file a tensor.
struct StoredCase {
  Case c;
  std::string kernel;  ///< that it was found with; empty: every kernel of the operator
  std::string law;     ///< the kernel law that it is for; empty: the judgement alone
};

/// Writes a folder beside `path` and renames it. A folder that holds a case is replaced; anything else that is there
/// already is an error. Throws ExchangeError.
void write_case(const StoredCase& stored, const std::filesystem::path& path);

/// Reads and checks a case: every key known, every tensor of the operator there in its format and shape, sequences
/// rising. Throws ExchangeError with one line.
StoredCase read_case(const std::filesystem::path& path);

}  // namespace assay
