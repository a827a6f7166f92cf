#include "properties/contracts/sanatan_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "properties/contracts/sanatan_question.hpp"

namespace assay::sanatan_probes {
namespace {

constexpr std::int64_t rows_a_sequence = 64;

std::int64_t sequences_for(std::size_t rows, std::int64_t each) {
  return (static_cast<std::int64_t>(rows) + each - 1) / each;
}

std::int64_t tokens_of(const Kernel& kernel) { return kernel.limits.one_token ? 1 : rows_a_sequence; }

/// Quotients of many numerators by one denominator show more of it than one of them, if the output holds few bits: up
/// to 508 every integer comes out by its own, where 32 numerators of 8 bits are used. A decode step, whose every row
/// has a state, takes one.
std::int64_t numerators(const Kernel& kernel) {
  return kernel.contract.output == Format::f32 || kernel.limits.one_token ? 1 : 32;
}
double numerator(std::int64_t i) { return 1 + static_cast<double>(37 * i % 128) / 128; }

/// The middle of the numbers x for which every numerator times x, rounded to the output's format, is what was returned.
double common_factor(const Kernel& kernel, const Terms& returned) {
  if (returned.size() == 1 || !std::ranges::all_of(returned, [](double x) { return std::isfinite(x) && x != 0; }))
    return returned.front();
  double least = 0, most = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < returned.size(); ++i) {
    const double x = std::abs(returned[i]), half = ulp(float_format(kernel.contract.output), x) / 2;
    least = std::max(least, (x - half) / numerator(static_cast<std::int64_t>(i)));
    most = std::min(most, (x + half) / numerator(static_cast<std::int64_t>(i)));
  }
  return std::copysign((least + most) / 2, returned.front());
}

bool is_power_of_two(double x) {
  int exponent;
  return x != 0 && std::abs(std::frexp(x, &exponent)) == 0.5;
}

/// Rows of one sequence, and a feature by which all of them have a numerator: a power of two in each.
struct RowGroup {
  std::vector<std::size_t> rows;
  std::vector<bool> usable;

  std::size_t numerator() const { return std::ranges::find(usable, true) - usable.begin(); }
};

/// The features but the last that are usable and powers of two in this row.
std::vector<bool> narrowed(std::vector<bool> usable, const Terms& row) {
  for (std::size_t f = 0; f < row.size(); ++f) usable[f] = usable[f] && f + 1 < row.size() && is_power_of_two(row[f]);
  return usable;
}

std::vector<RowGroup> groups_with_numerator(const std::vector<Terms>& rows, std::size_t most, std::size_t first = 0) {
  std::vector<RowGroup> groups;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<bool> usable;
    if (!groups.empty() && groups.back().rows.size() < most) usable = narrowed(groups.back().usable, rows[i]);
    if (std::ranges::find(usable, true) == usable.end()) {
      groups.emplace_back();
      usable.assign(rows[i].size(), true);
      std::fill_n(usable.begin(), first, false);
      usable = narrowed(std::move(usable), rows[i]);
    }
    groups.back().usable = usable;
    groups.back().rows.push_back(i);
  }
  return groups;
}

/// Σ_f φ_q z of some rows, from o = N / (D + eps): a row of a is a query, the numerator S of one feature.
void read_z_of(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows,
               std::span<const RowGroup> groups, Terms& sums) {
  const std::int64_t columns = numerators(kernel);
  Question question(kernel, {static_cast<std::int64_t>(groups.size()), tokens_of(kernel), d, columns}, small_eps);
  const std::int64_t last = question.width() - 1;
  for (std::size_t n = 0; n < groups.size(); ++n) {
    for (std::size_t t = 0; t < groups[n].rows.size(); ++t)
      for (std::int64_t f = 0; f <= last; ++f) question.set_q(n, t, f, rows[groups[n].rows[t]][f]);
    for (std::int64_t j = 0; j < columns; ++j) question.set_S0(n, groups[n].numerator(), j, numerator(j));
    for (std::int64_t f = 0; f < last; ++f) question.set_z0(n, f, b[f]);
    question.set_k(n, 0, last, b[last]);
  }
  question.ask();
  for (std::size_t n = 0; n < groups.size(); ++n)
    for (std::size_t t = 0; t < groups[n].rows.size(); ++t) {
      const std::size_t row = groups[n].rows[t];
      sums[row] = rows[row][groups[n].numerator()] / common_factor(kernel, question.row_of_o(n, t)) - small_eps;
    }
}

}  // namespace

