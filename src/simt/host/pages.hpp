#pragma once

#include <cstddef>

namespace assay::simt::runtime {

/// Size of a page of memory; a multiple of it is what can be protected.
std::size_t page_bytes();

/// The least multiple of `unit` that is not below n.
constexpr std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

/// Zeroed pages, readable and writable. Throws std::bad_alloc.
std::byte* map_pages(std::size_t bytes);
void unmap_pages(std::byte* map, std::size_t bytes);

/// Makes whole pages fault on every access.
void forbid_pages(std::byte* first, std::size_t bytes);

}  // namespace assay::simt::runtime
