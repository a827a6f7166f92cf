#include "simt/host/poison.hpp"

#include <cstring>

namespace assay::simt::runtime {
namespace {

std::byte byte_of(std::uint32_t word, std::size_t i) { return static_cast<std::byte>(word >> (8 * (i % 4))); }

}  // namespace

void fill_with(std::byte* data, std::size_t bytes, std::uint32_t word) {
  std::size_t i = 0;
  for (; i + sizeof word <= bytes; i += sizeof word) std::memcpy(data + i, &word, sizeof word);
  for (; i < bytes; ++i) data[i] = byte_of(word, i);
}

bool filled_with(const std::byte* data, std::size_t from, std::size_t to, std::uint32_t word) {
  for (std::size_t i = from; i < to; ++i)
    if (data[i] != byte_of(word, i)) return false;
  return true;
}

}  // namespace assay::simt::runtime
