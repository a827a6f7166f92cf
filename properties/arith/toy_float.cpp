#include "arith/toy_float.hpp"

#include <vector>

#include <fmt/format.h>

#include "properties/arith/exact_integer.hpp"
#include "properties/arith/laws.hpp"
#include "properties/enumerated.hpp"

namespace assay {
namespace {

using Toy = ToyFloat<4, -3, 3>;

/// Empty if `got` is `result` rounded; `result` is in units of 2^-1074, its last bit set if it is not such an integer.
std::string toy_fault(const char* operation, Toy x, Toy y, const ExactInteger& result, Toy got) {
  const std::uint32_t code = code_of_magnitude(Toy::format, std::abs(got.value()));
  if (is_value(Toy::format, got.value()) && rounds_to(Toy::format, Rounding::nearest_even, result, code) &&
      (result == 0 || std::signbit(got.value()) == (result < 0)))
    return "";
  return fmt::format("{} {} {} gives {}", x.value(), operation, y.value(), got.value());
}

ExactInteger sticky(const ExactInteger& floor, bool inexact) { return inexact ? floor | 1 : floor; }

ExactInteger exact_quotient(double x, double y) {
  ExactInteger quotient, rest;
  divide_qr(abs(exact(x)) << 1074, abs(exact(y)), quotient, rest);
  const ExactInteger magnitude = sticky(quotient, rest != 0);
  return (x < 0) == (y < 0) ? magnitude : -magnitude;
}

ExactInteger exact_root(double x) {
  ExactInteger rest;
  const ExactInteger root = sqrt(exact(x) << 1074, rest);
  return sticky(root, rest != 0);
}

std::string toy_pair_fault(Toy x, Toy y, Toy z) {
  const ExactInteger product = exact(x.value() * y.value());  // 8 bits: exact in double
  for (const std::string& why : {
           toy_fault("+", x, y, exact(x.value()) + exact(y.value()), x + y),
           toy_fault("-", x, y, exact(x.value()) - exact(y.value()), x - y),
           toy_fault("*", x, y, product, x * y),
           toy_fault("fma", x, y, product + exact(z.value()), fma(x, y, z)),
           y.value() == 0 ? "" : toy_fault("/", x, y, exact_quotient(x.value(), y.value()), x / y),
           y.value() < 0 ? "" : toy_fault("sqrt", x, y, exact_root(y.value()), sqrt(y)),
       })
    if (!why.empty()) return why;
  return "";
}

Outcome toy_operations_round_once() {
  std::vector<Toy> values;
  for (double x = -Toy::format.largest(); x <= Toy::format.largest(); x += Toy::format.least_subnormal())
    if (Toy(x).value() == x) values.emplace_back(x);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < values.size(); ++j)
      if (const std::string why = toy_pair_fault(values[i], values[j], values[(7 * i + 13 * j) % values.size()]);
          !why.empty())
        return Outcome::fails(why);
  return Outcome::holds();
}

}  // namespace

std::vector<Law> arith_toy_float_laws() {
  return {
      enumerated("arith.toy_operations_round_once",
                 "+ - * / sqrt fma over all pairs of a 4-bit format, against exact integers", "", "toy formats",
                 toy_operations_round_once),
  };
}

}  // namespace assay
