#include "properties/contracts/sfda_sums.hpp"

#include <algorithm>
#include <bit>

#include "properties/contracts/sfda_question.hpp"

namespace assay::sfda_probes {
namespace {

/// A factor of keys that makes what they read of a state vanish beside a value; its inverse makes up for it.
constexpr double slight = 0x1p-40;

/// Entry (t, i) of Sylvester's Hadamard matrix: different rows are orthogonal, and those of 2 t and 2 t + 1 by terms
/// that cancel in turn.
double hadamard(std::int64_t t, std::int64_t i) {
  return std::popcount(static_cast<std::uint64_t>(t & i)) % 2 == 0 ? 1 : -1;
}

}  // namespace

/// The token's key is slight: it hardly sees what the state has in its dimension.
Terms read(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows) {
  const Columns columns(kernel.limits.value, rows);
  const std::int64_t planes = planes_of(kernel), last = d - 1;
  Question question(kernel, {columns.sequences(), 1, d, columns.width});
  const auto is_written = [&](std::int64_t p, std::int64_t i) { return p == 0 && i == last; };
  for (std::int64_t n = 0; n < columns.sequences(); ++n) {
    question.set_k(n, 0, {0, last}, slight);
    for (std::int64_t p = 0; p < planes; ++p)
      for (std::int64_t i = 0; i < d; ++i)
        question.set_q(n, 0, {p, i}, is_written(p, i) ? b[p * d + i] / slight : b[p * d + i]);
  }
  columns.for_each([&](auto row, auto n, auto j) {
    for (std::int64_t p = 0; p < planes; ++p)
      for (std::int64_t i = 0; i < d; ++i)
        is_written(p, i) ? question.set_v(n, 0, {0, j}, rows[row][i])
                         : question.set_S0(n, {p, i}, j, rows[row][p * d + i]);
  });
  question.ask();
  Terms sums;
  columns.for_each([&](auto, auto n, auto j) { sums.push_back(question.o(n, 0, j)); });
  return sums;
}

Terms predicted(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows) {
  const Columns columns(kernel.limits.value, rows);
  const std::int64_t planes = planes_of(kernel), last = d - 1;
  Question question(kernel, {columns.sequences(), 1, d, columns.width});
  for (std::int64_t n = 0; n < columns.sequences(); ++n) question.set_k(n, 0, {0, last}, 1);
  for (std::int64_t p = 0; p < planes; ++p)
    for (std::int64_t i = 0; i < last; ++i) {
      for (std::int64_t n = 0; n < columns.sequences(); ++n) question.set_k(n, 0, {p, i}, b[p * last + i]);
      columns.for_each([&](auto row, auto n, auto j) { question.set_S0(n, {p, i}, j, rows[row][p * last + i]); });
    }
  question.ask();
  Terms sums;
  columns.for_each([&](auto, auto n, auto j) { sums.push_back(-question.S(n, last, j)); });
  return sums;
}

Terms scores(const Kernel& kernel, std::int64_t d, Queries queries, const Terms& b, const std::vector<Terms>& rows) {
  const std::int64_t planes = planes_of(kernel), each = queries.end - queries.first;
  const std::int64_t sequences = (std::ssize(rows) + each - 1) / each;
  Question question(kernel, {sequences, queries.end, d, 1});
  for (std::int64_t n = 0; n < sequences; ++n) {
    question.set_v(n, 0, {0, 0}, 1);
    for (std::int64_t p = 0; p < planes; ++p)
      for (std::int64_t i = 0; i < d; ++i) question.set_k(n, 0, {p, i}, b[p * d + i]);
  }
  for (std::int64_t row = 0; row < std::ssize(rows); ++row)
    for (std::int64_t p = 0; p < planes; ++p)
      for (std::int64_t i = 0; i < d; ++i)
        question.set_q(row / each, queries.first + row % each, {p, i}, rows[row][p * d + i]);
  question.ask();
  Terms sums;
  for (std::int64_t row = 0; row < std::ssize(rows); ++row)
    sums.push_back(question.o(row / each, queries.first + row % each, 0));
  return sums;
}

/// Token t has dimension t to itself, and A_t is what the last query has there. The state lies in the last token's
/// dimension, which its key hardly sees.
Terms values_over_tokens(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows) {
  const Columns columns(kernel.limits.value, rows);
  const std::int64_t planes = planes_of(kernel), last = d - 1;
  Question question(kernel, {columns.sequences(), d, d, columns.width}, largest_chunk);
  for (std::int64_t n = 0; n < columns.sequences(); ++n)
    for (std::int64_t t = 0; t < d; ++t) {
      question.set_k(n, t, {0, t}, t == last ? slight : 1);
      for (std::int64_t p = 0; p < planes; ++p)
        question.set_q(n, last, {p, t}, (p == 0 ? 1 : -1) * (t == last ? b[p * d + t] / slight : b[p * d + t]));
    }
  columns.for_each([&](auto row, auto n, auto j) {
    for (std::int64_t p = 0; p < planes; ++p)
      for (std::int64_t t = 0; t < d; ++t) question.set_v(n, t, {p, j}, rows[row][p * d + t]);
    question.set_S0(n, {0, last}, j, rows[row].back() * slight);
  });
  question.ask();
  Terms sums;
  columns.for_each([&](auto, auto n, auto j) { sums.push_back(question.o(n, last, j)); });
  return sums;
}

/// Keys are slight multiples of orthogonal rows of ones: dimension 0 takes all of them, and none reads what another
/// wrote.
Terms updates(const Kernel& kernel, const Writes& writes, const Terms& b, const std::vector<Terms>& rows) {
  const Columns columns(kernel.limits.value, rows);
  const std::int64_t planes = value_planes_of(kernel), T = writes.tokens;
  Question question(kernel, {columns.sequences(), T, writes.d, columns.width}, writes.chunk);
  for (std::int64_t n = 0; n < columns.sequences(); ++n)
    for (std::int64_t t = 0; t < T; ++t)
      for (std::int64_t p = 0; p < planes; ++p)
        for (std::int64_t i = 0; i < writes.d; ++i)
          question.set_k(n, t, {p, i}, b[p * T + t] * slight * hadamard(t, i));
  columns.for_each([&](auto row, auto n, auto j) {
    for (std::int64_t p = 0; p < planes; ++p)
      for (std::int64_t t = 0; t < T; ++t) question.set_v(n, t, {p, j}, rows[row][p * T + t] / slight);
    if (writes.after_state) question.set_S0(n, {0, 0}, j, rows[row].back() * b.back());
  });
  question.ask();
  Terms sums;
  columns.for_each([&](auto, auto n, auto j) { sums.push_back(question.S(n, 0, j)); });
  return sums;
}

}  // namespace assay::sfda_probes
