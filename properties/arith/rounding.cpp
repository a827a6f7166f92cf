#include "arith/rounding.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "properties/all_floats.hpp"
#include "properties/arith/exact_integer.hpp"
#include "properties/arith/laws.hpp"
#include "properties/arith/over_formats.hpp"
#include "properties/enumerated.hpp"

namespace assay {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
constexpr std::uint32_t magnitude_code(T x) {
  return code_of(x) & (sign_code<T> - 1);
}

template <class T>
bool has_sign(T x, bool negative) {
  return ((code_of(x) & sign_code<T>) != 0) == negative;
}

/// Empty if `got` is hi + lo rounded by `mode`.
template <class T>
std::string rounding_fault(T got, double hi, double lo, Rounding mode = Rounding::nearest_even) {
  const ExactInteger x = exact(hi) + exact(lo);
  if (rounds_to(format_of<T>, mode, x, magnitude_code(got)) && (x == 0 || has_sign(got, x < 0))) return "";
  return fmt::format("{:a} + {:a} gives {} code {:#x}", hi, lo, format_of<T>.name, code_of(got));
}

template <class T>
Outcome every_code_rounds_to_itself(Draw&) {
  for (std::uint32_t code = 0; code < 2 * sign_code<T>; ++code) {
    const T x = from_code<T>(code);
    const bool nan = magnitude_code(x) > infinity_code<T>;
    const std::uint32_t want = nan ? code_of(encode<T>(std::nan(""))) : code;
    for (const T got : {round_to<T>(to_float(x)), round_to<T>(to_double(x)), round_to<T>(to_double(x), 0.0)})
      if (code_of(got) != want) return Outcome::fails(fmt::format("code {:#x} becomes {:#x}", code, code_of(got)));
  }
  const std::uint32_t canonical = sizeof(T) == 2 ? 0x7fff : 0x7fffffff;
  if (round_to<T>(canonical_nan).bits != canonical) return Outcome::fails("a NaN is not the canonical one");
  return Outcome::holds();
}

/// Empty if the numbers around the boundary between the magnitudes `code` and `code + 1` round as they must: the
/// boundary itself, its neighbours in float and in double, and pairs closer than any double.
template <class T>
std::string boundary_fault(std::uint32_t code) {
  const FloatFormat& format = format_of<T>;
  const double here = to_double(from_code<T>(code));
  const double boundary = here + ulp(format, here) / 2;
  for (const double x : {boundary, -boundary}) {
    const auto narrow = static_cast<float>(x);  // exact: one bit more than the format
    for (const float y : {narrow, std::nextafter(narrow, -INFINITY), std::nextafter(narrow, INFINITY)})
      if (const std::string why = rounding_fault(round_to<T>(y), y, 0); !why.empty()) return "float " + why;
    for (const double y : {x, std::nextafter(x, -infinity), std::nextafter(x, infinity)})
      if (const std::string why = rounding_fault(round_to<T>(y), y, 0); !why.empty()) return why;
    for (const double lo : {x * 0x1p-54, -x * 0x1p-54, 0x1p-900, -0x1p-900})
      if (const std::string why = rounding_fault(round_to<T>(x, lo), x, lo); !why.empty()) return "pair " + why;
  }
  return "";
}

template <class T>
Outcome every_boundary_rounds_to_nearest_even(Draw&) {
  for (std::uint32_t code = 0; code < infinity_code<T>; ++code)
    if (const std::string why = boundary_fault<T>(code); !why.empty()) return Outcome::fails(why);
  return Outcome::holds();
}

/// Up to 1024 boundaries of one random binade: all of them for tf32.
template <class T>
Outcome boundaries_of_a_binade_round_to_nearest_even(Draw& draw) {
  constexpr int fraction_bits = format_of<T>.fraction_bits();
  const std::uint32_t binade = draw.below(infinity_code<T> >> fraction_bits) << fraction_bits;
  for (std::uint32_t i = 0; i < 1024; ++i) {
    const std::uint32_t fraction = fraction_bits <= 10 ? i : draw.below(1u << fraction_bits);
    if (const std::string why = boundary_fault<T>(binade | fraction); !why.empty()) return Outcome::fails(why);
  }
  return Outcome::holds();
}

/// A double of random exponent and length, often a few bits long, so that ties occur.
double random_double(Draw& draw) {
  const std::uint64_t fraction = draw.bits() & (draw.below(2) ? ~0ull << draw.below(64) : ~0ull) & 0xfffffffffffff;
  const std::uint64_t exponent = 1023 - 200 + draw.below(400);
  return std::bit_cast<double>(draw.below(2) << 63 | exponent << 52 | fraction);
}

template <class T>
Outcome random_pairs_round_to_nearest_even(Draw& draw) {
  for (int i = 0; i < 1000; ++i) {
    const double hi = random_double(draw);
    const double lo = draw.below(2) ? random_double(draw) : std::ldexp(hi, -static_cast<int>(draw.below(120)));
    const double any_lo = draw.below(2) ? lo : -lo;
    for (const double low : {any_lo, 0.0})
      if (const std::string why = rounding_fault(round_to<T>(hi, low), hi, low); !why.empty())
        return Outcome::fails(why);
    if (const std::string why = rounding_fault(round_to<T>(hi), hi, 0); !why.empty()) return Outcome::fails(why);
  }
  return Outcome::holds();
}

struct Tf32Mode {
  Rounding mode;
  Tf32 (*round)(float);
};

constexpr Tf32Mode tf32_modes[] = {{Rounding::toward_zero, tf32_truncated},
                                   {Rounding::nearest_away, tf32_nearest_away},
                                   {Rounding::nearest_even, tf32_nearest_even}};

Outcome tf32_modes_round_as_named(Draw& draw) {
  const std::uint32_t binade = draw.below(255) << 10;
  for (std::uint32_t code = binade; code < binade + 1024; ++code)
    for (const std::uint32_t low :
         {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x1fffu, static_cast<std::uint32_t>(draw.below(0x2000))})
      for (const std::uint32_t sign : {0u, 0x80000000u}) {
        const float x = std::bit_cast<float>(sign | code << 13 | low);
        for (const auto& [mode, round] : tf32_modes)
          if (const std::string why = rounding_fault(round(x), x, 0, mode); !why.empty()) return Outcome::fails(why);
      }
  return Outcome::holds();
}

Outcome tf32_specials() {
  for (const std::uint32_t bits : {0x7f800000u, 0xff800000u, 0u, 0x80000000u})
    for (const auto& [mode, round] : tf32_modes)
      if (round(std::bit_cast<float>(bits)).bits != bits) return Outcome::fails(fmt::format("{:#x} changes", bits));
  for (const std::uint32_t nan : {0x7f800001u, 0xffc00000u, 0x7fffffffu, 0xffffffffu})
    if (tf32_nearest_away(std::bit_cast<float>(nan)).bits != 0x7fffffffu ||
        tf32_nearest_even(std::bit_cast<float>(nan)).bits != 0x7fffffffu)
      return Outcome::fails(fmt::format("NaN {:#x} is not made canonical", nan));
  return Outcome::holds();
}

constexpr Rounding modes[] = {Rounding::nearest_even, Rounding::nearest_away, Rounding::toward_zero, Rounding::downward,
                              Rounding::upward};

Outcome every_mode_rounds_as_defined(Draw& draw) {
  const FloatFormat format{"toy", static_cast<int>(draw.size("precision", 2, 11)),
                           static_cast<int>(draw.size("emin", -20, 0)), static_cast<int>(draw.size("emax", 1, 20))};
  for (int i = 0; i < 200; ++i) {
    const int e = format.emin - format.precision - 2 +
                  static_cast<int>(draw.below(format.emax - format.emin + format.precision + 4));
    const std::uint64_t kept = draw.bits() & ~0ull << draw.below(64);  // short numbers are values and boundaries
    const double hi =
        std::ldexp(static_cast<double>(draw.below(2) ? kept : draw.bits()), e - 63) * (draw.below(2) ? 1 : -1);
    const double lo = draw.below(2) ? 0 : std::ldexp(draw.below(2) ? hi : -hi, -60 - static_cast<int>(draw.below(60)));
    for (const Rounding mode : modes) {
      const double got = round_to(format, hi, lo, mode);
      const bool is_rounded = rounds_to(format, mode, exact(hi) + exact(lo), code_of_magnitude(format, std::abs(got)));
      if (!is_value(format, got) || !is_rounded || (hi != 0 && std::signbit(got) != std::signbit(hi)))
        return Outcome::fails(fmt::format("mode {}: {:a} + {:a} gives {:a}", static_cast<int>(mode), hi, lo, got));
    }
  }
  return Outcome::holds();
}

/// The first float that an integer form and the exact conversion through double round differently.
std::string integer_form_fault(std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t code = begin; code < end; ++code) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(code));
    const auto through_double = [&]<class T>(T, Rounding mode) {
      return encode<T>(round_to(format_of<T>, double(x), mode));
    };
    if (bf16_nearest_even(x) != through_double(Bf16{}, Rounding::nearest_even)) return fmt::format("bf16, {:a}", x);
    if (tf32_nearest_even(x) != through_double(Tf32{}, Rounding::nearest_even))
      return fmt::format("tf32 even, {:a}", x);
    if (tf32_nearest_away(x) != through_double(Tf32{}, Rounding::nearest_away))
      return fmt::format("tf32 away, {:a}", x);
    if (x == x && tf32_truncated(x) != through_double(Tf32{}, Rounding::toward_zero))
      return fmt::format("tf32 cut, {:a}", x);
  }
  return "";
}

