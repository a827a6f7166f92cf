#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "arith/field_exponential.hpp"
#include "problem/operators/sas_gates.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/kernels/outputs.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

bool makes_gates(const Kernel& kernel) { return kernel.op == &operators::sas_gates(); }
bool takes_gates(const Kernel& kernel) { return kernel.op == &operators::sas_score_gradients(); }
bool is_finite(const Case& c) { return c.standard != Standard::laws; }
bool is_over_field(const Case& c) { return c.standard == Standard::field; }
bool is_real(const Case& c) { return is_finite(c) && !is_over_field(c); }

Case by_rule(Case c, double normalisation) {
  c.parameters["normalisation"] = normalisation;
  return c;
}

/// Elements [first, first + history) of a tensor [tokens, H, blocks] are of one query's history.
struct HistoryRow {
  std::int64_t index, first, history;
};

std::vector<HistoryRow> history_rows(const Case& c) {
  const std::int64_t H = c.sizes[Axis::head], blocks = c.sizes[Axis::block];
  const auto b = static_cast<std::int64_t>(c.parameter("b"));
  std::vector<HistoryRow> rows;
  for (std::int64_t n = 0; n < c.sequences(); ++n) {
    const auto [begin, end] = c.tokens_of(n);
    for (std::int64_t row = begin * H; row < end * H; ++row) rows.push_back({row, row * blocks, (row / H - begin) / b});
  }
  return rows;
}

/// A multiple of 2^-8 of at most 2^9 in size, so that whole shifts of that size are exact; -inf as it is.
double on_a_grid(double score) {
  return std::isinf(score) ? score : std::trunc(std::clamp(score, -0x1p9, 0x1p9) * 0x1p8) * 0x1p-8;
}

template <class F>
void shift_elements(Tensor& tensor, std::int64_t shift) {
  for (F& x : tensor.as<F>()) x = x + F(shift);
}

template <class F>
void scale_elements(Tensor& tensor, F factor) {
  for (F& x : tensor.as<F>()) x = x * factor;
}

Outcome shifted(const KernelTrial& trial) {
  const std::int64_t shift = static_cast<std::int64_t>(trial.draw.below(1025)) - 512;
  Case c = by_rule(trial.input, 0);
  Tensor& scores = c.inputs.at("scores");
  if (!is_field(c.element))
    for (std::int64_t i = 0; i < scores.count(); ++i) scores.set(i, on_a_grid(scores.value(i)));
  Tensors want = outputs_of(trial, c);
  if (c.element == Format::gf61) {
    shift_elements<F61>(scores, shift);
    scale_elements(want.at("lse"), field_exp_of_signed(F61(shift)));
  } else if (c.element == Format::gf31) {
    shift_elements<F31>(scores, shift);
    scale_elements(want.at("lse"), field_exp_of_signed(F31(shift)));
  } else {
    for (std::int64_t i = 0; i < scores.count(); ++i) scores.set(i, scores.value(i) + static_cast<double>(shift));
    want.erase("lse");  // the sum with the largest score rounds
  }
  return same_bits(fmt::format("scores shifted by {}", shift), c, outputs_of(trial, c), want);
}

Outcome raw(const KernelTrial& trial) {
  const Case c = by_rule(trial.input, 2);
  const Tensors outputs = outputs_of(trial, c);
  Tensors want = outputs;
  want.erase("lse");
  for (const HistoryRow& row : history_rows(c))
    for (std::int64_t i = row.first; i < row.first + row.history; ++i)
      want.at("log_gate").set(i, c.inputs.at("scores").value(i));
  return same_bits("raw gates", c, outputs, want);
}

/// The bits of one element.
void copy_element(const Tensor& from, Tensor& to, std::int64_t i) {
  const std::size_t bytes = bytes_of(to.format()), at = static_cast<std::size_t>(i) * bytes;
  std::ranges::copy(from.bytes().subspan(at, bytes), to.bytes().begin() + static_cast<std::ptrdiff_t>(at));
}

