#include "problem/npy.hpp"

#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay {
namespace {

static_assert(std::endian::native == std::endian::little, ".npy files are written as this machine stores numbers");

constexpr std::string_view magic = "\x93NUMPY";

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw ExchangeError(fmt::format("{}: {}", path.string(), why));
}

/// The shape that the file states.
Shape npy_shape(Format format, Shape shape) {
  if (format == Format::gf61_complex) shape.push_back(2);
  return shape;
}

/// "(2, 3)", "(2,)", "()"
std::string tuple(const Shape& shape) {
  return shape.size() == 1 ? fmt::format("({},)", shape[0]) : fmt::format("({})", fmt::join(shape, ", "));
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(path, "no such file");
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The header's dictionary as text, and where the data begin.
struct Header {
  std::string dictionary;
  std::size_t data;
};

Header header_of(const std::string& bytes, const std::filesystem::path& path) {
  if (!bytes.starts_with(magic)) refuse(path, "is no .npy file: it does not begin with \\x93NUMPY");
  if (bytes.size() < 12) refuse(path, fmt::format("is cut short: {} bytes, no header", bytes.size()));
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned major = byte(6);
  if (major < 1 || major > 3) refuse(path, fmt::format("version {}.{}: needs 1.0, 2.0 or 3.0", major, byte(7)));
  const std::size_t begin = major == 1 ? 10 : 12;
  std::size_t length = byte(8) | byte(9) << 8;
  if (major > 1) length |= static_cast<std::size_t>(byte(10)) << 16 | static_cast<std::size_t>(byte(11)) << 24;
  if (bytes.size() < begin + length)
    refuse(path, fmt::format("is cut short: {} bytes, a header of {}", bytes.size(), length));
  return {bytes.substr(begin, length), begin + length};
}

/// The text of a key's value, up to the comma or bracket that ends it.
std::string value_of(const std::string& dictionary, std::string_view key, const std::filesystem::path& path) {
  const std::size_t at = dictionary.find(fmt::format("'{}'", key));
  const std::size_t colon = at == std::string::npos ? at : dictionary.find(':', at);
  if (colon == std::string::npos) refuse(path, fmt::format("its header has no key '{}'", key));
  const std::size_t begin = dictionary.find_first_not_of(' ', colon + 1);
  if (begin == std::string::npos) refuse(path, fmt::format("its header gives no value for '{}'", key));
  const std::size_t end = dictionary[begin] == '('    ? dictionary.find(')', begin)
                          : dictionary[begin] == '\'' ? dictionary.find('\'', begin + 1)
                                                      : dictionary.find_first_of(",}", begin) - 1;
  if (end == std::string::npos) refuse(path, fmt::format("its header gives no whole value for '{}'", key));
  return dictionary.substr(begin, end - begin + 1);
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

void require_elements(const Tensor& tensor, const std::filesystem::path& path, std::uint64_t order) {
  const std::span<const std::byte> bytes = tensor.bytes();
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t x = 0;
    std::memcpy(&x, bytes.data() + i, 8);
    if (x >= order)
      refuse(path, fmt::format("element {} is {}: needs less than the field's order {}", i / 8, x, order));
  }
}

void write_array(std::string_view dtype, const Shape& shape, std::span<const std::byte> bytes,
                 const std::filesystem::path& path) {
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", dtype, tuple(shape));
  // The data begin at a multiple of 64 bytes; the header ends with a newline.
  dictionary.append(63 - (10 + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::ofstream out(path, std::ios::binary);
  const auto length = static_cast<std::uint16_t>(dictionary.size());
  out << magic << '\1' << '\0' << static_cast<char>(length & 0xff) << static_cast<char>(length >> 8) << dictionary;
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) refuse(path, fmt::format("cannot be written: {}", std::strerror(errno)));
}

}  // namespace

std::string_view npy_dtype(Format format) {
  switch (format) {
    case Format::f32:
      return "<f4";
    case Format::fp16:
      return "<f2";
    case Format::bf16:
      return "<u2";
    case Format::i64:
      return "<i8";
    case Format::gf61:
    case Format::gf31:
    case Format::gf61_complex:
      return "<u8";
  }
  return "";
}

void write_npy(const Tensor& tensor, const std::filesystem::path& path) {
  write_array(npy_dtype(tensor.format()), npy_shape(tensor.format(), tensor.shape()), tensor.bytes(), path);
}

void write_npy(std::span<const double> numbers, const Shape& shape, const std::filesystem::path& path) {
  write_array("<f8", shape, std::as_bytes(numbers), path);
}

Tensor read_npy(const std::filesystem::path& path, Format format, const Shape& shape) {
  const std::string bytes = read_text(path);
  const Header header = header_of(bytes, path);
  const std::string dtype = value_of(header.dictionary, "descr", path), wanted = fmt::format("'{}'", npy_dtype(format));
  if (dtype != wanted) refuse(path, fmt::format("dtype {}: needs {} for {}", dtype, wanted, name_of(format)));
  const std::string order = value_of(header.dictionary, "fortran_order", path);
  if (order != "False") refuse(path, fmt::format("fortran_order {}: needs False", order));
  const std::string stated = value_of(header.dictionary, "shape", path), due = tuple(npy_shape(format, shape));
  if (without_spaces(stated) != without_spaces(due)) refuse(path, fmt::format("shape {}: needs {}", stated, due));
  Tensor tensor(format, shape);
  if (bytes.size() - header.data != tensor.bytes().size())
    refuse(path, fmt::format("holds {} bytes of data: needs {}", bytes.size() - header.data, tensor.bytes().size()));
  std::memcpy(tensor.bytes().data(), bytes.data() + header.data, tensor.bytes().size());
  if (format == Format::gf61 || format == Format::gf61_complex) require_elements(tensor, path, F61::order);
  if (format == Format::gf31) require_elements(tensor, path, F31::order);
  return tensor;
}

}  // namespace assay
