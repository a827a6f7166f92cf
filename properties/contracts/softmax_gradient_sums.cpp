#include "properties/contracts/softmax_gradient_sums.hpp"

#include <cmath>

#include "properties/contracts/softmax_question.hpp"

namespace assay::softmax_probes {
namespace {

/// One row a query of one tile, in as many sequences as that takes: calls see(row, n, t).
template <class See>
void for_each_query(const std::vector<Terms>& rows, See see) {
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) see(i, i / tile, i % tile);
}

std::int64_t sequences_for(const std::vector<Terms>& rows) { return (std::ssize(rows) + tile - 1) / tile; }

/// The logits of rows as the first key's, each so many times as large: of every query the value that is seen is its
/// own.
Terms magnified_scores(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows,
                       const Terms& times) {
  Question question(kernel, {sequences_for(rows), tile, d, tile});
  for (std::int64_t n = 0; n < sequences_for(rows); ++n)
    for (std::int64_t f = 0; f < d; ++f) question.set_k(n, 0, f, b[f]);
  for_each_query(rows, [&](auto row, auto n, auto t) {
    for (std::int64_t f = 0; f < d; ++f) question.set_q(n, t, f, rows[row][f] * times[row]);
    question.set_do(n, t, t, 1);
  });
  question.ask();
  Terms logits;
  for_each_query(rows, [&](auto, auto n, auto t) { logits.push_back(std::log(question.dv(n, 0, t))); });
  return logits;
}

/// dS of the first key of every query, by dq: its key alone is not 0.
Terms first_logit_gradients(const std::vector<Terms>& rows, Question& question) {
  for (std::int64_t n = 0; n < sequences_for(rows); ++n) question.set_k(n, 0, 0, 1);
  question.ask();
  Terms seen;
  for_each_query(rows, [&](auto, auto n, auto t) { seen.push_back(question.dq(n, t, 0)); });
  return seen;
}

}  // namespace

/// A power shows a logit best between 2 and 64.
Terms recomputed_scores(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows) {
  constexpr double least = 2, step = 32, largest_factor = 0x1p29;
  Terms times(rows.size(), 0.5), sums;
  for (bool all_seen = false; !all_seen;) {
    sums = magnified_scores(kernel, d, b, rows, times);
    all_seen = true;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool seen = !(std::abs(sums[i]) < least) || times[i] >= largest_factor;
      all_seen = all_seen && seen;
      sums[i] /= times[i];
      if (!seen) times[i] *= step;
    }
  }
  return sums;
}

Terms values_along(const Kernel& kernel, std::int64_t columns, const Terms& b, const std::vector<Terms>& rows) {
  Question question(kernel, {sequences_for(rows), tile, 1, columns});
  for (std::int64_t n = 0; n < sequences_for(rows); ++n)
    for (std::int64_t j = 0; j < columns; ++j) question.set_v(n, 0, j, b[j]);
  for_each_query(rows, [&](auto row, auto n, auto t) {
    for (std::int64_t j = 0; j < columns; ++j) question.set_do(n, t, j, rows[row][j]);
  });
  return first_logit_gradients(rows, question);
}

Terms deltas(const Kernel& kernel, std::int64_t columns, const Terms& b, const std::vector<Terms>& rows) {
  Question question(kernel, {sequences_for(rows), tile, 1, columns});
  for_each_query(rows, [&](auto row, auto n, auto t) {
    for (std::int64_t j = 0; j < columns; ++j) {
      question.set_do(n, t, j, rows[row][j]);
      question.set_o(n, t, j, b[j]);
    }
  });
  Terms sums = first_logit_gradients(rows, question);
  for (double& sum : sums) sum = -sum;
  return sums;
}

/// L alone says what the weights of a row are.
Terms value_gradients(const Kernel& kernel, const Terms& b, const std::vector<Terms>& rows) {
  const Columns columns(kernel.limits.value, rows);
  Question question(kernel, {columns.sequences(), two_tiles, 1, columns.width});
  for (std::int64_t n = 0; n < columns.sequences(); ++n)
    for (std::int64_t t = 0; t < two_tiles; ++t) question.set_lse(n, t, -logit_of(b[t]));
  columns.for_each([&](auto row, auto n, auto j) {
    for (std::int64_t t = 0; t < two_tiles; ++t) question.set_do(n, t, j, rows[row][t]);
  });
  question.ask();
  Terms sums;
  columns.for_each([&](auto, auto n, auto j) { sums.push_back(question.dv(n, 0, j)); });
  return sums;
}

/// dS_t = <do_t, v> of the first key: three columns that no format rounds.
Terms key_gradients(const Kernel& kernel, const Terms& b, const std::vector<Terms>& rows) {
  const Columns columns(kernel.limits.feature, rows);
  Question question(kernel, {columns.sequences(), two_tiles, columns.width, 3});
  for (std::int64_t n = 0; n < columns.sequences(); ++n)
    for (std::int64_t m = 0; m < 3; ++m) {
      question.set_v(n, 0, m, 1);
      for (std::int64_t t = 0; t < two_tiles; ++t) question.set_do(n, t, m, pieces(b[t])[m]);
    }
  columns.for_each([&](auto row, auto n, auto f) {
    for (std::int64_t t = 0; t < two_tiles; ++t) question.set_q(n, t, f, rows[row][t]);
  });
  question.ask();
  Terms sums;
  columns.for_each([&](auto, auto n, auto f) { sums.push_back(question.dk(n, 0, f)); });
  return sums;
}

/// dS_j = <do, v_j> of the last query.
Terms query_gradients(const Kernel& kernel, const Terms& b, const std::vector<Terms>& rows) {
  const Columns columns(kernel.limits.feature, rows);
  Question question(kernel, {columns.sequences(), two_tiles, columns.width, 3});
  for (std::int64_t n = 0; n < columns.sequences(); ++n)
    for (std::int64_t m = 0; m < 3; ++m) {
      question.set_do(n, two_tiles - 1, m, 1);
      for (std::int64_t t = 0; t < two_tiles; ++t) question.set_v(n, t, m, pieces(b[t])[m]);
    }
  columns.for_each([&](auto row, auto n, auto f) {
    for (std::int64_t t = 0; t < two_tiles; ++t) question.set_k(n, t, f, rows[row][t]);
  });
  question.ask();
  Terms sums;
  columns.for_each([&](auto, auto n, auto f) { sums.push_back(question.dq(n, two_tiles - 1, f)); });
  return sums;
}

/// dS_j = <do, v_j> of one-hot values: a row of a is that of a query of the second tile.
Terms gate_gradients(const Kernel& kernel, const Terms&, const std::vector<Terms>& rows) {
  Question question(kernel, {sequences_for(rows), two_tiles, 1, tile});
  for (std::int64_t n = 0; n < sequences_for(rows); ++n)
    for (std::int64_t t = 0; t < tile; ++t) question.set_v(n, t, t, 1);
  for_each_query(rows, [&](auto row, auto n, auto t) {
    for (std::int64_t j = 0; j < tile; ++j) question.set_do(n, tile + t, j, rows[row][j]);
  });
  question.ask();
  Terms sums;
  for_each_query(rows, [&](auto, auto n, auto t) { sums.push_back(question.d_log_gate(n, tile + t, 0)); });
  return sums;
}

}  // namespace assay::softmax_probes
