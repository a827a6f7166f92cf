#include "properties/source_tree.hpp"

namespace assay {

std::filesystem::path source_tree() { return ASSAY_SOURCE_TREE; }

std::filesystem::path device_records_folder() { return source_tree() / "reports" / "records" / "h200"; }

}  // namespace assay
