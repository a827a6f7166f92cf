#include "oracle/sanatan/certified.hpp"

#include "oracle/certified_quotient.hpp"
#include "oracle/sanatan/by_definition.hpp"
#include "oracle/sanatan/certified_parallel.hpp"
#include "problem/operators/sanatan.hpp"
#include "problem/sized_case.hpp"
#include "properties/identity.hpp"
#include "properties/sanatan/laws.hpp"
#include "properties/within_radii.hpp"

namespace assay {
namespace {

/// Of a family without a history.
const Family& draw_family(const Operator& op, Draw& draw) {
  for (;;)
    if (const Family& family = draw_family_with_values(op, draw); !family.resumed) return family;
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

Law law(std::string_view name, const Operator& (*op)(), References (*certified)(const Case&)) {
  const auto check = [=](Draw& draw) {
    const Case c = draw_case(op(), draw);
    return within_radii(c, certified(c), sanatan::attention_by_definition(c));
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
