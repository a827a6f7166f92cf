#include "oracle/sfda/certified.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "oracle/sfda/by_definition.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/delta_cases.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

std::int64_t up_to(Draw& draw, std::uint64_t most) { return 1 + static_cast<std::int64_t>(draw.below(most)); }

const Operator& some_operator(Draw& draw) { return *draw.pick("operator", delta_operators()); }

CaseSize small_size(Draw& draw) {
  return {up_to(draw, 2), static_cast<std::int64_t>(draw.below(80)), up_to(draw, 2), up_to(draw, 9), up_to(draw, 9)};
}

/// Every element of every output: |certified - defined| <= both radii.
Outcome enclosed(const Case& c) {
  const References certified = certified_delta_rule(c), defined = delta_rule_by_definition(c);
  for (const auto& [name, want] : defined) {
    const Reference& got = certified.at(name);
    for (std::size_t i = 0; i < want.hi.size(); ++i) {
      const double difference = std::abs((got.hi[i] - want.hi[i]) + (got.lo[i] - want.lo[i]));
      if (!(difference <= got.radius[i] + want.radius[i]))
        return Outcome::fails(fmt::format("{} of {}, {}[{}]: {:.3g} apart, radius {:.3g}", c.op->name, sizes_text(c),
                                          name, i, difference, got.radius[i]));
    }
  }
  return Outcome::holds();
}

/// -log2 of a column's largest radius beside its largest value, over the columns of o; zero columns do not count.
double certified_bits(const Case& c, const References& certified) {
  const auto dv = static_cast<std::size_t>(c.sizes[Axis::value]);
  double bits = std::numeric_limits<double>::infinity();
  for (const auto& [name, o] : certified) {
    if (!name.starts_with("o")) continue;
    for (std::size_t j = 0; j < dv; ++j) {
      double value = 0, radius = 0;
      for (std::size_t i = j; i < o.hi.size(); i += dv) {
        value = std::max(value, std::abs(o.hi[i]));
        radius = std::max(radius, o.radius[i]);
      }
      if (value > 0) bits = std::min(bits, std::log2(value / radius));
    }
  }
  return bits;
}

Outcome certifies(const Case& c, double wanted) {
  const double bits = certified_bits(c, certified_delta_rule(c));
  return holds_if(bits >= wanted,
                  fmt::format("{} of {}: certified to 2^-{:.1f} only", c.op->name, sizes_text(c), bits));
}

}  // namespace

std::vector<Law> sfda_certified_laws() {
  const auto tested = [](std::string_view name, std::string_view statement, std::uint32_t trials, auto run) {
    return Law{
        name, statement, "[SFDA] eq. 13", Proof::tested, 0, trials, {{"MPFR, 50 digits", 0, [run](Draw& draw) {
                                                                        return try_once([&] { return run(draw); });
                                                                      }}}};
  };
  return {
      tested("sfda.certified_outputs_hold_the_definition",
             "|certified - definition| <= radius: beta at 0, 1, 2, 2.1; equal keys; log alpha down to -inf; theta up "
             "to 2^40",
             200,
             [](Draw& draw) {
               const Operator& op = some_operator(draw);
               const CaseSize size = small_size(draw);
               const DeltaInputs inputs = hard_inputs(draw);
               return enclosed(delta_case(op, size, inputs, draw));
             }),
      tested("sfda.certified_outputs_keep_70_bits",
             "unit keys, beta in (0, 1), |lambda| close to 1: radius <= 2^-70 of a column's largest output", 100,
             [](Draw& draw) {
               const Operator& op = some_operator(draw);
               return certifies(delta_case(op, {1, 200 + up_to(draw, 200), 1, up_to(draw, 40), up_to(draw, 9)},
                                           plain_inputs(), draw),
                                70);
             })};
}

}  // namespace assay
