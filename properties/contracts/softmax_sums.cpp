#include "properties/contracts/softmax_sums.hpp"

#include <algorithm>
#include <numeric>

#include "properties/contracts/softmax_question.hpp"

namespace assay::softmax_probes {
namespace {

/// e^slight_logit is 0.69 of half a unit beside 1: one such weight is lost, two that have met are not.
constexpr double slight_logit = -17;
/// Its power is 0.
constexpr double vanishing_logit = -1000;

/// Three of the keys: do the first two meet before either meets the third?
struct Triple {
  std::size_t i, j, later;
};

/// Of each triple of keys, by queries of one-hot keys. Where every token has a query, those after the keys ask, and
/// their own keys vanish.
std::vector<bool> meet_first(const Kernel& kernel, std::int64_t keys, const std::vector<Triple>& triples) {
  const bool one_query = !has_rows_of_tokens(*kernel.op);
  const std::int64_t each = one_query ? 1 : tile, first = one_query ? keys - 1 : tile;
  const std::int64_t sequences = (std::ssize(triples) + each - 1) / each;
  Question question(kernel, {sequences, first + each, keys + 1, 1});
  for (std::int64_t n = 0; n < sequences; ++n)
    for (std::int64_t t = 0; t < first + each; ++t) question.set_k(n, t, std::min(t, keys), 1);
  for (std::int64_t i = 0; i < std::ssize(triples); ++i) {
    const auto set = [&](std::int64_t key, double logit) { question.set_q(i / each, first + i % each, key, logit); };
    for (std::int64_t key = 0; key <= keys; ++key) set(key, vanishing_logit);
    for (const std::size_t key : {triples[i].i, triples[i].j}) set(static_cast<std::int64_t>(key), slight_logit);
    set(static_cast<std::int64_t>(triples[i].later), 0);
  }
  question.ask();
  std::vector<bool> result;
  for (std::int64_t i = 0; i < std::ssize(triples); ++i) result.push_back(question.lse(i / each, first + i % each) > 0);
  return result;
}

}  // namespace

Terms scores(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows) {
  Question question(kernel, {std::ssize(rows), 1, d, 1});
  for (std::int64_t n = 0; n < std::ssize(rows); ++n)
    for (std::int64_t f = 0; f < d; ++f) {
      question.set_q(n, 0, f, rows[n][f]);
      question.set_k(n, 0, f, b[f]);
    }
  question.ask();
  Terms sums;
  for (std::int64_t n = 0; n < std::ssize(rows); ++n) sums.push_back(question.lse(n, 0));
  return sums;
}

/// A row of a is a column of v, a logit three features that no format rounds.
Terms values_over_keys(const Kernel& kernel, std::int64_t keys, const Terms& b, const std::vector<Terms>& rows) {
  const Columns columns(kernel.limits.value, rows);
  Question question(kernel, {columns.sequences(), keys, 3, columns.width});
  for (std::int64_t n = 0; n < columns.sequences(); ++n)
    for (std::int64_t m = 0; m < 3; ++m) {
      question.set_q(n, keys - 1, m, 1);
      for (std::int64_t t = 0; t < keys; ++t) question.set_k(n, t, m, pieces(logit_of(b[t]))[m]);
    }
  columns.for_each([&](auto row, auto n, auto j) {
    for (std::int64_t t = 0; t < keys; ++t) question.set_v(n, t, j, rows[row][t]);
  });
  question.ask();
  const double l = std::accumulate(b.begin(), b.end(), 0.0);
  Terms sums;
  columns.for_each([&](auto, auto n, auto j) { sums.push_back(question.o(n, keys - 1, j) * l); });
  return sums;
}

Terms weights_over_keys(const Kernel& kernel, std::int64_t keys, const Terms&, const std::vector<Terms>& rows) {
  std::vector<Triple> triples;
  for (const Terms& row : rows) {
    const auto of = [&](auto found) { return static_cast<std::size_t>(found - row.begin()); };
    const auto [least, largest] = std::ranges::minmax_element(row);
    for (std::size_t key = 0; key < row.size(); ++key)
      if (row[key] == 1) triples.push_back({of(largest), of(least), key});
  }
  const std::vector<bool> left = meet_first(kernel, keys, triples);
  Terms sums;
  auto from = left.begin();
  for (const Terms& row : rows) {
    const auto ones = std::ranges::count(row, 1.0);
    sums.push_back(static_cast<double>(std::count(from, from + ones, true)));
    from += ones;
  }
  return sums;
}

}  // namespace assay::softmax_probes