/// Softmax of a history of 0 and another score, beside that score's sigmoid.
Outcome sigmoid(const KernelTrial& trial) {
  Case c = by_rule(trial.input, 0);
  std::vector<HistoryRow> rows = history_rows(c);
  std::erase_if(rows, [](const HistoryRow& row) { return row.history != 2; });
  if (rows.empty()) return Outcome::rejected("no row has a history of two blocks");
  for (const HistoryRow& row : rows) c.inputs.at("scores").set(row.first, 0);
  const Tensors against_zero = outputs_of(trial, c);
  Tensors outputs = outputs_of(trial, by_rule(c, 1));
  outputs.erase("lse");
  Tensors want = outputs;
  for (const HistoryRow& row : rows) copy_element(against_zero.at("log_gate"), want.at("log_gate"), row.first + 1);
  return same_bits("sigmoid", c, outputs, want);
}

/// The value of one element, of a field as its number.
double number(const Tensor& tensor, std::int64_t i) {
  const auto at = static_cast<std::size_t>(i);
  if (tensor.format() == Format::gf61) return static_cast<double>(tensor.as<F61>()[at].value());
  if (tensor.format() == Format::gf31) return static_cast<double>(tensor.as<F31>()[at].value());
  return tensor.value(i);
}

Outcome lone_block_of_gates(const KernelTrial& trial) {
  const Case c = by_rule(trial.input, 0);
  const Tensors outputs = outputs_of(trial, c);
  FirstFailure found;
  const double of_one = is_over_field(c) ? 1 : 0;  // log g, or g
  for (const HistoryRow& row : history_rows(c)) {
    const double score = number(c.inputs.at("scores"), row.first);
    if (row.history != 1 || std::isinf(score)) continue;
    found.note(same(fmt::format("log g, row {}", row.index), number(outputs.at("log_gate"), row.first), of_one));
    if (!is_over_field(c))
      found.note(same(fmt::format("L, row {}", row.index), outputs.at("lse").value(row.index), score));
  }
  return found.outcome();
}

Outcome lone_block_of_gradients(const KernelTrial& trial) {
  Case c = by_rule(trial.input, 0);
  const std::vector<HistoryRow> rows = history_rows(c);
  for (const HistoryRow& row : rows)
    if (row.history == 1) c.inputs.at("log_gate").set(row.first, is_over_field(c) ? 1 : 0);
  const Tensors outputs = outputs_of(trial, c);
  FirstFailure found;
  for (const HistoryRow& row : rows)
    if (row.history == 1)
      found.note(same(fmt::format("ds, row {}", row.index), number(outputs.at("d_scores"), row.first), 0.0));
  return found.outcome();
}

Outcome lone_block(const KernelTrial& trial) {
  return makes_gates(trial.kernel) ? lone_block_of_gates(trial) : lone_block_of_gradients(trial);
}

template <class F>
F sum_of(const Tensor& tensor, const HistoryRow& row, std::int64_t count) {
  F sum(0);
  for (std::int64_t i = row.first; i < row.first + count; ++i) sum = sum + tensor.as<F>()[static_cast<std::size_t>(i)];
  return sum;
}

template <class F>
Outcome gates_sum(const KernelTrial& trial) {
  const Case c = by_rule(trial.input, 0);
  const Tensors outputs = outputs_of(trial, c);
  FirstFailure found;
  for (const HistoryRow& row : history_rows(c))
    if (!(outputs.at("lse").as<F>()[static_cast<std::size_t>(row.index)] == F(0)))
      found.note(same(fmt::format("sum of gates, row {}", row.index),
                      sum_of<F>(outputs.at("log_gate"), row, row.history), F(1)));
  return found.outcome();
}

/// The last gate of a history makes all sum to 1.
template <class F>
Case normalised(Case c) {
  Tensor& g = c.inputs.at("log_gate");
  for (const HistoryRow& row : history_rows(c))
    if (row.history > 0)
      g.as<F>()[static_cast<std::size_t>(row.first + row.history - 1)] = F(1) - sum_of<F>(g, row, row.history - 1);
  return c;
}

