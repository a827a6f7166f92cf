#include "oracle/sfda/certified.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arith/multiprecision.hpp"
#include "oracle/sfda/by_definition.hpp"
#include "oracle/sfda/by_recurrence.hpp"
#include "oracle/sfda/head.hpp"
#include "oracle/sfda/refined.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/delta_cases.hpp"
#include "properties/sfda/laws.hpp"
#include "properties/within_radii.hpp"

namespace assay {
namespace {

using namespace sfda;

std::int64_t up_to(Draw& draw, std::uint64_t most) { return 1 + static_cast<std::int64_t>(draw.below(most)); }

const Operator& some_operator(Draw& draw) { return *draw.pick("operator", delta_operators()); }

CaseSize small_size(Draw& draw) {
  return {up_to(draw, 2), static_cast<std::int64_t>(draw.below(80)), up_to(draw, 2), up_to(draw, 9), up_to(draw, 9)};
}

Outcome held_by_definition(const Case& c) {
  return within_radii(c, delta_rule_by_definition(c), certified_delta_rule(c));
}

/// How far the value of a reference may be, beside its radius, from that of the definition at 100 digits.
template <class K>
Outcome encloses_at_100_digits(const Case& c, const References& got) {
  FirstFailure found;
  by_recurrence<K>(c, [&](const std::string& name, std::size_t first, std::span<const Mpfr100> row) {
    const Reference& reference = got.at(name);
    for (std::size_t j = 0; j < row.size(); ++j) {
      const std::size_t i = first + j;
      const Mpfr100 difference = abs(row[j] - to_mpfr<Mpfr100>({reference.hi[i], reference.lo[i]}));
      found.note(holds_if(difference <= reference.radius[i],
                          fmt::format("{} of {}, {}[{}]: {:.3g} apart, radius {:.3g}", c.op->name, sizes_text(c), name,
                                      i, static_cast<double>(difference), reference.radius[i])));
    }
  });
  return found.outcome();
}

/// Radii are never larger than they were.
Outcome refines(Draw& draw) {
  const Operator& op = some_operator(draw);
  const CaseSize size = small_size(draw);
  const DeltaInputs inputs = hard_inputs(draw);
  const Case c = delta_case(op, size, inputs, draw);
  const References certified = certified_delta_rule(c), refined = refined_delta_rule(c, certified);
  for (const auto& [name, reference] : refined)
    for (std::size_t i = 0; i < reference.radius.size(); ++i) {
      const double before = certified.at(name).radius[i];
      if (reference.radius[i] > std::min(before, 0x1p-40 * before + 0x1p-105 * std::abs(reference.hi[i])))
        return Outcome::fails(fmt::format("{}[{}]: radius {:.3g} of {:.3g}", name, i, reference.radius[i], before));
    }
  return is_complex(c) ? encloses_at_100_digits<Cx<Mpfr100>>(c, refined) : encloses_at_100_digits<Mpfr100>(c, refined);
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

Outcome holds_the_definition(Draw& draw) {
  const Operator& op = some_operator(draw);
  const CaseSize size = small_size(draw);
  const DeltaInputs inputs = hard_inputs(draw);
  return held_by_definition(delta_case(op, size, inputs, draw));
}

Outcome keeps_70_bits(Draw& draw) {
  const CaseSize size{1, 200 + up_to(draw, 200), 1, up_to(draw, 40), up_to(draw, 9)};
  return certifies(delta_case(some_operator(draw), size, plain_inputs(), draw), 70);
}

Outcome stands_beta_beyond_2(Draw& draw) {
  DeltaInputs inputs = plain_inputs();
  inputs.beta = [](Draw&) { return 2.1; };
  inputs.log_alpha = [](Draw&) { return 0.0; };
  const CaseSize size{1, 2048, 1, 8 + up_to(draw, 8), 2};
  return certifies(delta_case(some_operator(draw), size, inputs, draw), 62);
}

/// Column 0 of v and S_0 zero, or beta 0 and S_0 absent: values 0, radius 0.
Outcome zeros_are_exact(Draw& draw) {
  const Operator& op = some_operator(draw);
  DeltaInputs inputs = hard_inputs(draw);
  const bool no_writes = draw.below(2) == 0;
  if (no_writes) {
    inputs.beta = [](Draw&) { return 0.0; };
    inputs.resumed = false;
  }
  Case c = delta_case(op, small_size(draw), inputs, draw);
  const std::int64_t dv = c.sizes[Axis::value];
  for (auto& [name, tensor] : c.inputs)
    if (!no_writes && (name.starts_with("v") || name.starts_with("S0")))
      for (std::int64_t i = 0; i < tensor.count(); i += dv) tensor.set(i, 0);
  for (const auto& [name, x] : certified_delta_rule(c))
    for (std::size_t i = 0; i < x.hi.size(); i += no_writes ? 1 : static_cast<std::size_t>(dv))
      if (x.hi[i] != 0 || x.lo[i] != 0 || x.radius[i] != 0)
        return Outcome::fails(
            fmt::format("{} of {}, {}[{}] = {}, radius {:.3g}", op.name, sizes_text(c), name, i, x.hi[i], x.radius[i]));
  return Outcome::holds();
}

/// One-hot keys; token t reads row t mod d alone. What no key has written is 0 with radius 0, what one has written is
/// not.
Outcome unwritten_rows_are_zero(Draw& draw) {
  DeltaInputs inputs = plain_inputs();
  inputs.keys = Keys::one_hot;
  inputs.beta = [](Draw& d) { return d.below(3) == 0 ? 0.0 : 0.5; };
  inputs.log_alpha = [](Draw&) { return 0.0; };
  Case c = delta_case(some_operator(draw), {1, 1 + up_to(draw, 20), 1, up_to(draw, 9), 1}, inputs, draw);
  const std::int64_t d = c.sizes[Axis::feature];
  const std::vector<std::string> q = planes_of(c, "q"), k = planes_of(c, "k"), o = planes_of(c, "o");
  for (const std::string& plane : q)
    for (std::int64_t i = 0; i < c.inputs.at(plane).count(); ++i) c.inputs.at(plane).set(i, i % d == i / d % d);
  const References values = certified_delta_rule(c);
  std::vector<bool> written(static_cast<std::size_t>(d));
  for (std::int64_t t = 0; t < c.sizes[Axis::time]; ++t) {
    for (const std::string& plane : k)
      for (std::int64_t i = 0; i < d; ++i)
        if (c.inputs.at(plane).value(t * d + i) != 0 && c.inputs.at("beta").value(t) != 0)
          written[static_cast<std::size_t>(i)] = true;
    for (const std::string& plane : o) {
      const Reference& x = values.at(plane);
      const auto at = static_cast<std::size_t>(t);
      const bool zero = x.hi[at] == 0 && x.radius[at] == 0;
      if (zero == written[static_cast<std::size_t>(t % d)])
        return Outcome::fails(
            fmt::format("{}: token {} has {} with radius {:.3g}", c.op->name, t, x.hi[at], x.radius[at]));
    }
  }
  return Outcome::holds();
}

/// A state beyond 2^500 after a few tokens.
Outcome overflow_is_unknown(Draw& draw) {
  DeltaInputs inputs = plain_inputs();
  inputs.beta = [](Draw&) { return 0x1p60; };
  const Case c = delta_case(some_operator(draw), {1, 40, 1, up_to(draw, 9), up_to(draw, 9)}, inputs, draw);
  double last = 0;
  for (const auto& [name, x] : certified_delta_rule(c))
    for (std::size_t i = 0; i < x.hi.size(); ++i) {
      if (!std::isfinite(x.hi[i]) || !std::isfinite(x.lo[i]) || std::isnan(x.radius[i]))
        return Outcome::fails(fmt::format("{}[{}] = {}, radius {}", name, i, x.hi[i], x.radius[i]));
      last = x.radius[i];
    }
  return holds_if(last == HUGE_VAL, fmt::format("the last state's radius is {:.3g}", last));
}

/// Small integers, decays 0 and 1: the definition itself, radius 0.
Outcome exact_inputs_are_exact(Draw& draw) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  DeltaInputs inputs{.keys = Keys::one_hot,
                     .beta = [](Draw& d) { return static_cast<double>(d.below(3)); },
                     .log_alpha = [](Draw& d) { return d.below(4) == 0 ? -infinity : 0.0; },
                     .theta = [](Draw&) { return 0.0; },
                     .value_scale = 4,
                     .resumed = draw.below(2) == 0};
  Case c = delta_case(some_operator(draw), small_size(draw), inputs, draw);
  for (auto& [name, tensor] : c.inputs)
    if (name != "log_alpha" && name != "cu_seqlens")
      for (std::int64_t i = 0; i < tensor.count(); ++i) tensor.set(i, std::round(tensor.value(i)));
  c.standard = Standard::exact;
  const References exact = certified_delta_rule(c), defined = delta_rule_by_definition(c);
  for (const auto& [name, x] : exact)
    for (std::size_t i = 0; i < x.hi.size(); ++i)
      if (x.hi[i] != defined.at(name).hi[i] || x.lo[i] != 0 || x.radius[i] != 0)
        return Outcome::fails(fmt::format("{} of {}, {}[{}] is not exact", c.op->name, sizes_text(c), name, i));
  return Outcome::holds();
}

}  // namespace

std::vector<Law> sfda_certified_laws() {
  const auto law = [](std::string_view name, std::string_view statement, std::uint32_t trials, Outcome (*run)(Draw&)) {
    return Law{
        name, statement, "[SFDA] eq. 13", Proof::tested, 0, trials, {{"MPFR, 50 digits", 0, [run](Draw& draw) {
                                                                        return try_once([&] { return run(draw); });
                                                                      }}}};
  };
  return {
      law("sfda.certified_outputs_hold_the_definition",
          "|certified - definition| <= radius: beta at 0, 1, 2, 2.1; equal keys; log alpha down to -inf; theta up to "
          "2^40",
          200, holds_the_definition),
      law("sfda.refined_outputs_hold_the_definition",
          "at 100 digits, within 2^-40 of the certified radius beside writing the result", 100, refines),
      law("sfda.certified_outputs_keep_70_bits",
          "unit keys, beta in (0, 1), |lambda| close to 1: radius <= 2^-70 of a column's largest output", 100,
          keeps_70_bits),
      law("sfda.certified_outputs_stand_beta_beyond_2",
          "unit keys, beta = 2.1, |lambda| = 1, 2048 tokens: the product of all norms is 2^281, the radius at most "
          "2^-62 of a column's largest output",
          4, stands_beta_beyond_2),
      law("sfda.certified_zeros_are_exact", "a column of zeros, or nothing written: values 0 with radius 0", 100,
          zeros_are_exact),
      law("sfda.unwritten_rows_are_read_as_exact_zeros",
          "one-hot keys and queries: 0 with radius 0 where and only where no key has written", 100,
          unwritten_rows_are_zero),
      law("sfda.certified_range_is_known",
          "beta = 2^60: no value is given for what leaves the range, and no number is infinite or none", 20,
          overflow_is_unknown),
      law("sfda.certified_exact_inputs_have_radius_0",
          "small integers, one-hot keys, alpha 0 or 1, no phase: the definition's values", 50, exact_inputs_are_exact)};
}

}  // namespace assay
