#include "properties/source_tree.hpp"

namespace assay {

std::filesystem::path source_tree() { return ASSAY_SOURCE_TREE; }

}  // namespace assay
