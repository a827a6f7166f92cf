#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::simt::runtime {

/// Fills [data, data + bytes) with copies of the word, the first one at `data`.
void fill_with(std::byte* data, std::size_t bytes, std::uint32_t word);

/// Whether [data + from, data + to) still holds what fill_with(data, …, word) wrote.
bool filled_with(const std::byte* data, std::size_t from, std::size_t to, std::uint32_t word);

}  // namespace assay::simt::runtime