/// Tokens enough for two chunks and a part of a third, or for a long scan.
std::int64_t several_chunks(const Kernel& kernel) {
  return kernel.limits.one_token ? 1 : 2 * std::max<std::int64_t>(kernel.contract.chunk, 16) + 2;
}

/// Σ_f φ_q S over the state and, as the last term, the token's own key: a row of a is a column of S.
Terms read_S(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows) {
  const Columns columns(kernel.limits.value, rows);
  Question question(kernel, {columns.sequences(), 1, d, columns.width}, large_eps);
  const std::int64_t last = question.width() - 1;
  for (std::int64_t n = 0; n < columns.sequences(); ++n) {
    for (std::int64_t f = 0; f <= last; ++f) question.set_q(n, 0, f, b[f]);
    question.set_k(n, 0, last, 1);
  }
  columns.for_each([&](auto row, auto n, auto j) {
    for (std::int64_t f = 0; f < last; ++f) question.set_S0(n, f, j, rows[row][f]);
    question.set_v(n, 0, j, rows[row][last]);
  });
  question.ask();
  Terms sums;
  columns.for_each([&](auto, auto n, auto j) { sums.push_back(question.o(n, 0, j) * large_eps); });
  return sums;
}

Terms read_z(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows) {
  constexpr std::size_t sequences_a_run = 64;
  const std::vector<RowGroup> groups = groups_with_numerator(rows, static_cast<std::size_t>(tokens_of(kernel)));
  Terms sums(rows.size());
  for (std::size_t first = 0; first < groups.size(); first += sequences_a_run) {
    const std::size_t count = std::min(sequences_a_run, groups.size() - first);
    read_z_of(kernel, d, b, rows, std::span(groups).subspan(first, count), sums);
  }
  return sums;
}

/// Scores of many queries with the first token's key.
Terms scores(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows) {
  const std::int64_t T = rows_a_sequence;
  Question question(kernel, {sequences_for(rows.size(), T), T, d, 1}, large_eps);
  const std::int64_t width = question.width();
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(rows.size()); ++i) {
    const std::int64_t n = i / T;
    for (std::int64_t f = 0; f < width; ++f) question.set_q(n, i % T, f, rows[i][f]);
    if (i % T != 0) continue;
    for (std::int64_t f = 0; f < width; ++f) question.set_k(n, 0, f, b[f]);
    question.set_v(n, 0, 0, 1);
  }
  question.ask();
  Terms sums;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(rows.size()); ++i)
    sums.push_back(question.o(i / T, i % T, 0) * large_eps);
  return sums;
}

/// Σ_j w_j v_j of the last query: a row of a is a column of v, a weight three features that no format rounds.
Terms values_over_keys(const Kernel& kernel, const Keys& keys, const Terms& b, const std::vector<Terms>& rows) {
  const Columns columns(kernel.limits.value, rows);
  Question question(kernel, {columns.sequences(), keys.tokens, 1, columns.width}, large_eps);
  for (std::int64_t n = 0; n < columns.sequences(); ++n) {
    for (std::int64_t m = 0; m < 3; ++m) {
      question.set_q(n, keys.tokens - 1, m, 1);
      for (std::int64_t t = 0; t < keys.tokens; ++t) question.set_k(n, t, m, pieces(b[keys.term_of(t)])[m]);
    }
  }
  columns.for_each([&](auto row, auto n, auto j) {
    for (std::int64_t t = 0; t < keys.tokens; ++t) question.set_v(n, t, j, rows[row][keys.term_of(t)]);
    if (keys.after_state) question.set_S0(n, 0, j, rows[row][0] * b[0]);
  });
  question.ask();
  Terms sums;
  columns.for_each([&](auto, auto n, auto j) { sums.push_back(question.o(n, keys.tokens - 1, j) * large_eps); });
  return sums;
}

