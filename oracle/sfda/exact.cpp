#include "oracle/sfda/exact.hpp"

#include "oracle/exact_value.hpp"
#include "oracle/sfda/by_recurrence.hpp"

namespace assay::sfda {

References exact_delta_rule(const Case& c) { return references_by_recurrence<FlaggedNumber>(c); }

}  // namespace assay::sfda
