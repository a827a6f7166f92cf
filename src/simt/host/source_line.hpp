#pragma once

#include <string>

namespace assay::simt::runtime {

/// "file:line" of the call that returns to `code`, from the program's line tables (binutils' addr2line); the address
/// in the program where there are none.
std::string source_line(const void* code);

}  // namespace assay::simt::runtime
