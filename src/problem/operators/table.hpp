#pragma once

#include <span>
#include <string_view>

#include "problem/operator.hpp"

namespace assay {

/// Every operator.
std::span<const Operator* const> operator_table();

/// Throws std::invalid_argument for an unknown name.
const Operator& operator_named(std::string_view name);

}  // namespace assay
