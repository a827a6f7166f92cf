#include "properties/corpus.hpp"

#include <algorithm>

#include "properties/source_tree.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders_in(const fs::path& path) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(path))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::ranges::sort(folders);
  return folders;
}

}  // namespace

std::vector<CorpusEntry> corpus() {
  const fs::path root = source_tree() / "properties" / "corpus";
  std::vector<CorpusEntry> entries;
  for (const fs::path& law : folders_in(root))
    for (const fs::path& folder : folders_in(law)) entries.push_back({law.filename().string(), folder});
  return entries;
}

}  // namespace assay
