#include "simt/approximate/tables.hpp"

#include <array>
#include <mutex>

#include <fmt/format.h>
#include <lzma.h>

#include "simt/approximate/files.hpp"
#include "simt/options.hpp"

namespace assay::simt::approximate {
namespace {

constexpr std::uint32_t continues = 0x80;  // more bytes of the number follow

std::uint32_t zigzag(std::uint32_t difference) { return difference << 1 ^ (difference >> 31 ? ~0u : 0u); }
std::uint32_t unzigzag(std::uint32_t n) { return n >> 1 ^ (n & 1 ? ~0u : 0u); }

/// Calls take(byte) for every byte of what an xz file holds.
template <class Take>
void decompress(std::string_view file, Take take) {
  constexpr std::uint64_t most_memory = std::uint64_t{1} << 30;
  lzma_stream stream = LZMA_STREAM_INIT;
  lzma_ret result = lzma_stream_decoder(&stream, most_memory, 0);
  stream.next_in = reinterpret_cast<const std::uint8_t*>(file.data());
  stream.avail_in = file.size();
  std::vector<std::uint8_t> bytes(1 << 16);  // not on the stack: a CUDA thread of the host has little
  while (result == LZMA_OK) {
    stream.next_out = bytes.data();
    stream.avail_out = bytes.size();
    result = lzma_code(&stream, LZMA_FINISH);
    for (std::size_t i = 0; i < bytes.size() - stream.avail_out; ++i) take(bytes[i]);
  }
  lzma_end(&stream);
  if (result != LZMA_STREAM_END)
    throw Error(
        fmt::format("simt: a table of an approximate instruction is damaged: xz says {}", static_cast<int>(result)));
}

/// A table, unpacked when it is first asked for.
class Table {
 public:
  std::span<const std::uint32_t> values(TableName name) {
    std::call_once(once_, [&] { values_ = unpacked(file_of(name), table_size(name)); });
    return values_;
  }

 private:
  std::once_flag once_;
  std::vector<std::uint32_t> values_;
};

}  // namespace

std::string_view name_of(TableName name) {
#define ASSAY_TABLE_TEXT(name) #name,
  constexpr std::string_view names[] = {ASSAY_APPROXIMATE_TABLES(ASSAY_TABLE_TEXT)};
#undef ASSAY_TABLE_TEXT
  return names[static_cast<std::size_t>(name)];
}

std::span<const std::uint32_t> table(TableName name) {
  static std::array<Table, std::size(all_tables)> tables;
  return tables[static_cast<std::size_t>(name)].values(name);
}

std::string packed(std::span<const std::uint32_t> values) {
  std::string bytes;
  std::uint32_t last = 0;
  for (const std::uint32_t value : values) {
    std::uint32_t rest = zigzag(value - last);
    for (; rest >= continues; rest >>= 7) bytes += static_cast<char>(rest | continues);
    bytes += static_cast<char>(rest);
    last = value;
  }
  std::string file(lzma_stream_buffer_bound(bytes.size()), '\0');
  std::size_t written = 0;
  const lzma_ret result = lzma_easy_buffer_encode(9 | LZMA_PRESET_EXTREME, LZMA_CHECK_CRC64, nullptr,
                                                  reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(),
                                                  reinterpret_cast<std::uint8_t*>(file.data()), &written, file.size());
  if (result != LZMA_OK)
    throw Error(fmt::format("simt: a table cannot be packed: xz says {}", static_cast<int>(result)));
  file.resize(written);
  return file;
}

std::vector<std::uint32_t> unpacked(std::string_view file, std::uint32_t count) {
  std::vector<std::uint32_t> values;
  values.reserve(count);
  std::uint32_t last = 0, number = 0;
  unsigned shift = 0;
  decompress(file, [&](std::uint8_t byte) {
    number |= (byte & (continues - 1)) << shift;
    shift += 7;
    if (byte & continues) return;
    values.push_back(last += unzigzag(number));
    number = shift = 0;
  });
  if (values.size() != count)
    throw Error(
        fmt::format("simt: a table of an approximate instruction holds {} results: needs {}", values.size(), count));
  return values;
}

}  // namespace assay::simt::approximate
