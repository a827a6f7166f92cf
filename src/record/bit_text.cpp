#include "record/bit_text.hpp"

#include <bit>
#include <cstdint>

#include <fmt/format.h>

#include "record/record.hpp"

namespace assay {
namespace {

constexpr std::size_t digits = 16;

}  // namespace

std::string bit_text(std::span<const double> values) {
  std::string text;
  text.reserve(digits * values.size());
  for (const double x : values) text += digest_text(std::bit_cast<std::uint64_t>(x));
  return text;
}

std::vector<double> parse_bit_text(const std::string& text) {
  if (text.size() % digits != 0)
    throw RecordError(fmt::format("{} hexadecimal digits: needs {} a number", text.size(), digits));
  std::vector<double> values;
  for (std::size_t i = 0; i < text.size(); i += digits)
    values.push_back(std::bit_cast<double>(parse_digest(text.substr(i, digits))));
  return values;
}

}  // namespace assay
