#pragma once

#include <string_view>

#include "simt/approximate/table_inputs.hpp"

namespace assay::simt::approximate {

/// The bytes of the table's file in this folder, as they were when the program was built.
std::string_view file_of(TableName name);

}  // namespace assay::simt::approximate
