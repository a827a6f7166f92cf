#pragma once

#include "problem/case.hpp"
#include "problem/families.hpp"
#include "problem/oracle.hpp"
#include "properties/identity.hpp"

namespace assay {

/// Every element of every output in `some`: |difference| <= both radii, or both are the same infinity.
Outcome within_radii(const Case& c, const References& some, const References& all);

/// One that is held against values.
const Family& draw_family_with_values(const Operator& op, Draw& draw);

}  // namespace assay
