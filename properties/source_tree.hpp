#pragma once

#include <filesystem>

namespace assay {

/// Where the program was built from.
std::filesystem::path source_tree();

/// What GPUs returned: reports/records/h200 of the source tree.
std::filesystem::path device_records_folder();

}  // namespace assay
