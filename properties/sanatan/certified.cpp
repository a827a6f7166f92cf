#include "oracle/sanatan/certified.hpp"

#include <cmath>

#include <fmt/format.h>

#include "oracle/certified_quotient.hpp"
#include "oracle/sanatan/by_definition.hpp"
#include "oracle/sanatan/certified_parallel.hpp"
#include "problem/operators/sanatan.hpp"
#include "problem/sized_case.hpp"
#include "properties/identity.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

/// Of a family that is held against values, without a history.
const Family& draw_family(const Operator& op, Draw& draw) {
  const std::span<const Family> families = families_of(op);
  for (;;) {
    const Family& family = families[draw.below(families.size())];
    const bool has_values = family.standard == Standard::bound || family.standard == Standard::exact;
    if (has_values && !family.resumed) return family;
  }
}

Case draw_case(const Operator& op, Draw& draw) {
  const auto up_to = [&](std::uint64_t most) { return 1 + static_cast<std::int64_t>(draw.below(most)); };
  Kernel any{.name = "any", .op = &op};
  any.limits.channels = {draw.below(2) == 0 ? 6 : 3};
  return make_case(any, draw_family(op, draw), draw.bits(), {up_to(2), up_to(24), up_to(2), up_to(9), up_to(9)});
}

/// o by the double sum with p = 1, which is the recurrence's; the other outputs it has not.
References by_double_sum(const Case& c) {
  References all = empty_references(c);
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) sanatan::certify_parallel(c, n, h, all);
  References o;
  o.insert(all.extract("o"));
  return o;
}

/// Every element of every certified output, as far as both are finite: |certified - defined| <= both radii.
Outcome enclosed(const Case& c, const References& certified) {
  const References defined = sanatan::attention_by_definition(c);
  for (const auto& [name, got] : certified) {
    const Reference& want = defined.at(name);
    for (std::size_t i = 0; i < want.hi.size(); ++i) {
      const double difference = std::abs((got.hi[i] - want.hi[i]) + (got.lo[i] - want.lo[i]));
      if (difference > got.radius[i] + want.radius[i])
        return Outcome::fails(fmt::format("{}: {}, element {}: {:.3g} apart, radius {:.3g}", c.family, name, i,
                                          difference, got.radius[i]));
    }
  }
  return Outcome::holds();
}

Law law(std::string_view name, const Operator& (*op)(), References (*certified)(const Case&)) {
  const auto check = [=](Draw& draw) {
    const Case c = draw_case(op(), draw);
    return enclosed(c, certified(c));
  };
  return {name,
          "|certified - definition| <= radius, in every family",
          "[SANATAN] s3.4-3.5 eq. 9",
          Proof::tested,
          0,
          100,
          {{"MPFR, 50 digits", 0, check}}};
}

}  // namespace

std::vector<Law> sanatan_certified_laws() {
  using operators::sanatan_attention, operators::sanatan_feature_attention, sanatan::certified_attention;
  return {
      law("sanatan.certified_attention_holds_the_definition", sanatan_attention, certified_attention),
      law("sanatan.certified_feature_attention_holds_the_definition", sanatan_feature_attention, certified_attention),
      law("sanatan.certified_double_sum_holds_the_definition", sanatan_attention, by_double_sum),
      law("sanatan.certified_double_sum_of_features_holds_the_definition", sanatan_feature_attention, by_double_sum)};
}

}  // namespace assay
