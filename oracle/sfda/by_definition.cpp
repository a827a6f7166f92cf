#include "oracle/sfda/by_definition.hpp"

#include "oracle/defined_value.hpp"
#include "oracle/sfda/by_recurrence.hpp"

namespace assay::sfda {

References delta_rule_by_definition(const Case& c) { return references_by_recurrence<Mpfr50>(c); }

}  // namespace assay::sfda
