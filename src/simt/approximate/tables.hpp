#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simt/approximate/table_inputs.hpp"

namespace assay::simt::approximate {

#define ASSAY_TABLE(name) TableName::name,
inline constexpr TableName all_tables[] = {ASSAY_APPROXIMATE_TABLES(ASSAY_TABLE)};
#undef ASSAY_TABLE

/// "ex2_positive": its file in this folder, without ".xz".
std::string_view name_of(TableName name);

/// The bits of the results of an sm_90 GPU for the inputs of the table, unpacked at the first call. Throws Error if the
/// file that was built in is damaged.
std::span<const std::uint32_t> table(TableName name);

/// The file of such results: their first differences, each as a zigzag number of seven bits a byte, the lowest first,
/// then xz.
std::string packed(std::span<const std::uint32_t> values);

/// What a file holds. Throws Error unless it is `count` results.
std::vector<std::uint32_t> unpacked(std::string_view file, std::uint32_t count);

}  // namespace assay::simt::approximate
