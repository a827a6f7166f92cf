#include "arith/float_format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "properties/arith/exact_integer.hpp"
#include "properties/arith/laws.hpp"
#include "properties/arith/over_formats.hpp"
#include "properties/enumerated.hpp"

namespace assay {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// visit(code) for every finite magnitude, until one returns a reason to fail.
template <class T, class Visit>
Outcome for_finite_codes(Visit visit) {
  for (std::uint32_t code = 0; code < infinity_code<T>; ++code)
    if (const std::string why = visit(code); !why.empty())
      return Outcome::fails(fmt::format("{} code {:#x}: {}", format_of<T>.name, code, why));
  return Outcome::holds();
}

template <class T>
Outcome codes_have_the_values_of_their_format(Draw&) {
  constexpr FloatFormat format = format_of<T>;
  const Outcome finite = for_finite_codes<T>([&](std::uint32_t code) -> std::string {
    const T x = from_code<T>(code), negative = from_code<T>(code | sign_code<T>);
    if (code_of(x) != code || code_of(negative) != (code | sign_code<T>)) return "not the code of its value";
    if (exact(to_double(x)) != exact_magnitude(format, code)) return fmt::format("widens to {:a}", to_float(x));
    if (to_double(negative) != -to_double(x) || !std::signbit(to_float(negative))) return "loses its sign";
    return "";
  });
  if (finite.kind != Outcome::Kind::holds) return finite;
  if (to_double(from_code<T>(infinity_code<T>)) != infinity) return Outcome::fails("infinity widens to a number");
  if (to_double(from_code<T>(infinity_code<T> | sign_code<T>)) != -infinity) return Outcome::fails("-infinity widens");
  for (std::uint32_t code = infinity_code<T> + 1; code < sign_code<T>; ++code)
    if (!std::isnan(to_float(from_code<T>(code)))) return Outcome::fails(fmt::format("NaN {:#x} widens", code));
  return Outcome::holds();
}

template <class T>
Outcome constants_are_those_of_the_codes(Draw&) {
  constexpr FloatFormat format = format_of<T>;
  const auto value = [&](std::uint32_t code) { return to_double(from_code<T>(code)); };
  const std::uint32_t one = static_cast<std::uint32_t>(format.emax) << format.fraction_bits();
  const std::array<std::pair<double, double>, 6> pairs{{
      {format.least_subnormal(), value(1)},
      {format.least_normal(), value(1u << format.fraction_bits())},
      {format.largest(), value(infinity_code<T> - 1)},
      {2 * format.eta(), value(1)},
      {1.0, value(one)},
      {2 * format.unit_roundoff(), value(one + 1) - 1},
  }};
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (pairs[i].first != pairs[i].second)
      return Outcome::fails(fmt::format("constant {}: {:a}, codes say {:a}", i, pairs[i].first, pairs[i].second));
  if (const FloatFormat& named = format_named(format.name);
      named.precision != format.precision || named.emin != format.emin)
    return Outcome::fails(fmt::format("the name {} gives another format", format.name));
  return Outcome::holds();
}

/// Empty if ulp, at both ends of the gap above a value and at minus it, and ulp_distance see one step there.
template <class T>
std::string gap_fault(std::uint32_t code) {
  constexpr FloatFormat format = format_of<T>;
  const T x = from_code<T>(code), next = from_code<T>(code + 1);
  const double here = to_double(x);
  const double above = code + 1 == infinity_code<T> ? power_of_two(format.emax + 1) : to_double(next);
  for (const double y : {here, std::nextafter(above, 0.0), -here})
    if (ulp(format, y) != above - here) return fmt::format("ulp({:a}) = {:a}", y, ulp(format, y));
  const T negative = from_code<T>(code | sign_code<T>), below = from_code<T>((code + 1) | sign_code<T>);
  if (ulp_distance(x, next) != 1 || ulp_distance(below, negative) != 1) return "not one step from the next";
  if (ulp_distance(x, negative) != 2 * code) return "wrong distance to minus itself";
  return "";
}

Outcome float32_gaps(Draw& draw) {
  for (int i = 0; i < 100000; ++i) {
    const std::uint32_t code = draw.below(infinity_code<float>);
    const std::uint32_t at = draw.below(4) ? code : code & ~0x7fffffu;  // often the start of a binade
    for (const std::uint32_t x : {at, at - (at > 0)})
      if (const std::string why = gap_fault<float>(x); !why.empty())
        return Outcome::fails(fmt::format("code {:#x}: {}", x, why));
  }
  return Outcome::holds();
}

/// Any code, NaNs apart; often near another one.
template <class T>
T number(Draw& draw, std::uint32_t near) {
  const std::uint32_t sign = draw.below(2) ? sign_code<T> : 0;
  const std::uint32_t magnitude = draw.below(2) ? draw.below(infinity_code<T> + 1)
                                                : std::min<std::uint32_t>(near + draw.below(3), infinity_code<T>);
  return from_code<T>(magnitude | sign);
}

template <class T>
Outcome ulp_distance_is_a_metric(Draw& draw) {
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t near = draw.below(4) ? draw.below(infinity_code<T>) : draw.below(2);
    std::array<T, 3> x{number<T>(draw, near), number<T>(draw, near), number<T>(draw, near)};
    std::ranges::sort(x, {}, [](T y) { return to_float(y); });
    const auto [a, b, c] = x;
    const std::uint64_t ab = ulp_distance(a, b), bc = ulp_distance(b, c), ac = ulp_distance(a, c);
    const std::string at = fmt::format("a = {:a}, b = {:a}, c = {:a}", to_float(a), to_float(b), to_float(c));
    if ((ab == 0) != (to_float(a) == to_float(b))) return Outcome::fails(at + ": 0 is not for equal values alone");
    if (ab != ulp_distance(b, a)) return Outcome::fails(at + ": not symmetric");
    if (ac != ab + bc) return Outcome::fails(at + ": distances along the line do not add up");
    if (ulp_distance(a, from_code<T>(infinity_code<T> + 1)) != nan_distance) return Outcome::fails(at + ": near NaN");
  }
  return Outcome::holds();
}

