#include "problem/tensor.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arith/rounding.hpp"

namespace assay {
namespace {

struct FormatRow {
  Format format;
  std::string_view name;
  std::size_t bytes;
};

constexpr std::array<FormatRow, 7> format_table = {{{Format::f32, "f32", 4},
                                                    {Format::bf16, "bf16", 2},
                                                    {Format::fp16, "fp16", 2},
                                                    {Format::i64, "i64", 8},
                                                    {Format::gf61, "gf61", 8},
                                                    {Format::gf31, "gf31", 8},
                                                    {Format::gf61_complex, "gf61_complex", 16}}};

const FormatRow& row_of(Format format) { return format_table[static_cast<std::size_t>(format)]; }

}  // namespace

std::string_view name_of(Format format) { return row_of(format).name; }
std::size_t bytes_of(Format format) { return row_of(format).bytes; }

Format parse_format(std::string_view name) {
  for (const FormatRow& row : format_table)
    if (row.name == name) return row.format;
  throw std::invalid_argument(
      fmt::format("format '{}': not one of f32, bf16, fp16, i64, gf61, gf31, gf61_complex", name));
}

const FloatFormat& float_format(Format format) {
  switch (format) {
    case Format::f32:
      return float32_format;
    case Format::bf16:
      return bf16_format;
    case Format::fp16:
      return fp16_format;
    default:
      throw std::invalid_argument(fmt::format("{} is no floating-point format", name_of(format)));
  }
}

std::int64_t count_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::string text_of(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

Tensor::Tensor(Format format, Shape shape)
    : format_(format),
      shape_(std::move(shape)),
      bytes_(static_cast<std::size_t>(count_of(shape_)) * bytes_of(format)) {}

void Tensor::require(Format wanted) const {
  if (wanted != format_)
    throw std::logic_error(fmt::format("a tensor of {} was read as {}", name_of(format_), name_of(wanted)));
}

double Tensor::value(std::int64_t i) const {
  const auto at = static_cast<std::size_t>(i);
  switch (format_) {
    case Format::f32:
      return as<float>()[at];
    case Format::bf16:
      return to_float(as<Bf16>()[at]);
    case Format::fp16:
      return to_float(as<Fp16>()[at]);
    case Format::i64:
      return static_cast<double>(as<std::int64_t>()[at]);
    default:
      throw std::logic_error(fmt::format("a tensor of {} has no real values", name_of(format_)));
  }
}

void Tensor::copy_values(std::int64_t first, std::span<double> out) const {
  if (format_ == Format::f32) {
    std::ranges::copy(as<float>().subspan(static_cast<std::size_t>(first), out.size()), out.begin());
    return;
  }
  for (double& x : out) x = value(first++);
}

void Tensor::set(std::int64_t i, double x) {
  const auto at = static_cast<std::size_t>(i);
  switch (format_) {
    case Format::f32:
      as<float>()[at] = static_cast<float>(x);
      break;
    case Format::bf16:
      as<Bf16>()[at] = round_to<Bf16>(x);
      break;
    case Format::fp16:
      as<Fp16>()[at] = round_to<Fp16>(x);
      break;
    case Format::i64:
      as<std::int64_t>()[at] = static_cast<std::int64_t>(x);
      break;
    case Format::gf61:
      as<F61>()[at] = F61(static_cast<std::int64_t>(x));
      break;
    case Format::gf31:
      as<F31>()[at] = F31(static_cast<std::int64_t>(x));
      break;
    case Format::gf61_complex:
      as<Cx<F61>>()[at] = Cx<F61>(F61(static_cast<std::int64_t>(x)));
      break;
  }
  if (!is_field(format_) && value(i) != x && x == x)
    throw std::logic_error(fmt::format("{:a} is not representable in {}", x, name_of(format_)));
}

}  // namespace assay
