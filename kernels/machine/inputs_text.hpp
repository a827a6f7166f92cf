#pragma once

#include <cstdint>
#include <string>

#include "arith/float_format.hpp"
#include "kernels/machine/tensor_core_classes.hpp"
#include "simt/approximate/table_inputs.hpp"

namespace assay::generated {

/// "a = 3f80 …, b = 4000 …, c = 3f800000": what the sum number `index` of a class is made of, in bits.
template <class T>
std::string inputs_text(const TensorCoreClass& kind, std::uint64_t index);

/// "x = 3f800000": the input number `index` of a function.
std::string input_text(std::uint64_t index);

/// The same of an entry of a table.
std::string table_input_text(simt::approximate::TableName name, std::uint64_t index);

}  // namespace assay::generated
