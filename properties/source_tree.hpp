#pragma once

#include <filesystem>

namespace assay {

/// Where the program was built from.
std::filesystem::path source_tree();

}  // namespace assay