Outcome integer_forms_agree_on_every_float() {
  for (const std::string& why : over_all_float_codes(integer_form_fault))
    if (!why.empty()) return Outcome::fails(why);
  return Outcome::holds();
}

}  // namespace

std::vector<Law> arith_rounding_laws() {
  Law integer_forms =
      enumerated("arith.integer_forms_agree_on_every_float",
                 "bf16 and the three tf32 conversions in integers = the exact ones, for all 2^32 floats", "", "f32",
                 integer_forms_agree_on_every_float);
  integer_forms.exhaustive = true;
  return {
      {"arith.every_code_rounds_to_itself",
       "value(code) -> code from float, double and a pair; NaN to the canonical one", "", Proof::exactly, 0, 1,
       over_formats<Tf32, Bf16, Fp16>([]<class T>(Draw& d) { return every_code_rounds_to_itself<T>(d); })},
      {"arith.every_boundary_rounds_to_nearest_even",
       "midpoints of neighbours and what is next to them, in float, double and pairs, against exact integers", "",
       Proof::exactly, 0, 1,
       over_formats<Bf16, Fp16>([]<class T>(Draw& d) { return every_boundary_rounds_to_nearest_even<T>(d); })},
      {"arith.boundaries_of_a_binade_round_to_nearest_even", "the same in random binades of longer formats", "",
       Proof::tested, 0, 16,
       over_formats<float, Tf32>([]<class T>(Draw& d) { return boundaries_of_a_binade_round_to_nearest_even<T>(d); })},
      {"arith.random_pairs_round_to_nearest_even", "round(hi + lo) in one rounding, whatever lo is", "", Proof::tested,
       0, 50, over_formats<float, Tf32, Bf16, Fp16>([]<class T>(Draw& d) {
         return random_pairs_round_to_nearest_even<T>(d);
       })},
      {"arith.tf32_modes_round_as_named",
       "truncated, ties away, ties even: against exact integers",
       "",
       Proof::tested,
       0,
       16,
       {{"tf32", 0, tf32_modes_round_as_named}}},
      enumerated("arith.tf32_modes_keep_infinities_and_zeros", "and make a NaN canonical, where they convert", "",
                 "tf32", tf32_specials),
      {"arith.every_mode_rounds_as_defined",
       "the interval that each of five modes owns, in formats of 2 to 11 bits",
       "",
       Proof::tested,
       0,
       200,
       {{"toy formats", 0, every_mode_rounds_as_defined}}},
      std::move(integer_forms),
  };
}

}  // namespace assay
