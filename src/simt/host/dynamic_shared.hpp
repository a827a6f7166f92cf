#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::simt::runtime {

/// The dynamic shared memory of a block. An unreadable page follows the last multiple of 128 bytes; the bytes between
/// are filled like the memory itself, and checked.
class DynamicShared {
 public:
  static constexpr std::size_t alignment = 128;

  DynamicShared() = default;
  ~DynamicShared();
  DynamicShared(const DynamicShared&) = delete;
  DynamicShared& operator=(const DynamicShared&) = delete;

  void reserve(std::size_t bytes);
  void fill(std::uint32_t poison);
  /// Whether the bytes after the end still hold the fill.
  bool intact(std::uint32_t poison) const;

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  /// Whether the address lies in the page that follows.
  bool overrun_at(const void* address) const;

 private:
  std::byte* map_ = nullptr;
  std::size_t map_bytes_ = 0;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace assay::simt::runtime
