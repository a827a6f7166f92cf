#pragma once

#include "problem/case.hpp"
#include "record/record.hpp"

namespace assay {

/// The sizes of a case by the operator's symbols, B, T, H ...; T is a list where sequences are packed.
Json shapes_json(const Case& c);

}  // namespace assay
