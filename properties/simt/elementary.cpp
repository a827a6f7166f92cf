#include "simt/elementary.cuh"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arith/float_format.hpp"
#include "properties/all_floats.hpp"
#include "properties/enumerated.hpp"
#include "properties/simt/laws.hpp"

namespace assay {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A function is a type: loops over 2^32 inputs want it inlined. `truth` has an error far below a float's ulp.
struct Exp {
  static constexpr std::string_view name = "exp";
  static constexpr double max_ulp = elementary::max_ulp::exp;
  static constexpr std::uint64_t digest = 0x5160c54739303c37;
  static float value(float x) { return elementary::exp(x); }
  static double truth(double x) { return std::exp(x); }
};
struct Exp2 {
  static constexpr std::string_view name = "exp2";
  static constexpr double max_ulp = elementary::max_ulp::exp2;
  static constexpr std::uint64_t digest = 0xf1510c89fed320fe;
  static float value(float x) { return elementary::exp2(x); }
  static double truth(double x) { return std::exp2(x); }
};
struct Log {
  static constexpr std::string_view name = "log";
  static constexpr double max_ulp = elementary::max_ulp::log;
  static constexpr std::uint64_t digest = 0x294cb6c7eb14cfe7;
  static float value(float x) { return elementary::log(x); }
  static double truth(double x) { return std::log(x); }
};
struct Sin {
  static constexpr std::string_view name = "sin";
  static constexpr double max_ulp = elementary::max_ulp::sin;
  static constexpr std::uint64_t digest = 0x693868899ac1365f;
  static float value(float x) { return elementary::sin(x); }
  static double truth(double x) { return std::sin(x); }
};
struct Cos {
  static constexpr std::string_view name = "cos";
  static constexpr double max_ulp = elementary::max_ulp::cos;
  static constexpr std::uint64_t digest = 0x37b24f67a51bde29;
  static float value(float x) { return elementary::cos(x); }
  static double truth(double x) { return std::cos(x); }
};
struct Tanh {
  static constexpr std::string_view name = "tanh";
  static constexpr double max_ulp = elementary::max_ulp::tanh;
  static constexpr std::uint64_t digest = 0xed81c529cd725018;
  static float value(float x) { return elementary::tanh(x); }
  static double truth(double x) { return std::tanh(x); }
};
struct Sigmoid {
  static constexpr std::string_view name = "sigmoid";
  static constexpr double max_ulp = elementary::max_ulp::sigmoid;
  static constexpr std::uint64_t digest = 0x9e838e0c0c9701d2;
  static float value(float x) { return elementary::sigmoid(x); }
  static double truth(double x) { return 1 / (1 + std::exp(-x)); }
};
struct Rsqrt {
  static constexpr std::string_view name = "rsqrt";
  static constexpr double max_ulp = elementary::max_ulp::rsqrt;
  static constexpr std::uint64_t digest = 0xd79773cbb56e64b6;
  static float value(float x) { return elementary::rsqrt(x); }
  static double truth(double x) { return 1 / std::sqrt(x); }
};

/// Error in ulps, 0 where the result is the correctly rounded one. Infinite for a NaN that is not canonical or not due,
/// and for a zero of the wrong sign.
template <class F>
double error(float x) {
  const double want = F::truth(x);
  const float got = F::value(x), rounded = static_cast<float>(want);
  if (std::isnan(want)) return code_of(got) == code_of(canonical_nan) ? 0 : infinity;
  if (code_of(got) == code_of(rounded)) return 0;
  return got == rounded ? infinity : error_in_ulps(float32_format, got, want);
}

struct Worst {
  double error = 0;
  float at = 0;
};

template <class F>
void see(Worst& worst, float x) {
  if (const double e = error<F>(x); !(e <= worst.error)) worst = {e, x};
}

template <class F>
Outcome judged(const Worst& worst) {
  if (worst.error <= F::max_ulp) return Outcome::holds();
  return Outcome::fails(fmt::format("{}({:a}) = {:a}: {} ulp, stated {}", F::name, worst.at, F::value(worst.at),
                                    worst.error, F::max_ulp));
}

/// Ends of the format, of ranges and of reductions, and their neighbours.
constexpr float corners[] = {
    0.0f,         0x1p-149f, 0x1p-126f,   0x1p-64f,        0x1p-24f,
    0.55f,        1.0f,      9.02f,       16.0f,           88.72284f,
    88.5f,        103.9f,    104.0f,      126.0f,          128.0f,
    149.0f,       151.0f,    1.57079633f, 3.14159265f,     71476.0f,
    65536.0f,     0x1p23f,   0x1p64f,     0x1.fffffep127f, std::numeric_limits<float>::infinity(),
    canonical_nan};

template <class F>
Outcome stays_within_stated_error(Draw& draw) {
  Worst worst;
  for (const float corner : corners)
    for (const float x : {corner, std::nextafter(corner, 0.0f), std::nextafter(corner, INFINITY)}) {
      see<F>(worst, x);
      see<F>(worst, -x);
    }
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = draw.bits();
    see<F>(worst, std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    see<F>(worst, static_cast<float>(static_cast<std::int64_t>(bits)) * 0x1p-63f * 128);  // in [-128, 128]
  }
  return judged<F>(worst);
}

/// The stated error is the largest one over all inputs, rounded up to three decimals.
template <class F>
Outcome stated_error_is_the_largest(Draw&) {
  const auto part = [](std::uint64_t begin, std::uint64_t end) {
    Worst worst;
    for (std::uint64_t code = begin; code < end; ++code)
      see<F>(worst, std::bit_cast<float>(static_cast<std::uint32_t>(code)));
    return worst;
  };
  const std::vector<Worst> parts = over_all_float_codes(part);
  const Worst worst = *std::ranges::max_element(parts, {}, &Worst::error);
  if (const Outcome outcome = judged<F>(worst); outcome.kind != Outcome::Kind::holds) return outcome;
  if (worst.error > F::max_ulp - 0.001) return Outcome::holds();
  return Outcome::fails(
      fmt::format("{}: at most {} ulp, at {:a}; stated {}", F::name, worst.error, worst.at, F::max_ulp));
}

/// A sum over every 4099th input x of a mixture of the bits of x and f(x): splitmix64's finaliser.
template <class F>
std::uint64_t digest() {
  std::uint64_t sum = 0;
  for (std::uint64_t code = 0; code < 1ull << 32; code += 4099) {
    const float y = F::value(std::bit_cast<float>(static_cast<std::uint32_t>(code)));
    std::uint64_t z = code << 32 | code_of(y);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    sum += z ^ z >> 31;
  }
  return sum;
}

template <class F>
Outcome bits_are_as_recorded(Draw&) {
  if (digest<F>() == F::digest) return Outcome::holds();
  return Outcome::fails(fmt::format("{}: digest {:#018x}, recorded {:#018x}", F::name, digest<F>(), F::digest));
}

Outcome functions_are_odd_or_even(Draw& draw) {
  for (int i = 0; i < 20000; ++i) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(draw.bits()) & 0x7fffffffu);
    if (std::isnan(x)) continue;
    const auto same = [](float y, float z) { return code_of(y) == code_of(z); };
    const auto odd = [&](float y, float z) { return std::isnan(y) ? same(y, z) : same(y, -z); };
    if (!odd(elementary::sin(x), elementary::sin(-x))) return Outcome::fails(fmt::format("sin, x = {:a}", x));
    if (!odd(elementary::tanh(x), elementary::tanh(-x))) return Outcome::fails(fmt::format("tanh, x = {:a}", x));
    if (!same(elementary::cos(x), elementary::cos(-x))) return Outcome::fails(fmt::format("cos, x = {:a}", x));
  }
  return Outcome::holds();
}

