#include "judge/tolerances.hpp"

#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "properties/enumerated.hpp"
#include "properties/judge/laws.hpp"
#include "properties/judge/one_element.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

/// What both say of outputs beside their truth, as "10": allclose accepts, the ratio does not.
Outcome says(const std::string& told, const std::vector<double>& got, const std::vector<double>& want) {
  const Outputs x = outputs_of(got, want, 0);
  const Tolerances t = usual_tolerances(x.got, x.want);
  const std::string found = fmt::format("{:d}{:d}", t.allclose, t.rms_ratio);
  return same(fmt::format("{} beside {}", fmt::join(got, " "), fmt::join(want, " ")), found, told);
}

/// Numbers are dyadic: a thousandth or so on either side of each tolerance.
Outcome at_their_limits() {
  constexpr double below = 5.0 / 1024, above = 21.0 / 4096;  // 0.00488, 0.00513
  return all_of({says("11", {1 + below, -1 - below}, {1, -1}), says("10", {1 + above, 1 + above}, {1, 1}),
                 says("10", {1 + 1.5 * below, 1 + 1.5 * below}, {1, 1}), says("00", {1 + 2.25 * below, 1}, {1, 1}),
                 says("10", {below}, {0}), says("00", {above}, {0}), says("11", {0x1p-20}, {0}),
                 says("10", {0x1p-19}, {0}), says("01", {100, 100, 0.25}, {100, 100, 0}), says("11", {}, {})});
}

Outcome beyond_numbers() {
  return all_of({says("00", {nan}, {1}), says("00", {infinity}, {1}), says("00", {1}, {infinity}),
                 says("10", {infinity}, {infinity}), says("00", {-infinity}, {infinity}), says("00", {nan}, {nan})});
}

/// Every output must be accepted, and each by itself: a large one does not speak for a small one.
Outcome of_each_output() {
  Outputs x = outputs_of({1}, {1}, 0);
  const Outputs small = outputs_of({0x1p-8}, {0}, 0);
  x.got.emplace("S", small.got.at("o"));
  x.want.emplace("S", small.want.at("o"));
  const Tolerances t = usual_tolerances(x.got, x.want);
  return holds_if(t.allclose && !t.rms_ratio, "a wrong S beside a right o");
}

}  // namespace

std::vector<Law> judge_tolerances_laws() {
  return {enumerated("judge.tolerances_accept_up_to_their_limits",
                     "0.005 + 0.005 |want|; 0.005 of the root mean square", "", "numbers", at_their_limits),
          enumerated("judge.tolerances_refuse_what_is_no_number", "NaN, and an infinity that is not due", "", "numbers",
                     beyond_numbers),
          enumerated("judge.tolerances_hold_for_each_output", "a small one is not hidden by a large one", "", "outputs",
                     of_each_output)};
}

}  // namespace assay
