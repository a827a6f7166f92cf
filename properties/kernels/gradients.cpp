#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "arith/rounding.hpp"
#include "problem/case_mix.hpp"
#include "problem/families.hpp"
#include "problem/operators/sas_gradients.hpp"
#include "problem/transforms.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/kernels/outputs.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

bool is_backward(const Kernel& kernel) { return operators::is_backward(*kernel.op); }

/// The input that all outputs are linear in: the gradient of what lies behind.
const TensorSpec* loss_of(const Operator& op) { return op.find(operators::is_backward(op) ? "do" : "d_gate"); }
bool has_loss(const Kernel& kernel) { return loss_of(*kernel.op) != nullptr; }

bool is_finite(const Case& c) { return c.standard != Standard::laws; }

bool is_far_from_the_ends(const Tensors& tensors) {
  return std::ranges::all_of(tensors, [](const auto& entry) { return is_of_moderate_size(entry.second); });
}

Outcome linear(const KernelTrial& trial) {
  const Case& c = trial.input;
  const double factor = power_of_two(static_cast<int>(trial.draw.below(21)) - (is_field(c.element) ? 0 : 10));
  Tensors want = outputs_of(trial, c);
  if (!is_far_from_the_ends(want) || !is_far_from_the_ends(c.inputs))
    return Outcome::rejected("a number is near the end of its format");
  Case changed = c;
  scale(changed.inputs.at(std::string(loss_of(*c.op)->name)), factor);
  for (auto& [name, tensor] : want) scale(tensor, factor);
  return same_values("the loss times a power of two", c, outputs_of(trial, changed), want);
}

bool is_of_queries(const TensorSpec& spec) {
  return spec.has(Axis::group) || spec.has(Axis::slot) || spec.has(Axis::block);
}

/// A token of one of the case's sequences.
struct Moment {
  std::int64_t sequence, token;
};

std::optional<Moment> draw_moment(const Case& c, Draw& draw) {
  std::vector<Stretch> there = whole(c);
  std::erase_if(there, [](const Stretch& s) { return s.length() == 0; });
  if (there.empty()) return std::nullopt;
  const Stretch& s = there[draw.below(there.size())];
  return Moment{s.sequence, static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(s.length())))};
}

/// Inputs of the earlier queries are those of the queries before them.
Outcome earlier(const KernelTrial& trial) {
  const Case& c = trial.input;
  const std::optional<Moment> now = draw_moment(c, trial.draw);
  if (!now) return Outcome::rejected("no sequence has a token");
  const Case other = refilled(c, families_of(*c.op).front());
  Case changed = c;
  for (const TensorSpec& spec : c.op->tensors) {
    if (spec.role != Role::input || !is_of_queries(spec) || !c.has(spec.name)) continue;
    Tensor& tensor = changed.inputs.at(std::string(spec.name));
    const Tensor& from =
        is_field(c.element) ? c.inputs.at(std::string(spec.name)) : other.inputs.at(std::string(spec.name));
    for (std::int64_t i = 0; i < tensor.count(); ++i) {
      const Place p = place_of(c, spec, i);
      if (p.sequence != now->sequence || p.token >= now->token) continue;
      if (!is_field(c.element))
        tensor.set(i, from.value(i));
      else if (tensor.format() == Format::i64)
        tensor.set(i, -1);
      else
        tensor.set(i, 1);
    }
  }
  return same_bits(
      "queries before a moment changed", c, outputs_of(trial, changed), outputs_of(trial, c),
      [&](const TensorSpec&, const Place& p) { return p.sequence == now->sequence && p.token < now->token; });
}

bool is_zero(const Tensor& tensor, std::int64_t i) {
  if (tensor.format() == Format::gf61) return tensor.as<F61>()[static_cast<std::size_t>(i)] == F61(0);
  if (tensor.format() == Format::gf31) return tensor.as<F31>()[static_cast<std::size_t>(i)] == F31(0);
  return tensor.value(i) == 0;
}

/// Names an output for which `due` asks a 0 that is none.
template <class Due>
Outcome zero_where(const Case& c, const Tensors& outputs, Due due) {
  for (const auto& [name, tensor] : outputs) {
    const TensorSpec& spec = *c.op->find(name);
    for (std::int64_t i = 0; i < tensor.count(); ++i)
      if (!is_zero(tensor, i) && due(spec, place_of(c, spec, i)))
        return Outcome::fails(fmt::format("{}, element {}: not 0", name, i));
  }
  return Outcome::holds();
}