struct MaxMin {
  float x, y, max, min;
};

Outcome max_and_min_treat_zeros_and_nans_as_documented() {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::bit_cast<float>(0xffc00001u);
  constexpr MaxMin cases[] = {{1, 2, 2, 1},
                              {-1, -2, -1, -2},
                              {0.0f, -0.0f, 0.0f, -0.0f},
                              {-0.0f, -0.0f, -0.0f, -0.0f},
                              {inf, 1, inf, 1},
                              {-inf, 1, 1, -inf},
                              {nan, 1, 1, 1},
                              {nan, -inf, -inf, -inf},
                              {nan, -0.0f, -0.0f, -0.0f},
                              {nan, nan, canonical_nan, canonical_nan},
                              {0x1p-149f, 0, 0x1p-149f, 0}};
  for (const auto& [x, y, max, min] : cases)
    for (const auto& [p, q] : {std::pair{x, y}, std::pair{y, x}})
      if (code_of(elementary::max(p, q)) != code_of(max) || code_of(elementary::min(p, q)) != code_of(min))
        return Outcome::fails(
            fmt::format("x = {:a}, y = {:a}: max {:a}, min {:a}", p, q, elementary::max(p, q), elementary::min(p, q)));
  return Outcome::holds();
}

template <class... F>
std::vector<Check> stated_error_checks() {
  return {{F::name, 0, stays_within_stated_error<F>}...};
}

template <class... F>
std::vector<Check> recorded_bits_checks() {
  return {{F::name, 0, bits_are_as_recorded<F>}...};
}

template <class... F>
std::vector<Check> largest_error_checks() {
  return {{F::name, 0, stated_error_is_the_largest<F>}...};
}

}  // namespace

std::vector<Law> simt_elementary_laws() {
  Law largest{"simt.stated_error_is_the_largest_over_all_floats",
              "max over 2^32 inputs, against double, is the stated error to three decimals",
              "",
              Proof::tested,
              0,
              1,
              largest_error_checks<Exp, Exp2, Log, Sin, Cos, Tanh, Sigmoid, Rsqrt>()};
  largest.exhaustive = true;
  return {
      {"simt.elementary_functions_stay_within_stated_error", "random and special inputs, against double", "",
       Proof::tested, 0, 25, stated_error_checks<Exp, Exp2, Log, Sin, Cos, Tanh, Sigmoid, Rsqrt>()},
      {"simt.elementary_functions_have_the_recorded_bits",
       "a digest over every 4099th float, the same on every machine", "", Proof::tested, 0, 1,
       recorded_bits_checks<Exp, Exp2, Log, Sin, Cos, Tanh, Sigmoid, Rsqrt>()},
      {"simt.sin_and_tanh_are_odd_and_cos_is_even",
       "bit for bit",
       "",
       Proof::tested,
       0,
       8,
       {{"f32", 0, functions_are_odd_or_even}}},
      enumerated("simt.max_and_min_treat_zeros_and_nans_as_documented", "-0 < +0; a NaN yields to a number", "", "f32",
                 max_and_min_treat_zeros_and_nans_as_documented),
      std::move(largest),
  };
}

}  // namespace assay