template <class F>
Outcome gradients_sum(const KernelTrial& trial) {
  const Case c = normalised<F>(by_rule(trial.input, 0));
  const Tensors outputs = outputs_of(trial, c);
  FirstFailure found;
  for (const HistoryRow& row : history_rows(c))
    found.note(
        same(fmt::format("sum of ds, row {}", row.index), sum_of<F>(outputs.at("d_scores"), row, row.history), F(0)));
  return found.outcome();
}

/// ds_m g_n = ds_n g_m of blocks without a gradient of their own, each beside the row's first such block.
template <class F>
Outcome multiples(const KernelTrial& trial) {
  const Case c = by_rule(trial.input, 0);
  const Tensors outputs = outputs_of(trial, c);
  const auto g = c.inputs.at("log_gate").as<F>(), d = c.inputs.at("d_gate").as<F>();
  const auto ds = outputs.at("d_scores").as<F>();
  FirstFailure found;
  for (const HistoryRow& row : history_rows(c)) {
    std::vector<std::size_t> unselected;
    for (std::int64_t i = row.first; i < row.first + row.history; ++i)
      if (d[static_cast<std::size_t>(i)] == F(0)) unselected.push_back(static_cast<std::size_t>(i));
    for (const std::size_t m : unselected) {
      const std::size_t n = unselected.front();
      found.note(same(fmt::format("ds of {} times g of {}", m, n), ds[m] * g[n], ds[n] * g[m]));
    }
  }
  return found.outcome();
}

/// A check in the field of the case's elements.
std::function<Outcome(const KernelTrial&)> in_field(Outcome (*gf61)(const KernelTrial&),
                                                    Outcome (*gf31)(const KernelTrial&)) {
  return [=](const KernelTrial& trial) { return trial.input.element == Format::gf61 ? gf61(trial) : gf31(trial); };
}

}  // namespace

std::vector<KernelLaw> kernels_gates_laws() {
  return {
      {.name = "kernel.softmax_gates_ignore_a_shift_of_the_scores",
       .statement = "s -> s + c, where no sum is rounded, changes no bit of a log-gate; over a field e^L is e^c e^L",
       .covers = makes_gates,
       .covers_case = is_finite,
       .check = shifted},
      {.name = "kernel.raw_gates_are_the_scores",
       .statement = "log g = s, bit for bit",
       .covers = makes_gates,
       .covers_case = is_real,
       .check = raw},
      {.name = "kernel.sigmoid_gates_are_softmax_gates_against_zero",
       .statement = "the sigmoid of a score has the bits of the softmax over 0 and that score",
       .covers = makes_gates,
       .covers_case = is_finite,
       .check = sigmoid},
      {.name = "kernel.a_lone_block_has_gate_one_and_no_gradient",
       .statement = "softmax over one block: log g = 0 and L is its score; ds = 0, exactly",
       .covers = [](const Kernel& kernel) { return makes_gates(kernel) || takes_gates(kernel); },
       .covers_case = is_finite,
       .check = lone_block},
      {.name = "kernel.softmax_gates_sum_to_one",
       .statement = "sum g = 1 over a history, over a field",
       .covers = makes_gates,
       .covers_case = is_over_field,
       .check = in_field(gates_sum<F61>, gates_sum<F31>)},
      {.name = "kernel.softmax_score_gradients_sum_to_zero",
       .statement = "sum ds = 0 over a history whose gates sum to 1, over a field",
       .covers = takes_gates,
       .covers_case = is_over_field,
       .check = in_field(gradients_sum<F61>, gradients_sum<F31>)},
      {.name = "kernel.unselected_blocks_share_one_multiple_of_their_gates",
       .statement = "ds_m / g_m is one number for all blocks of a row without a gradient of their own, over a field",
       .covers = takes_gates,
       .covers_case = is_over_field,
       .check = in_field(multiples<F61>, multiples<F31>)}};
}

}  // namespace assay