/// Σ_j w_j of queries after all keys: key j is one-hot, w_j = a_j b_j. The numerator is the value of one key, whose
/// weight is a power of two in every row of the sequence. Where a chunk holds its queries there is one, the last key's
/// own.
Terms weights_over_keys(const Kernel& kernel, const Keys& keys, const Terms& b, const std::vector<Terms>& rows) {
  const std::int64_t channels = kernel.limits.channels.front(), d = keys.tokens / channels + 1;
  const std::int64_t queries = keys.after_state ? 1 : rows_a_sequence;
  const std::int64_t first_query = keys.after_state ? keys.tokens - 1 : keys.tokens;
  const std::vector<RowGroup> groups = groups_with_numerator(rows, static_cast<std::size_t>(queries), keys.term_of(0));
  Question question(kernel, {std::ssize(groups), first_query + queries, d, numerators(kernel)}, small_eps);
  const std::int64_t of_state = channels * d - 1;
  Terms sums(rows.size());
  for (std::size_t n = 0; n < groups.size(); ++n) {
    for (std::int64_t t = 0; t < keys.tokens; ++t) question.set_k(n, t, t, b[keys.term_of(t)]);
    for (std::int64_t j = 0; j < numerators(kernel); ++j)
      question.set_v(n, groups[n].numerator() - keys.term_of(0), j, numerator(j));
    if (keys.after_state) question.set_z0(n, of_state, b[0]);
    for (std::size_t i = 0; i < groups[n].rows.size(); ++i) {
      const Terms& a = rows[groups[n].rows[i]];
      for (std::int64_t t = 0; t < keys.tokens; ++t) question.set_q(n, first_query + i, t, a[keys.term_of(t)]);
      if (keys.after_state) question.set_q(n, first_query + i, of_state, a[0]);
    }
  }
  question.ask();
  for (std::size_t n = 0; n < groups.size(); ++n)
    for (std::size_t i = 0; i < groups[n].rows.size(); ++i) {
      const std::size_t row = groups[n].rows[i], term = groups[n].numerator();
      sums[row] = rows[row][term] * b[term] / common_factor(kernel, question.row_of_o(n, first_query + i)) - small_eps;
    }
  return sums;
}

/// S0 + Σ_t φ_k v: a row of a is a column of S.
Terms update_of_S(const Kernel& kernel, const Keys& keys, const Terms& b, const std::vector<Terms>& rows) {
  const Columns columns(kernel.limits.value, rows);
  Question question(kernel, {columns.sequences(), keys.tokens, 1, columns.width}, 1);
  columns.for_each([&](auto row, auto n, auto j) {
    question.set_S0(n, 0, j, rows[row][0] * b[0]);
    for (std::int64_t t = 0; t < keys.tokens; ++t) {
      question.set_v(n, t, j, rows[row][t + 1]);
      if (j == 0) question.set_k(n, t, 0, b[t + 1]);
    }
  });
  question.ask();
  Terms sums;
  columns.for_each([&](auto, auto n, auto j) { sums.push_back(question.S(n, 0, j)); });
  return sums;
}

/// z0 + Σ_t φ_k: a row of a is a feature.
Terms update_of_z(const Kernel& kernel, const Keys& keys, const Terms&, const std::vector<Terms>& rows) {
  const Columns features(kernel.limits.channels.front() * 16, rows);
  Question question(kernel, {features.sequences(), keys.tokens, 16, 1}, 1);
  features.for_each([&](auto row, auto n, auto f) {
    question.set_z0(n, f, rows[row][0]);
    for (std::int64_t t = 0; t < keys.tokens; ++t) question.set_k(n, t, f, rows[row][t + 1]);
  });
  question.ask();
  Terms sums;
  features.for_each([&](auto, auto n, auto f) { sums.push_back(question.z(n, f)); });
  return sums;
}

}  // namespace assay::sanatan_probes
