#include "properties/claims.hpp"

#include <algorithm>

#include "properties/source_tree.hpp"

namespace assay {
std::vector<std::filesystem::path> claim_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(source_tree() / "properties" / "claims"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::filesystem::path published_table_file(const std::string& name) {
  return source_tree() / "properties" / "claims" / "tables" / (name + ".csv");
}

std::filesystem::path references_file() { return source_tree() / "oracle" / "references.md"; }

}  // namespace assay
