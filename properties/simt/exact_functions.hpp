#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "arith/arb.hpp"
#include "arith/dd_elementary.hpp"
#include "arith/dd_lanes.hpp"
#include "kernels/machine/function_list.cuh"
#include "properties/simt/quick_values.hpp"

/// The functions of simt/elementary.cuh on exact values: each type adds to its function what it has to equal, in three
/// degrees of care, and the error that is stated of it: doubles, pairs of doubles, balls, each with a proven bound.
namespace assay::exact_functions {

/// |pair - f(x)| <= relative |pair| + absolute.
struct ErrorBound {
  double relative = 0, absolute = 0;
};

enum class ErrorUnit { ulp, relative };
enum class Symmetry { none, odd, even };

inline constexpr double unit_squared = double_double_bound::unit * double_double_bound::unit;

/// f(x) of many x, with a bound for each.
struct Pairs {
  explicit Pairs(std::size_t count) : value(count), bound(count) {}
  std::vector<DoubleDouble> value;
  std::vector<ErrorBound> bound;
};

/// x as one row of lanes, through `map`.
template <class Map>
LaneArray lanes_of(std::span<const float> x, Map map) {
  LaneArray lanes = LaneArray::unset(1, x.size());
  for (std::size_t i = 0; i < x.size(); ++i) lanes.set(0, i, map(x[i]));
  return lanes;
}

/// Every value of `lanes` with one bound.
Pairs pairs_of(const LaneArray& lanes, ErrorBound bound);

/// sin and cos of finite x >= 0, however large: above 2^32, x = m 2^e as m (2^e mod 2π).
struct SinCosPairs {
  Pairs sin, cos;
};
SinCosPairs sincos_pairs(std::span<const float> x);

/// f(x) of many x within quick::relative_bound of itself and `absolute`.
struct Doubles {
  explicit Doubles(std::size_t count) : value(count), absolute(count) {}
  std::vector<double> value, absolute;
};

/// Arguments that `map` keeps in its range change results below 2^-250, or above all floats.
template <class Map>
[[gnu::always_inline]] inline Doubles doubles_of(std::span<const float> x, Map map) {
  Doubles doubles(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) doubles.value[i] = map(double{x[i]}), doubles.absolute[i] = 0x1p-250;
  return doubles;
}

/// Finite x >= 0 as arguments of sin and cos: x itself up to 2^32, then a number below 2^27 that is x modulo 2π.
std::vector<DoubleDouble> arguments(std::span<const float> x);

/// sin and its neighbours, `turns` quadrants on.
[[gnu::always_inline]] inline Doubles sines_of(std::span<const float> x, std::uint64_t turns) {
  const std::vector<DoubleDouble> argument = arguments(x);
  Doubles doubles(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const quick::Reduced reduced = quick::reduce(argument[i].hi, argument[i].lo);
    doubles.value[i] = quick::sin(reduced, turns);
    doubles.absolute[i] = reduced.exact ? 0 : quick::reduced;
  }
  return doubles;
}

/// ln 2 to 2^-107 relative.
inline constexpr DoubleDouble ln2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

/// What all functions share unless they say otherwise.
struct Function {
  static constexpr ErrorUnit unit = ErrorUnit::ulp;
  static constexpr Symmetry symmetry = Symmetry::none;
  /// Where pairs are computed; elsewhere the result is limit(x), bit for bit.
  static bool in_domain(float x) { return std::isfinite(x); }
};

struct Exp : Function, elementary::functions::Exp {
  static constexpr double stated = elementary::max_ulp::exp;
  static double limit(float x) { return std::exp(x); }
  static Doubles doubles(std::span<const float> x) {
    return doubles_of(x, [](double y) { return quick::exp(std::clamp(y, -200.0, 200.0)); });
  }
  static Pairs pairs(std::span<const float> x) {
    return pairs_of(LaneArithmetic().exp(lanes_of(x, [](float y) { return std::min(y, 200.0f); })),
                    {double_double_bound::exp, double_double_bound::exp_absolute});
  }
  static Arb ball(const Arb& x) { return exp(x); }
};

/// The argument x ln 2 is off by 3 u^2 of at most 763.
inline Pairs exp2_pairs(std::span<const float> x) {
  const auto exponent = [](float y) { return ln2 * double{std::clamp(y, -1100.0f, 300.0f)}; };
  return pairs_of(LaneArithmetic().exp(lanes_of(x, exponent)),
                  {double_double_bound::exp + 2300 * unit_squared, double_double_bound::exp_absolute});
}

struct Exp2 : Function, elementary::functions::Exp2 {
  static constexpr double stated = elementary::max_ulp::exp2;
  static double limit(float x) { return std::exp2(x); }
  static Doubles doubles(std::span<const float> x) {
    return doubles_of(x, [](double y) { return quick::exp2(std::clamp(y, -300.0, 300.0)); });
  }
  static Pairs pairs(std::span<const float> x) { return exp2_pairs(x); }
  static Arb ball(const Arb& x) { return exp(x * log(Arb(2))); }
};

struct Exp2Quartic : Function, elementary::functions::Exp2Quartic {
  static constexpr double stated = elementary::max_relative::exp2_quartic;
  static constexpr ErrorUnit unit = ErrorUnit::relative;
  static bool in_domain(float x) { return x >= -126.0f && x < 128.0f; }
  static double limit(float x) { return std::isnan(x) ? x : x < 0 ? 0.0f : INFINITY; }
  static Doubles doubles(std::span<const float> x) {
    return doubles_of(x, [](double y) { return quick::exp2(std::clamp(y, -300.0, 300.0)); });
  }
  static Pairs pairs(std::span<const float> x) { return exp2_pairs(x); }
  static Arb ball(const Arb& x) { return exp(x * log(Arb(2))); }
};

struct Log : Function, elementary::functions::Log {
  static constexpr double stated = elementary::max_ulp::log;
  static bool in_domain(float x) { return std::isfinite(x) && x > 0; }
  static double limit(float x) { return std::log(x); }
  static Doubles doubles(std::span<const float> x) {
    return doubles_of(x, [](double y) { return quick::log(y); });
  }
  static Pairs pairs(std::span<const float> x) {
    return pairs_of(lanes_of(x, [](float y) { return log(DoubleDouble(y)); }),
                    {double_double_bound::log, double_double_bound::log_absolute});
  }
  static Arb ball(const Arb& x) { return log(x); }
};

struct Sin : Function, elementary::functions::Sin {
  static constexpr double stated = elementary::max_ulp::sin;
  static constexpr Symmetry symmetry = Symmetry::odd;
  static double limit(float x) { return std::sin(x); }
  static Doubles doubles(std::span<const float> x) { return sines_of(x, 0); }
  static Pairs pairs(std::span<const float> x) { return sincos_pairs(x).sin; }
  static Arb ball(const Arb& x) { return sin(x); }
};

struct Cos : Function, elementary::functions::Cos {
  static constexpr double stated = elementary::max_ulp::cos;
  static constexpr Symmetry symmetry = Symmetry::even;
  static double limit(float x) { return std::cos(x); }
  static Doubles doubles(std::span<const float> x) { return sines_of(x, 1); }
  static Pairs pairs(std::span<const float> x) { return sincos_pairs(x).cos; }
  static Arb ball(const Arb& x) { return cos(x); }
};

struct Tanh : Function, elementary::functions::Tanh {
  static constexpr double stated = elementary::max_ulp::tanh;
  static constexpr Symmetry symmetry = Symmetry::odd;
  static double limit(float x) { return std::tanh(x); }
  static Doubles doubles(std::span<const float> x) {
    return doubles_of(x, [](double y) { return quick::tanh(y); });
  }
  static Pairs pairs(std::span<const float> x) {
    return pairs_of(LaneArithmetic().tanh(lanes_of(x, [](float y) { return y; })),
                    {double_double_bound::tanh, double_double_bound::underflow});
  }
  static Arb ball(const Arb& x) { return tanh(x); }
};

struct Sigmoid : Function, elementary::functions::Sigmoid {
  static constexpr double stated = elementary::max_ulp::sigmoid;
  static double limit(float x) { return 1 / (1 + std::exp(-double{x})); }
  static Doubles doubles(std::span<const float> x) {
    return doubles_of(x, [](double y) { return quick::sigmoid(y); });
  }
  /// t / (1 + t) or 1 / (1 + t) for t = e^-|x|.
  static Pairs pairs(std::span<const float> x);
  static Arb ball(const Arb& x) { return Arb(1) / (Arb(1) + exp(-x)); }
};

struct Rsqrt : Function, elementary::functions::Rsqrt {
  static constexpr double stated = elementary::max_ulp::rsqrt;
  static bool in_domain(float x) { return std::isfinite(x) && x > 0; }
  static double limit(float x) { return 1 / std::sqrt(double{x}); }
  static Doubles doubles(std::span<const float> x) {
    return doubles_of(x, [](double y) { return quick::rsqrt(y); });
  }
  static Pairs pairs(std::span<const float> x) {
    return pairs_of(
        lanes_of(x, [](float y) { return DoubleDouble(1) / sqrt(DoubleDouble(y)); }),
        {double_double_bound::square_root + 1.01 * double_double_bound::quotient, 2 * double_double_bound::underflow});
  }
  static Arb ball(const Arb& x) { return Arb(1) / sqrt(x); }
};

/// Calls use(F{}) for every function, in the order of elementary::functions::for_each_function.
template <class Use>
void for_each_function(Use use) {
  use(Exp{});
  use(Exp2{});
  use(Exp2Quartic{});
  use(Log{});
  use(Sin{});
  use(Cos{});
  use(Tanh{});
  use(Sigmoid{});
  use(Rsqrt{});
}

}  // namespace assay::exact_functions
