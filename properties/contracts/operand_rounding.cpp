#include "properties/contracts/operand_rounding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arith/rounding.hpp"

namespace assay {
namespace {

double as_it_is(double x) { return x; }
double tf32_cut(double x) { return to_float(tf32_truncated(static_cast<float>(x))); }
double tf32_away(double x) { return to_float(tf32_nearest_away(static_cast<float>(x))); }
double tf32_even(double x) { return to_float(tf32_nearest_even(static_cast<float>(x))); }
double two_tf32(double x) { return tf32_away(x) + tf32_away(x - tf32_away(x)); }
double bf16_even(double x) { return round_to(bf16_format, x); }
double bf16_cut(double x) { return round_to(bf16_format, x, Rounding::toward_zero); }
double fp16_even(double x) { return round_to(fp16_format, x); }

constexpr std::array<OperandRounding, 8> roundings = {{{"f32", as_it_is},
                                                       {"tf32 truncated", tf32_cut},
                                                       {"tf32 rna", tf32_away},
                                                       {"tf32 rn", tf32_even},
                                                       {"two tf32 words", two_tf32},
                                                       {"bf16 rn", bf16_even},
                                                       {"bf16 truncated", bf16_cut},
                                                       {"fp16 rn", fp16_even}}};

const OperandRounding& rounding_named(std::string_view name) {
  return *std::ranges::find(roundings, name, &OperandRounding::name);
}

/// In [1, 2), every value of the format; or in (1/2, 1], as far below 1 by half as much. For 8 and 11 bits: halfway
/// below an even and below an odd neighbour, and a little off. Then 1 + 2^-k, and what two words of 11 bits do not
/// hold.
std::vector<double> boundary_numbers(Format held, bool at_most_one) {
  std::vector<double> numbers;
  for (const int bits : {8, 11}) {
    const double unit = power_of_two(1 - bits), half = unit / 2;
    for (const double x : {1 + half, 1 + unit + half, 1 + half + half / 8, 1 + half - half / 8, 1 + unit + half / 4})
      numbers.push_back(x);
  }
  for (int k = 1; k <= 23; ++k) numbers.push_back(1 + power_of_two(-k));
  for (const double x : {1 + 0x1p-12 + 0x1p-23, 1 + 0x1p-3 + 0x1p-13 + 0x1p-23}) numbers.push_back(x);
  if (at_most_one)
    for (double& x : numbers) x = 1 - (x - 1) / 2;
  const FloatFormat& format = float_format(held);
  std::erase_if(numbers, [&](double x) { return round_to(format, x) != x; });
  return numbers;
}

/// Bits of a sum that are shown, and the error of the factor before it is rounded.
struct Sight {
  int precision = 24;
  double error = 0;
};

/// Whether got is a number, rounded, less 1, as far as it can be seen. Roundings are monotonic.
bool agrees(double got, const OperandRounding& rounding, double number, const Sight& sight) {
  const double least = rounding.apply(number * (1 - sight.error)) - 1;
  const double most = rounding.apply(number * (1 + sight.error)) - 1;
  const auto tolerance = [&](double want) { return power_of_two(1 - sight.precision) * std::abs(want) + 0x1p-30; };
  return got >= least - tolerance(least) && got <= most + tolerance(most);
}

std::string fault_text(std::string_view what, const OperandRounding& stated, const std::vector<double>& numbers,
                       const Terms& seen, const Sight& sight) {
  const auto explains = [&](const OperandRounding& rounding) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (!agrees(seen[i], rounding, numbers[i], sight)) return false;
    return true;
  };
  if (explains(stated)) return "";
  std::vector<std::string_view> found;
  for (const OperandRounding& rounding : roundings)
    if (explains(rounding)) found.push_back(rounding.name);
  std::size_t i = 0;
  while (agrees(seen[i], stated, numbers[i], sight)) ++i;
  return fmt::format("{}: the contract states {}, probes find {}: {:a} counts as {:a}", what, stated.name,
                     found.empty() ? "no known rounding" : fmt::format("{}", fmt::join(found, " or ")), numbers[i],
                     1 + seen[i]);
}

}  // namespace

const OperandRounding& rounding_to(Format format) {
  switch (format) {
    case Format::f32:
      return rounding_named("f32");
    case Format::bf16:
      return rounding_named("bf16 rn");
    case Format::fp16:
      return rounding_named("fp16 rn");
    default:
      throw std::invalid_argument(fmt::format("{} is no format of operands", name_of(format)));
  }
}

const OperandRounding& stated_rounding(const Contract& contract, Format kept, bool by_tiles) {
  if (kept != Format::f32 || !by_tiles) return rounding_to(kept);
  switch (contract.product) {
    case Product::fma:
      return rounding_to(kept);
    case Product::tf32:
      return rounding_named(contract.tf32_input == Tf32Input::truncated ? "tf32 truncated"
                            : contract.tf32_input == Tf32Input::rna     ? "tf32 rna"
                                                                        : "tf32 rn");
    case Product::three_tf32:
      return rounding_named("two tf32 words");
    case Product::bf16:
      return rounding_to(Format::bf16);
    case Product::fp16:
      return rounding_to(Format::fp16);
  }
  throw std::logic_error("no such product");
}

std::string operand_fault(const SumSite& site, bool of_a, const OperandRounding& stated) {
  if (site.probed + 2 > site.terms) return "";
  const Operand& operand = of_a ? site.a : site.b;
  const std::vector<double> numbers = boundary_numbers(operand.held, operand.at_most_one);
  // x · 1 - 1 · 1: the last bits of x are all that is left. 1 stands on neither side of a boundary.
  Terms seen;
  const std::size_t x = site.probed;
  Terms one(site.terms, 0.0);
  one[x] = 1, one[x + 1] = -1;
  if (of_a) {
    std::vector<Terms> rows(numbers.size(), one);
    for (std::size_t i = 0; i < numbers.size(); ++i) rows[i][x] = numbers[i];
    seen = site.sums(Terms(site.terms, 1.0), rows);
  } else {
    for (const double number : numbers) {
      Terms b(site.terms, 1.0);
      b[x] = number;
      seen.push_back(site.sums(b, {one}).front());
    }
  }
  return fault_text(fmt::format("{}, factor {}", site.name, of_a ? "a" : "b"), stated, numbers, seen,
                    {site.precision, of_a ? 0 : site.b_error});
}

std::string handed_through_fault(std::string_view what, Format held, const OperandRounding& stated,
                                 const std::function<Terms(const Terms&)>& seen) {
  const std::vector<double> numbers = boundary_numbers(held, false);
  Terms beyond_one = seen(numbers);
  for (double& x : beyond_one) x -= 1;
  return fault_text(what, stated, numbers, beyond_one, {});
}

}  // namespace assay
