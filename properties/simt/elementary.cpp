#include "simt/elementary.cuh"

#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arith/float_format.hpp"
#include "kernels/machine/counter.cuh"
#include "kernels/machine/function_list.cuh"
#include "properties/enumerated.hpp"
#include "properties/simt/exact_approximations.hpp"
#include "properties/simt/function_errors.hpp"
#include "properties/simt/laws.hpp"

namespace assay {
namespace {

/// Ends of the format, of ranges and of reductions, and their neighbours.
constexpr float corners[] = {
    0.0f,         0x1p-149f, 0x1p-126f,   0x1p-64f,        0x1p-24f,
    0.55f,        1.0f,      9.02f,       16.0f,           88.72284f,
    88.5f,        103.9f,    104.0f,      126.0f,          128.0f,
    149.0f,       151.0f,    1.57079633f, 3.14159265f,     71476.0f,
    65536.0f,     0x1p23f,   0x1p64f,     0x1.fffffep127f, std::numeric_limits<float>::infinity(),
    canonical_nan};

std::string text_of(const FunctionError& worst) {
  return fmt::format("{}({:a}): {} {}, stated {}", worst.function, std::bit_cast<float>(worst.at), worst.error,
                     worst.unit, worst.stated);
}

Outcome stays_within_stated_error(const std::string& function, Draw& draw) {
  std::vector<float> inputs;
  for (const float corner : corners)
    for (const float x : {corner, std::nextafter(corner, 0.0f), std::nextafter(corner, INFINITY)}) {
      inputs.push_back(x);
      inputs.push_back(-x);
    }
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = draw.bits();
    inputs.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    inputs.push_back(static_cast<float>(static_cast<std::int64_t>(bits)) * 0x1p-63f * 128);  // in [-128, 128]
  }
  const FunctionError worst = largest_error(function, inputs);
  return worst.error <= worst.stated ? Outcome::holds() : Outcome::fails(text_of(worst));
}

/// The stated error is the largest one over all inputs, rounded up.
Outcome stated_error_is_the_largest(const std::string& function) {
  const FunctionError worst = largest_error_of_all(function);
  return is_as_stated(worst) ? Outcome::holds() : Outcome::fails(text_of(worst));
}

/// Digests over every 4099th input.
struct RecordedBits {
  std::string_view function;
  std::uint64_t digest;
};
constexpr RecordedBits recorded_bits[] = {
    {"exp", 0x5160c54739303c37},  {"exp2", 0xf1510c89fed320fe},    {"exp2_quartic", 0xa1d6d1c6494447b2},
    {"log", 0x294cb6c7eb14cfe7},  {"sin", 0x693868899ac1365f},     {"cos", 0x37b24f67a51bde29},
    {"tanh", 0xed81c529cd725018}, {"sigmoid", 0x9e838e0c0c9701d2}, {"rsqrt", 0xd79773cbb56e64b6},
};

template <class F>
std::uint64_t digest() {
  std::uint64_t sum = 0;
  for (std::uint64_t code = 0; code < 1ull << 32; code += 4099) {
    const auto input = static_cast<std::uint32_t>(code);
    sum += generated::digest_of(input, code_of(F::value(std::bit_cast<float>(input))));
  }
  return sum;
}

template <class F>
Outcome bits_are_as_recorded() {
  for (const RecordedBits& row : recorded_bits)
    if (row.function == F::name && row.digest == digest<F>()) return Outcome::holds();
  return Outcome::fails(fmt::format("{}: digest {:#018x} is not the recorded one", F::name, digest<F>()));
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

/// One check a function, of its type.
template <class MakeRun>
std::vector<Check> for_functions(MakeRun make_run) {
  std::vector<Check> checks;
  elementary::functions::for_each_function([&]<class F>(F) { checks.push_back({F::name, 0, make_run(F{})}); });
  return checks;
}

/// The same for every function of which an error is stated, approximations included, of its name.
template <class MakeRun>
std::vector<Check> for_stated_errors(MakeRun make_run) {
  std::vector<Check> checks;
  const auto add = [&]<class F>(F) { checks.push_back({F::name, 0, make_run(std::string(F::name))}); };
  exact_functions::for_each_function(add);
  exact_functions::for_each_approximation(add);
  return checks;
}

std::vector<Check> stated_error_checks() {
  return for_stated_errors([](const std::string& function) {
    return [=](Draw& draw) { return stays_within_stated_error(function, draw); };
  });
}

std::vector<Check> recorded_bits_checks() {
  return for_functions([]<class F>(F) { return [](Draw&) { return bits_are_as_recorded<F>(); }; });
}

std::vector<Check> largest_error_checks() {
  return for_stated_errors(
      [](const std::string& function) { return [=](Draw&) { return stated_error_is_the_largest(function); }; });
}

}  // namespace

std::vector<Law> simt_elementary_laws() {
  Law largest{"simt.stated_error_is_the_largest_over_all_floats",
              "over 2^32 inputs, against double-double and Arb, to the last decimal",
              "",
              Proof::tested,
              0,
              1,
              largest_error_checks()};
  largest.exhaustive = true;
  return {
      {"simt.elementary_functions_stay_within_stated_error", "random and special inputs, against double-double and Arb",
       "", Proof::tested, 0, 25, stated_error_checks()},
      {"simt.elementary_functions_have_the_recorded_bits",
       "a digest over every 4099th float, the same on every machine", "", Proof::tested, 0, 1, recorded_bits_checks()},
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
