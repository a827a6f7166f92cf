#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "oracle/case_values.hpp"
#include "oracle/sfda/attention_bound.hpp"
#include "oracle/sfda/certified.hpp"
#include "oracle/sfda/head.hpp"
#include "oracle/sfda/plain.hpp"
#include "problem/transforms.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/delta_cases.hpp"
#include "properties/sfda/laws.hpp"
#include "properties/sfda/step_contracts.hpp"

namespace assay {
namespace {

using namespace sfda;

std::int64_t up_to(Draw& draw, std::uint64_t most) { return 1 + static_cast<std::int64_t>(draw.below(most)); }

Case tokens_of(const Case& c, std::int64_t begin, std::int64_t end) {
  const Stretch stretch{0, begin, end};
  return gathered(c, {&stretch, 1}, Layout::batched);
}

/// Elements of `part` are those of `whole` from element `first` on: values to the last bit, radii finite.
Outcome same_values(const std::string& name, const Reference& part, const Reference& whole, std::size_t first) {
  for (std::size_t i = 0; i < part.hi.size(); ++i)
    if (part.hi[i] != whole.hi[first + i] || part.lo[i] != whole.lo[first + i] || !std::isfinite(part.radius[i]))
      return Outcome::fails(fmt::format("{}[{}] = {} + {} ± {}, as a whole {} + {}", name, first + i, part.hi[i],
                                        part.lo[i], part.radius[i], whole.hi[first + i], whole.lo[first + i]));
  return Outcome::holds();
}

/// The initial state that later windows have is the first one's: the truth must not look at it.
Outcome windows_are_the_whole(Draw& draw) {
  const Operator& op = *draw.pick("operator", delta_operators());
  std::vector<std::int64_t> cuts = {0};
  for (std::int64_t n = draw.size("windows", 1, 3); n > 0; --n) cuts.push_back(cuts.back() + 32 * up_to(draw, 3));
  cuts.push_back(cuts.back() + up_to(draw, 70));
  DeltaInputs inputs = plain_inputs();
  inputs.resumed = draw.below(2) == 0;
  const Case c = delta_case(op, {1, cuts.back(), up_to(draw, 2), up_to(draw, 9), up_to(draw, 9)}, inputs, draw);
  const References whole = certified_delta_rule(c);
  WindowOracle::Part part;
  FirstFailure found;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const Case window = tokens_of(c, cuts[i], cuts[i + 1]);
    part = certified_window(window, part.state);
    for (const auto& [name, values] : part.want) {
      const bool of_tokens = op.find(name)->has(Axis::time);
      if (!of_tokens && i + 2 < cuts.size()) continue;
      const std::size_t a_token = static_cast<std::size_t>(c.sizes[Axis::head] * c.sizes[Axis::value]);
      const std::size_t first = of_tokens ? static_cast<std::size_t>(cuts[i]) * a_token : 0;
      found.note(same_values(name, values, whole.at(name), first));
    }
  }
  return found.outcome();
}

/// A case from an initial state, and the same from one that is longer by 2^-8.
struct Displaced {
  Case c, displaced;
  std::vector<double> errors;  ///< as a window's bound takes them
};

Displaced displaced_case(Draw& draw, const Operator& op) {
  DeltaInputs inputs = plain_inputs();
  inputs.resumed = true;
  Displaced result;
  result.c = delta_case(op, {1, up_to(draw, 40), up_to(draw, 2), up_to(draw, 9), up_to(draw, 9)}, inputs, draw);
  result.c = tokens_of(result.c, 0, result.c.sizes[Axis::time]);
  result.c.parameters["C"] = 16;
  result.displaced = result.c;
  const std::vector<std::string> planes = planes_of(result.c, "S0");
  for (const std::string& plane : planes)
    for (float& x : result.displaced.inputs.at(plane).as<float>()) x *= 1 + 0x1p-8f;
  const auto d = result.c.sizes[Axis::feature], dv = result.c.sizes[Axis::value], H = result.c.sizes[Axis::head];
  for (std::int64_t h = 0; h < H; ++h) {
    std::vector<double> norms;
    for (std::int64_t j = 0; j < dv; ++j) {
      double square = 0;
      for (const std::string& plane : planes)
        for (std::int64_t i = 0; i < d; ++i) {
          const std::int64_t at = (h * d + i) * dv + j;
          square += std::pow(result.displaced.inputs.at(plane).value(at) - result.c.inputs.at(plane).value(at), 2);
        }
      norms.push_back(std::sqrt(square) * (1 + 0x1p-40));
    }
    result.errors.insert(result.errors.end(), norms.begin(), norms.end());  // at worst
    result.errors.insert(result.errors.end(), norms.begin(), norms.end());  // to one side
    result.errors.resize(result.errors.size() + static_cast<std::size_t>(dv));
  }
  return result;
}

double error_of(const Tensor& got, const Reference& want, std::size_t i) {
  return std::abs(got.value(static_cast<std::int64_t>(i)) - want.hi[i] - want.lo[i]) - want.radius[i];
}

/// Elements that are further from the truth than the bound says.
std::size_t beyond(const Tensors& outputs, const References& want, const Allowances& allowed) {
  std::size_t count = 0;
  for (const auto& [name, reference] : want)
    for (std::size_t i = 0; i < reference.hi.size(); ++i)
      count += error_of(outputs.at(name), reference, i) > allowed.at(name).statistical[i];
  return count;
}

Outcome initial_errors_are_bounded(Draw& draw) {
  const Operator& op = *draw.pick("operator", delta_operators());
  const Displaced x = displaced_case(draw, op);
  const Contract contract = draw.below(2) == 0 ? scan_steps() : chunk_steps(Product::fma);
  const References want = certified_delta_rule(x.c);
  const Tensors outputs = plain_attention(x.displaced, contract, 1);
  const std::size_t known = beyond(outputs, want, window_bound(x.displaced, contract, x.errors));
  const std::size_t unknown = beyond(outputs, want, window_bound(x.displaced, contract, {}));
  return all_of({holds_if(known == 0, fmt::format("{} elements are above the bound", known)),
                 holds_if(unknown > 0, "a bound that knows of no error holds all elements")});
}

Outcome errors_cover_the_state(Draw& draw) {
  const Operator& op = *draw.pick("operator", delta_operators());
  const Displaced x = displaced_case(draw, op);
  const Contract contract = draw.below(2) == 0 ? scan_steps() : chunk_steps(Product::bf16);
  const References want = certified_delta_rule(x.c);
  const Tensors outputs = plain_attention(x.displaced, contract, 1);
  const std::vector<double> errors = errors_after_window(x.displaced, contract, x.errors);
  const auto d = x.c.sizes[Axis::feature], dv = x.c.sizes[Axis::value], H = x.c.sizes[Axis::head];
  FirstFailure found;
  for (std::int64_t h = 0; h < H; ++h)
    for (std::int64_t j = 0; j < dv; ++j) {
      double square = 0;
      for (const std::string& plane : planes_of(x.c, "S"))
        for (std::int64_t i = 0; i < d; ++i) {
          const auto at = static_cast<std::size_t>((h * d + i) * dv + j);
          square += std::pow(std::max(0.0, error_of(outputs.at(plane), want.at(plane), at)), 2);
        }
      const double worst = errors[static_cast<std::size_t>(3 * dv * h + j)];
      found.note(holds_if(std::sqrt(square) <= worst,
                          fmt::format("head {}, column {}: {:.3g} off, {:.3g} said", h, j, std::sqrt(square), worst)));
    }
  return found.outcome();
}

}  // namespace

std::vector<Law> sfda_windows_laws() {
  const auto law = [](std::string_view name, std::string_view statement, std::uint32_t trials, Outcome (*run)(Draw&)) {
    return Law{name, statement, "", Proof::tested, 0, trials, {{"double-double, float32", 0, [run](Draw& draw) {
                                                                  return try_once([&] { return run(draw); });
                                                                }}}};
  };
  return {law("sfda.windows_have_the_truth_of_the_whole_sequence",
              "each from where the one before ended, whatever state the case gives: the same bits", 100,
              windows_are_the_whole),
          law("sfda.a_window_bound_holds_the_error_of_its_initial_state",
              "a state that is longer by 2^-8: within the bound that knows it, outside that which does not", 100,
              initial_errors_are_bounded),
          law("sfda.errors_after_a_window_hold_its_state", "2-norms of columns, from an initial state that is wrong",
              100, errors_cover_the_state)};
}

}  // namespace assay
