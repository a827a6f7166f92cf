#pragma once

#include <vector>

#include "problem/law.hpp"

/// Laws of records on disk.
namespace assay {

std::vector<Law> record_files_laws();

}  // namespace assay
