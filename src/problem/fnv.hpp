#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay {

/// The hash FNV-1a of 64 bits, byte by byte.
class Fnv {
 public:
  void add(std::string_view text) {
    for (const char c : text) step(static_cast<unsigned char>(c));
  }
  /// The bytes of n, the lowest first.
  template <class T>
  void add_integer(T n) {
    for (std::size_t i = 0; i < sizeof(T); ++i) step(static_cast<std::uint64_t>(n) >> (8 * i) & 0xff);
  }
  std::uint64_t value() const { return hash_; }

 private:
  void step(std::uint64_t byte) { hash_ = (hash_ ^ byte) * 0x100000001b3; }
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace assay
