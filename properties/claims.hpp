#pragma once

#include <filesystem>
#include <vector>

namespace assay {

/// The ledgers, one a paper: claims/*.toml of the source tree, by name.
std::vector<std::filesystem::path> claim_files();

/// oracle/references.md of the source tree.
std::filesystem::path references_file();

}  // namespace assay
