#include "kernels/ill_conditioned.hpp"

namespace assay {

std::map<std::string_view, double> ill_conditioned_families(const Operator&, const Contract&) { return {}; }

}  // namespace assay
