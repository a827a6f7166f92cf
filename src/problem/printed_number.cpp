#include "problem/printed_number.hpp"

#include <algorithm>
#include <regex>
#include <stdexcept>

#include <fmt/format.h>

#include "arith/integer_power.hpp"

namespace assay {
namespace {

Rational power_of_ten(long exponent) { return integer_power(Rational(10), exponent); }

Rational unit_scale(const std::string& unit) {
  if (unit == "K") return power_of_ten(3);
  if (unit == "M") return power_of_ten(6);
  if (unit == "B") return power_of_ten(9);
  if (unit == "%") return power_of_ten(-2);
  return Rational(1);
}

}  // namespace

Interval printed(std::string_view text) {
  static const std::regex form(R"(([+-]?)([0-9][0-9,]*)(?:\.([0-9]+))?(?:e([+-]?[0-9]+))?(?: ?(K|M|B|%|x|ms|GB/s))?)");
  std::cmatch parts;
  if (!std::regex_match(text.begin(), text.end(), parts, form))
    throw std::invalid_argument(fmt::format("\"{}\": needs a printed number, like 2,415.9 or 87.8%", text));
  std::string digits = parts.str(2) + parts.str(3);
  digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
  const long exponent = (parts[4].matched ? std::stol(parts.str(4)) : 0) - parts[3].length();
  const Rational last_digit = power_of_ten(exponent) * unit_scale(parts.str(5));
  const Rational value = Rational(digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1))) *
                         last_digit * (parts.str(1) == "-" ? -1 : 1);
  const bool exact = !parts[3].matched && !parts[4].matched && !parts[5].matched;
  const Rational slack = exact ? Rational(0) : last_digit / 2;
  return {value - slack, value + slack};
}

std::string decimal(const Rational& value) {
  if (denominator(value) == 1) return value.str();
  return fmt::format("{:.7g}", value.convert_to<double>());
}

std::string decimal(const Interval& interval) {
  const std::string low = decimal(interval.lower()), high = decimal(interval.upper());
  return low == high ? low : fmt::format("[{}, {}]", low, high);
}

}  // namespace assay
