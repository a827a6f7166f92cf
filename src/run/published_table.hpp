#pragma once

#include <filesystem>

#include "problem/published.hpp"

namespace assay {

/// A comma-separated file: one row of column names, then rows of as many cells; a cell with a comma stands in double
/// quotes. Throws std::runtime_error("FILE:LINE: RULE").
PublishedTable read_published_table(const std::filesystem::path& file);

}  // namespace assay
