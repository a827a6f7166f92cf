#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

/// A recorded counterexample: corpus/<law>/<case> of the source tree.
struct CorpusEntry {
  std::string law;
  std::filesystem::path folder;
};

/// All of them, by name.
std::vector<CorpusEntry> corpus();

}  // namespace assay
