#pragma once

#include <string>

namespace assay::simt::runtime {

/// A name of C++ as it is written, from its mangled form; the mangled form if it is none.
std::string demangled(const std::string& mangled);

/// A function's name without return type, namespaces and parameters: "gemm<16>".
std::string kernel_name(const std::string& mangled);

}  // namespace assay::simt::runtime
