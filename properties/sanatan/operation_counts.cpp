#include <vector>

#include <fmt/format.h>

#include "oracle/sanatan/attention.hpp"
#include "oracle/sanatan/recurrence.hpp"
#include "oracle/sanatan/scores.hpp"
#include "oracle/sanatan/sizes.hpp"
#include "properties/counted.hpp"
#include "properties/enumerated.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

struct StepCost {
  std::uint64_t write;
  std::uint64_t read;
};

/// One step on a state that has seen `history` tokens, d = dv.
StepCost step_cost(std::size_t d, std::size_t history) {
  const std::size_t width = feature_count(Channels::six, d);
  const Matrix<Counted> phi = ones(history, width), v = ones(history, d), next = ones(1, width), value = ones(1, d);
  State<Counted> state = recurrence(phi, phi, v, empty_state<Counted>(width, d)).state;
  Readout<Counted> sums{ones(1, d), std::vector<Counted>(1)};
  const std::uint64_t write = products_of([&] { state = updated(std::move(state), next.row(0), value.row(0)); });
  return {write, products_of([&] { read_row(sums, 0, state, next.row(0)); })};
}

/// The last row of parallel attention to n keys of d numbers, as a cache of keys and values would be read.
std::uint64_t cached_row_cost(std::size_t d, std::size_t n) {
  const Matrix<Counted> q = ones(1, d), k = ones(n, d), v = ones(n, d);
  return products_of([&] {
    const Matrix<Counted> s = scores(q, k);
    for (std::size_t i = 0; i < d; ++i) {
      std::vector<Counted> column;
      for (std::size_t j = 0; j < n; ++j) column.push_back(v(j, i));
      dot<Counted>(s.row(0), column);
    }
  });
}

std::uint64_t whole_sequence_cost(std::size_t d, std::size_t n) {
  const Matrix<Counted> x = ones(n, d);
  return products_of([&] { weighted_sums(scores(x, x), x); });
}

Outcome constant_step() {
  for (const std::size_t d : {1, 4, 16}) {
    const std::uint64_t width = feature_count(Channels::six, d);
    for (const std::size_t history : {0, 1, 7, 40}) {
      const StepCost cost = step_cost(d, history);
      const Outcome outcome = all_of({same("products of a step", cost.write + cost.read, width * (2 * d + 1)),
                                      same("products of a cached row", cached_row_cost(d, history), 2 * d * history)});
      if (outcome.kind != Outcome::Kind::holds) return Outcome::fails(fmt::format("d = {}: {}", d, outcome.text));
    }
    const std::uint64_t triangle = 40 * 41 / 2 * d;
    if (const Outcome outcome = same("products of a sequence", whole_sequence_cost(d, 40), 40 * 40 * d + triangle);
        outcome.kind != Outcome::Kind::holds)
      return outcome;
  }
  const StepCost cost = step_cost(16, 40);
  return Outcome::holds(fmt::format("d = 16: {} products a step at every length; {} n for n cached tokens",
                                    cost.write + cost.read, cached_row_cost(16, 1)));
}

Outcome read_is_half() {
  for (const std::size_t d : {1, 4, 16, 64}) {
    const std::uint64_t width = feature_count(Channels::six, d);
    const StepCost cost = step_cost(d, 1);
    const Outcome outcome = all_of({same("write", cost.write, width * d), same("read", cost.read, width * (d + 1))});
    if (outcome.kind != Outcome::Kind::holds) return Outcome::fails(fmt::format("d = {}: {}", d, outcome.text));
  }
  const StepCost cost = step_cost(64, 1);
  return Outcome::holds(fmt::format("d = 64: read {} of {} products", cost.read, cost.read + cost.write));
}

}  // namespace

std::vector<Law> sanatan_operation_counts_laws() {
  return {
      enumerated("sanatan.recurrent_step_has_constant_cost",
                 "6 d (2 dv + 1) products a step; n (d + dv) for n cached tokens, of order n^2 d for a sequence",
                 "[SANATAN-notes] s1", "counted products", constant_step),
      enumerated("sanatan.read_is_half_of_a_recurrent_step", "6 d (dv + 1) products read, 6 d dv write",
                 "[SANATAN-notes] s4.6", "counted products", read_is_half),
  };
}

}  // namespace assay
