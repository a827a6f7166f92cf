#include "properties/toy_attack.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "arith/toy_float.hpp"
#include "properties/enumerated.hpp"

namespace assay {
namespace {

Outcome attacked(Attack attack, int cases, Draw& draw) {
  Reached reached;
  for (int i = 0; i < cases; ++i) attack(draw, reached);
  if (!reached.excess.empty()) return Outcome::fails("beyond the bound: " + reached.excess);
  const std::string text = fmt::format("{:.0f} % of the bound in {} cases", 100 * reached.highest, cases);
  return reached.highest >= 0.3 ? Outcome::holds(text) : Outcome::fails(text + ", want 30 %");
}

}  // namespace

const FloatFormat& draw_toy_format(Draw& draw, int least_bits) {
  static constexpr std::array formats = {&ToyFloat<5, -100, 100>::format, &ToyFloat<6, -100, 100>::format,
                                         &ToyFloat<8, -100, 100>::format, &ToyFloat<11, -100, 100>::format};
  const auto first = std::ranges::find_if(formats, [&](const FloatFormat* f) { return f->precision >= least_bits; });
  return *first[draw.below(static_cast<std::uint64_t>(formats.end() - first))];
}

void Reached::note(const AdverseError& adverse, double bound, const AttackedShape& shape) {
  if (bound > 0x1p20 * directed_units(shape.format).eta) highest = std::max(highest, adverse.error / bound);
  if (adverse.error <= bound || !excess.empty()) return;
  excess = fmt::format("{} bits, T = {}, F = {}: value {}, error {}, bound {}", shape.format.precision, shape.tokens,
                       shape.width, adverse.value, adverse.error, bound);
}

Law attack_on(std::string_view name, std::string_view statement, Attack attack, int cases, bool exhaustive) {
  Law law{name, statement, "", Proof::tested, 0, 1, {}};
  law.checks.push_back({"formats of few bits", 0, [attack, cases](Draw& draw) {
                          return try_once([&] { return attacked(attack, cases, draw); });
                        }});
  law.exhaustive = exhaustive;
  return law;
}

}  // namespace assay