Outcome one_row(const KernelTrial& trial) {
  const Case& c = trial.input;
  const std::optional<Moment> row = draw_moment(c, trial.draw);
  if (!row) return Outcome::rejected("no sequence has a token");
  const auto h = static_cast<std::int64_t>(trial.draw.below(static_cast<std::uint64_t>(c.sizes[Axis::head])));
  const auto g = static_cast<std::int64_t>(trial.draw.below(static_cast<std::uint64_t>(c.sizes[Axis::group])));
  const auto is_row = [&](const Place& p) {
    return p.sequence == row->sequence && p.token == row->token && p[Axis::head] == h;
  };
  Case changed = c;
  const TensorSpec& spec = *loss_of(*c.op);
  Tensor& loss = changed.inputs.at(std::string(spec.name));
  for (std::int64_t i = 0; i < loss.count(); ++i) {
    const Place p = place_of(c, spec, i);
    if (!is_row(p) || (spec.has(Axis::group) && p[Axis::group] != g)) loss.set(i, 0);
  }
  return zero_where(c, outputs_of(trial, changed), [&](const TensorSpec& output, const Place& p) {
    if (operators::is_of_later_queries(*c.op, output))
      return p.sequence != row->sequence || p[Axis::head] != h || p.token > row->token;
    return !is_row(p) || (output.has(Axis::group) && p[Axis::group] != g);
  });
}

Outcome unselected(const KernelTrial& trial) {
  const Case& c = trial.input;
  const Tensor& selected = c.inputs.at("selected");
  const auto b = static_cast<std::int64_t>(c.parameter("b"));
  const std::int64_t slots = c.sizes[Axis::slot], blocks = c.sizes[Axis::block], H = c.sizes[Axis::head];
  const Tensors outputs = outputs_of(trial, c);
  const TensorSpec& spec = *c.op->find("d_log_gate");
  const Tensor& gates = outputs.at("d_log_gate");
  for (std::int64_t i = 0; i < gates.count(); ++i) {
    const Place p = place_of(c, spec, i);
    const std::int64_t m = i % blocks, row = (c.tokens_of(p.sequence).first + p.token) * H + p[Axis::head];
    bool is_read = false;
    for (std::int64_t slot = 0; slot < slots; ++slot)
      is_read = is_read || selected.as<std::int64_t>()[static_cast<std::size_t>(row * slots + slot)] == m;
    if ((!is_read || m >= p.token / b) && !is_zero(gates, i))
      return Outcome::fails(fmt::format("d log g of block {} of row {}: not 0, though it is not read", m, row));
  }
  return Outcome::holds();
}

/// Rows of equal weights: e^L is the number of keys that a query sees.
template <class F>
Outcome sums_agree(const KernelTrial& trial) {
  Case c = trial.input;
  for (F& x : c.inputs.at("q").as<F>()) x = F(0);
  Tensor& lse = c.inputs.at("lse");
  for (std::int64_t i = 0; i < lse.count(); ++i)
    lse.set(i, static_cast<double>(place_of(c, *c.op->find("lse"), i).token + 1));
  const Tensors outputs = outputs_of(trial, c);
  const auto sums = [&](const char* name, const Tensor& tensor) {
    const TensorSpec& spec = *c.op->find(name);
    const std::int64_t H = c.sizes[Axis::head], dv = c.sizes[Axis::value];
    std::vector<F> sum(static_cast<std::size_t>(c.sequences() * H * dv), F(0));
    for (std::int64_t i = 0; i < tensor.count(); ++i) {
      const Place p = place_of(c, spec, i);
      F& entry = sum[static_cast<std::size_t>((p.sequence * H + p[Axis::head]) * dv + p[Axis::value])];
      entry = entry + tensor.as<F>()[static_cast<std::size_t>(i)];
    }
    return sum;
  };
  return holds_if(sums("dv", outputs.at("dv")) == sums("do", c.inputs.at("do")), "sum of dv is not that of do");
}

Outcome conserved(const KernelTrial& trial) {
  return trial.input.element == Format::gf61 ? sums_agree<F61>(trial) : sums_agree<F31>(trial);
}

}  // namespace

std::vector<KernelLaw> kernels_gradients_laws() {
  return {
      {.name = "kernel.gradients_are_linear_in_the_loss",
       .statement = "2^k times do, or the gradient in the gates, gives 2^k times every gradient, bit for bit",
       .covers = has_loss,
       .covers_case = is_finite,
       .check = linear},
      {.name = "kernel.earlier_queries_do_not_change_gradients_of_later_tokens",
       .statement = "queries before t, with what their rows stored, change no bit of a gradient of a token from t on",
       .covers = is_backward,
       .covers_case = is_finite,
       .check = earlier},
      {.name = "kernel.a_loss_on_one_row_gives_zeros_elsewhere",
       .statement = "do of one row alone: gradients of other queries, and of keys behind it, are exactly 0",
       .covers = has_loss,
       .covers_case = is_finite,
       .check = one_row},
      {.name = "kernel.unselected_blocks_have_no_gate_gradient",
       .statement = "d log g of a block that a row does not read is exactly 0",
       .covers = [](const Kernel& kernel) { return is_backward(kernel) && kernel.op->uses(Axis::slot); },
       .covers_case = is_finite,
       .check = unselected},
      {.name = "kernel.gradients_of_values_sum_to_the_losses",
       .statement =
           "where all weights of a row are alike, the sum of dv over keys is that of do over queries, over a field",
       .covers =
           [](const Kernel& kernel) {
             return is_backward(kernel) && kernel.over_fields && !kernel.op->uses(Axis::slot);
           },
       .covers_case = [](const Case& c) { return c.standard == Standard::field; },
       .check = conserved}};
}

}  // namespace assay
