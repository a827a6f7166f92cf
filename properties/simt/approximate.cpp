#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "properties/enumerated.hpp"
#include "properties/simt/laws.hpp"
#include "simt/approximate/instructions.hpp"
#include "simt/approximate/tables.hpp"
#include "simt/options.hpp"

namespace assay {
namespace {

namespace approximate = simt::approximate;

/// What an H200 returned.
struct SpecialValue {
  std::uint32_t x, ex2, lg2, rcp, rsqrt, sin, cos, tanh;
};
constexpr SpecialValue special_values[] = {
    {0x00000000, 0x3f800000, 0xff800000, 0x7f800000, 0x7f800000, 0x00000000, 0x3f800000, 0x00000000},
    {0x00000001, 0x3f800000, 0xff800000, 0x7f800000, 0x7f800000, 0x00000000, 0x3f800000, 0x00000001},
    {0x80000000, 0x3f800000, 0xff800000, 0xff800000, 0xff800000, 0x80000000, 0x3f800000, 0x80000000},
    {0x007fffff, 0x3f800000, 0xff800000, 0x7f800000, 0x7f800000, 0x00000000, 0x3f800000, 0x007fffff},
    {0x00800000, 0x3f800000, 0xc2fbffff, 0x7e800000, 0x5f000000, 0x00000000, 0x3f800000, 0x00800000},
    {0x7f7fffff, 0x7f800000, 0x42ffffff, 0x00000000, 0x1f800000, 0x00000000, 0x3f800000, 0x3f800000},
    {0x7f800000, 0x7f800000, 0x7f800000, 0x00000000, 0x00000000, 0x7fffffff, 0x7fffffff, 0x3f800000},
    {0xff800000, 0x00000000, 0x7fffffff, 0x80000000, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0xbf800000},
    {0x7fc00000, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff},
    {0xffc00001, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff},
    {0x42fe0000, 0x7f000000, 0x40dfa34e, 0x3c010204, 0x3db5bb09, 0x3f78fe08, 0x3e6df3c8, 0x3f800000},
    {0x43000000, 0x7f800000, 0x40e00000, 0x3c000000, 0x3db504f2, 0x3f389626, 0xbf316160, 0x3f800000},
    {0xc2fc0000, 0x00800000, 0x7fffffff, 0xbc020821, 0x7fffffff, 0xbea8f280, 0x3f71a94d, 0xbf800000},
    {0xc2fc0001, 0x00000000, 0x7fffffff, 0xbc020820, 0x7fffffff, 0xbea8f3fb, 0x3f71a90a, 0xbf800000},
};

Outcome special_values_are_the_gpus() {
  for (const SpecialValue& row : special_values) {
    const auto x = std::bit_cast<float>(row.x);
    const auto equals = [](float got, std::uint32_t want) { return std::bit_cast<std::uint32_t>(got) == want; };
    if (!equals(approximate::ex2_ftz(x), row.ex2) || !equals(approximate::lg2_ftz(x), row.lg2) ||
        !equals(approximate::rcp_ftz(x), row.rcp) || !equals(approximate::rsqrt_ftz(x), row.rsqrt) ||
        !equals(approximate::sin(x), row.sin) || !equals(approximate::cos(x), row.cos) ||
        !equals(approximate::tanh(x), row.tanh))
      return Outcome::fails(fmt::format("x = {:08x}", row.x));
  }
  return Outcome::holds();
}

/// Whether a file is refused as a table of so many results.
bool is_refused(const std::string& file, std::uint32_t count) {
  try {
    approximate::unpacked(file, count);
  } catch (const simt::Error&) {
    return true;
  }
  return false;
}

Outcome tables_come_back_from_their_files(Draw& draw) {
  std::vector<std::uint32_t> values(1 + draw.below(5000));
  for (std::uint32_t& value : values) {
    const auto bits = static_cast<std::uint32_t>(draw.bits());
    value = bits >> draw.below(32);
  }
  const auto count = static_cast<std::uint32_t>(values.size());
  const std::string file = approximate::packed(values);
  if (approximate::unpacked(file, count) != values) return Outcome::fails(fmt::format("{} values", count));
  if (!is_refused(file, count + 1)) return Outcome::fails("one result is missing");
  if (!is_refused(file.substr(0, file.size() / 2), count)) return Outcome::fails("half a file");
  std::string damaged = file;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  return is_refused(damaged, count) ? Outcome::holds() : Outcome::fails("a bit is wrong");
}

/// Every entry of a table of turns has an input, and the least of its turn.
Outcome turns_have_inputs(Draw& draw) {
  for (int i = 0; i < 1000; ++i) {
    const auto turn = static_cast<std::uint32_t>(draw.bits()) & approximate::mantissa_mask;
    const float x = approximate::input_of_turn(turn);
    if (approximate::turn_of(x) != turn || (turn != 0 && approximate::turn_of(std::nextafter(x, 0.0f)) >= turn))
      return Outcome::fails(fmt::format("turn {}: x = {:a}", turn, x));
  }
  return Outcome::holds();
}

}  // namespace

std::vector<Law> simt_approximate_laws() {
  return {
      enumerated("simt.approximate_instructions_treat_special_values_as_the_gpu_does",
                 "zeros, subnormals, infinities, NaNs, ends of ranges", "", "f32", special_values_are_the_gpus),
      {"simt.tables_come_back_from_their_files",
       "and a file that is damaged or too short is refused",
       "",
       Proof::tested,
       0,
       20,
       {{"xz", 0, tables_come_back_from_their_files}}},
      {"simt.every_turn_has_an_input",
       "of sin.approx, whose table is by turns",
       "",
       Proof::tested,
       0,
       10,
       {{"f32", 0, turns_have_inputs}}},
  };
}

}  // namespace assay
