#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

/// The ledgers, one a paper: claims/*.toml of the source tree, by name.
std::vector<std::filesystem::path> claim_files();

/// claims/tables/NAME.csv of the source tree.
std::filesystem::path published_table_file(const std::string& name);

/// oracle/references.md of the source tree.
std::filesystem::path references_file();

}  // namespace assay
