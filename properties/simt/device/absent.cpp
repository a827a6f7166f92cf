#include "properties/simt/laws.hpp"

namespace assay {

std::vector<Law> simt_device_laws() { return {}; }

}  // namespace assay
