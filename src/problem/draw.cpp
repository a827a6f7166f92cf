#include "problem/draw.hpp"

#include <iterator>

#include <Random123/philox.h>
#include <fmt/format.h>

#include "problem/fnv.hpp"

namespace assay {
namespace {

/// Names become parts of a Philox key.
std::uint64_t hash_name(std::string_view name) {
  Fnv hash;
  hash.add(name);
  return hash.value();
}

std::array<std::uint32_t, 2> philox_key(std::uint64_t seed, std::uint64_t name, std::uint64_t trial) {
  const r123::Philox4x32::ctr_type block{{static_cast<std::uint32_t>(name), static_cast<std::uint32_t>(name >> 32),
                                          static_cast<std::uint32_t>(trial), static_cast<std::uint32_t>(trial >> 32)}};
  const r123::Philox4x32::key_type key{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const auto mixed = r123::Philox4x32{}(block, key);
  return {mixed[0], mixed[1]};
}

}  // namespace

Draw::Draw(std::uint64_t seed, std::string_view name, std::uint64_t trial, std::vector<std::uint64_t> choices)
    : key_(philox_key(seed, hash_name(name), trial)), choices_(std::move(choices)) {}

std::int64_t Draw::size(std::string_view name, std::int64_t low, std::int64_t high) {
  const auto count = static_cast<std::uint64_t>(high - low) + 1;
  const std::uint64_t choice = next_choice_ < choices_.size() ? choices_[next_choice_] % count : below(count);
  ++next_choice_;
  const std::int64_t value = low + static_cast<std::int64_t>(choice);
  sizes_.emplace_back(name, value);
  return value;
}

std::uint64_t Draw::bits() {
  const r123::Philox4x32::ctr_type block{
      {static_cast<std::uint32_t>(counter_), static_cast<std::uint32_t>(counter_ >> 32), 0, 0}};
  ++counter_;
  const auto word = r123::Philox4x32{}(block, {{key_[0], key_[1]}});
  return word[0] | static_cast<std::uint64_t>(word[1]) << 32;
}

std::uint64_t Draw::below(std::uint64_t n) {
  const std::uint64_t limit = ~std::uint64_t{0} - (~std::uint64_t{0} % n + 1) % n;  // last value of a whole cycle
  for (;;) {
    const std::uint64_t word = bits();
    if (word <= limit) return word % n;
  }
}

std::string Draw::sizes_text() const {
  std::string text;
  for (const auto& [name, value] : sizes_)
    fmt::format_to(std::back_inserter(text), "{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text;
}

}  // namespace assay