struct UlpErrorCase {
  double got, want, error;
};

Outcome error_in_ulps_treats_each_case_as_documented() {
  const FloatFormat& f = bf16_format;
  const double largest = f.largest(), tiny = f.least_subnormal(), gap = ulp(f, largest);
  const UlpErrorCase cases[] = {
      {0.0, -0.0, 0},
      {nan, nan, 0},
      {nan, 1, infinity},
      {1, nan, infinity},
      {infinity, infinity, 0},
      {-infinity, infinity, infinity},
      {infinity, -infinity, infinity},
      {infinity, largest, 1},
      {largest, infinity, 1},
      {-infinity, -largest, 1},
      {largest, largest - gap, 1},
      {tiny, 0, 1},
      {-tiny, tiny, 2},
      {1, 1 + ulp(f, 1) / 4, 0.25},
      {2, 2 - ulp(f, 1), 1},
      {infinity, 2 * largest, std::abs(power_of_two(f.emax + 1) - 2 * largest) / gap},
  };
  for (const auto& [got, want, error] : cases)
    if (error_in_ulps(f, got, want) != error)
      return Outcome::fails(
          fmt::format("got {:a}, want {:a}: {} ulp, documented {}", got, want, error_in_ulps(f, got, want), error));
  return Outcome::holds();
}

}  // namespace

std::vector<Law> arith_float_format_laws() {
  return {
      {"arith.codes_have_the_values_of_their_format", "code -> value is the definition of the format, both ways", "",
       Proof::exactly, 0, 1,
       over_formats<Tf32, Bf16, Fp16>([]<class T>(Draw& d) { return codes_have_the_values_of_their_format<T>(d); })},
      {"arith.format_constants_are_those_of_the_codes", "u, eta, least and largest values are those of the codes", "",
       Proof::exactly, 0, 1,
       over_formats<float, Tf32, Bf16, Fp16>([]<class T>(Draw& d) { return constants_are_those_of_the_codes<T>(d); })},
      {"arith.ulp_is_the_gap_above", "ulp(x) = next(x) - x and d(x, next(x)) = 1, subnormals and infinity included", "",
       Proof::exactly, 0, 1,
       over_formats<Tf32, Bf16, Fp16>([]<class T>(Draw&) { return for_finite_codes<T>(gap_fault<T>); })},
      {"arith.float32_ulp_is_the_gap_above",
       "the same for random float32 codes",
       "",
       Proof::tested,
       0,
       8,
       {{"f32", 0, float32_gaps}}},
      {"arith.ulp_distance_is_a_metric", "d(a, c) = d(a, b) + d(b, c) for a <= b <= c, symmetric, 0 for equals only",
       "", Proof::tested, 0, 100,
       over_formats<float, Tf32, Bf16, Fp16>([]<class T>(Draw& d) { return ulp_distance_is_a_metric<T>(d); })},
      enumerated("arith.error_in_ulps_treats_each_case_as_documented",
                 "zeros, NaNs, infinities, overflow, subnormals, binade ends", "", "bf16",
                 error_in_ulps_treats_each_case_as_documented),
  };
}

}  // namespace assay
