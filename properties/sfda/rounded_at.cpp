#include "oracle/sfda/rounded_at.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "oracle/sfda/certified.hpp"
#include "oracle/sfda/plain.hpp"
#include "problem/operators/sfda.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/delta_cases.hpp"
#include "properties/sfda/laws.hpp"
#include "properties/sfda/step_contracts.hpp"

namespace assay {
namespace {

using namespace sfda;
using enum StepKind;

std::vector<Contract> contracts() {
  return {scan_steps(),
          scan_steps(Format::bf16),
          chunk_steps(Product::fma),
          chunk_steps(Product::tf32),
          chunk_steps(Product::three_tf32),
          chunk_steps(Product::bf16)};
}

Case some_case(Draw& draw, std::int64_t tokens) {
  const Operator& op = *draw.pick("operator", delta_operators());
  Case c = delta_case(op, {1, tokens, 1, 16 + static_cast<std::int64_t>(draw.below(17)), 16}, plain_inputs(), draw);
  c.parameters["C"] = 32;
  return c;
}

/// sqrt(Σ (x - y)²), of all outputs of that name's beginning.
double distance(const Values& x, const Values& y, std::string_view name) {
  double square = 0;
  for (const auto& [output, values] : x)
    if (output.starts_with(name))
      for (std::size_t i = 0; i < values.size(); ++i) square += std::pow(values[i] - y.at(output)[i], 2);
  return std::sqrt(square);
}

Values values_of(const References& references) {
  Values values;
  for (const auto& [name, reference] : references) values[name] = reference.hi;
  return values;
}

Values values_of(const Tensors& tensors) {
  Values values;
  for (const auto& [name, tensor] : tensors) {
    values[name].resize(static_cast<std::size_t>(tensor.count()));
    tensor.copy_values(0, values[name]);
  }
  return values;
}

Values zeros_like(Values values) {
  for (auto& [name, x] : values) std::ranges::fill(x, 0);
  return values;
}

Outcome nothing_rounds(Draw& draw) {
  const Case c = some_case(draw, 1 + static_cast<std::int64_t>(draw.below(80)));
  const Values truth = values_of(certified_delta_rule(c)), zeros = zeros_like(truth);
  FirstFailure found;
  for (const Contract& contract : contracts())
    for (const char* name : {"o", "S"}) {
      const double off = distance(rounded_at(c, contract, {}), truth, name), size = distance(truth, zeros, name);
      found.note(holds_if(off <= 0x1p-40 * size, fmt::format("{} is off by {:.3g} of {:.3g}", name, off, size)));
    }
  return found.outcome();
}

/// Of the decays of delta.attention, the factors of fused products, and a float32 output there is nothing to round.
Outcome absent_kinds_do_nothing(Draw& draw) {
  const Case c = some_case(draw, 40);
  FirstFailure found;
  for (const Contract& contract : contracts()) {
    const Values exact = rounded_at(c, contract, {});
    const auto moves = [&](StepKind kind, std::string_view name) {
      return distance(rounded_at(c, contract, std::span(&kind, 1)), exact, name) > 0;
    };
    const bool decays = c.op != &operators::delta_attention(), tiles = contract.product != Product::fma;
    found.note(same("decay functions move S", moves(elementary, "S"), decays));
    found.note(same("operands move S", moves(operand, "S"), tiles));
    found.note(same("sums move S", moves(accumulate, "S"), true));
    found.note(same("the state's rounding moves S", moves(state, "S"), true));
    found.note(same("products move S", moves(product, "S"), true));
    found.note(same("the output's rounding moves o", moves(StepKind::output, "o"), contract.output != Format::f32));
    found.note(same("the output's rounding moves S", moves(StepKind::output, "S"), false));
  }
  return found.outcome();
}

/// kappa of R2: what two implementations of one algorithm may differ by.
constexpr double kappa = 4;

Outcome kinds_add_up_to_the_plain_error(Draw& draw) {
  const Case c = some_case(draw, 96);
  const Values truth = values_of(certified_delta_rule(c));
  FirstFailure found;
  for (const Contract& contract : contracts())
    for (const char* name : {"o", "S"}) {
      const Values exact = rounded_at(c, contract, {});
      double square = 0;
      for (const StepKind kind : all_step_kinds)
        square += std::pow(distance(rounded_at(c, contract, std::span(&kind, 1)), exact, name), 2);
      const double all = distance(rounded_at(c, contract, all_step_kinds), exact, name), apart = std::sqrt(square);
      const double plain = distance(values_of(plain_attention(c, contract, 1)), truth, name);
      found.note(holds_if(apart <= kappa * all && all <= kappa * apart,
                          fmt::format("{}: the kinds apart make {:.3g}, together {:.3g}", name, apart, all)));
      found.note(holds_if(all <= kappa * plain && plain <= kappa * all,
                          fmt::format("{}: all kinds make {:.3g}, the plain implementation {:.3g}", name, all, plain)));
    }
  return found.outcome();
}

}  // namespace

std::vector<Law> sfda_rounded_at_laws() {
  const auto law = [](std::string_view name, std::string_view statement, std::uint32_t trials, Outcome (*run)(Draw&)) {
    return Law{name, statement, "", Proof::tested, 0, trials, {{"double, six contracts", 0, [run](Draw& draw) {
                                                                  return try_once([&] { return run(draw); });
                                                                }}}};
  };
  return {
      law("sfda.steps_that_do_not_round_leave_the_definition", "to 2^-40, by tokens and by chunks", 20, nothing_rounds),
      law("sfda.a_kind_of_step_that_a_contract_lacks_moves_nothing", "and each that it has moves its outputs", 10,
          absent_kinds_do_nothing),
      law("sfda.kinds_of_steps_add_up_to_the_error",
          "in squares; and all at once err like the plain implementation, both within a factor of 4", 10,
          kinds_add_up_to_the_plain_error)};
}

}  // namespace assay
