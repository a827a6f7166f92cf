#pragma once

#include <filesystem>
#include <string>

#include "problem/case.hpp"
#include "problem/npy.hpp"
#include "problem/oracle.hpp"

namespace assay {

/// The version of the form of case folders.
inline constexpr int exchange_version = 1;

/// A case as it lies in a folder: case.json and one .npy file a tensor. Beside them, for people to look at and never
/// read back, got/ and want/: what the kernel returned, bit for bit, and the oracle's values in float64.
struct StoredCase {
  Case c;
  std::string kernel;  ///< that it was found with; empty: every kernel of the operator
  std::string law;     ///< the kernel law that it is for; empty: the judgement alone
  Tensors got = {};
  References want = {};
};

/// Writes a folder beside `path` and renames it. A folder that holds a case is replaced; anything else that is there
/// already is an error. Throws ExchangeError.
void write_case(const StoredCase& stored, const std::filesystem::path& path);

/// Reads and checks a case: every key known, every tensor of the operator there in its format and shape, sequences
/// rising. Throws ExchangeError with one line.
StoredCase read_case(const std::filesystem::path& path);

}  // namespace assay
