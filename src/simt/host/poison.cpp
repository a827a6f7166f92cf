#include "simt/host/poison.hpp"

#include <algorithm>
#include <cstring>

namespace assay::simt::runtime {
namespace {

std::byte byte_of(std::uint32_t word, std::size_t i) { return static_cast<std::byte>(word >> (8 * (i % 4))); }

}  // namespace

void fill_with(std::byte* data, std::size_t bytes, std::uint32_t word) {
  std::size_t filled = std::min<std::size_t>(bytes, 64);
  for (std::size_t i = 0; i < filled; ++i) data[i] = byte_of(word, i);
  for (std::size_t more = 0; filled < bytes; filled += more) {
    more = std::min(filled, bytes - filled);
    std::memcpy(data + filled, data, more);
  }
}

bool filled_with(const std::byte* data, std::size_t from, std::size_t to, std::uint32_t word) {
  constexpr std::size_t period = sizeof word;
  for (std::size_t i = from; i < std::min(to, from + period); ++i)
    if (data[i] != byte_of(word, i)) return false;
  return to <= from + period || std::memcmp(data + from, data + from + period, to - from - period) == 0;
}

}  // namespace assay::simt::runtime
