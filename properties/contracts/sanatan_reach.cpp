#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "arith/rounding.hpp"
#include "problem/case_mix.hpp"
#include "problem/operators/sanatan.hpp"
#include "properties/contracts/sites.hpp"

namespace assay {
namespace {

using enum Axis;

/// A quotient by it is exact, and it absorbs every D below 2^36.
constexpr double large_eps = 0x1p60;
/// Keeps D = 0 apart from its neighbours.
constexpr double small_eps = 0x1p-40;
constexpr std::int64_t rows_a_sequence = 64;

/// A case of one head, all zeros, that a kernel is asked.
class Question {
 public:
  struct Shape {
    std::int64_t sequences = 1, tokens = 1, dimensions = 1, values = 1;
  };

  Question(const Kernel& kernel, const Shape& shape, double eps) : kernel_(kernel) {
    case_.op = kernel.op;
    case_.family = "probe";
    case_.element = kernel.contract.input;
    case_.standard = Standard::laws;
    case_.parameters = {{"p", 1}, {"normaliser", 1}, {"eps", eps}};
    case_.sizes[batch] = case_.sizes[sequences] = shape.sequences;
    case_.sizes[bounds] = shape.sequences + 1;
    case_.sizes[time] = shape.tokens;
    case_.sizes[channel] = kernel.limits.channels.front();
    case_.sizes[feature] = shape.dimensions;
    case_.sizes[Axis::value] = shape.values;
    add_tensors(
        case_, [&](const TensorSpec& spec) { return spec.role == Role::initial_state && kernel.limits.initial_state; });
  }

  std::int64_t width() const { return case_.sizes[channel] * case_.sizes[feature]; }
  Case& input() { return case_; }

  void set_q(std::int64_t n, std::int64_t t, std::int64_t f, double x) { set("phi_q", row(n, t) * width() + f, x); }
  void set_k(std::int64_t n, std::int64_t t, std::int64_t f, double x) { set("phi_k", row(n, t) * width() + f, x); }
  void set_v(std::int64_t n, std::int64_t t, std::int64_t j, double x) { set("v", row(n, t) * values() + j, x); }
  void set_S0(std::int64_t n, std::int64_t f, std::int64_t j, double x) {
    set("S0", (n * width() + f) * values() + j, x);
  }
  void set_z0(std::int64_t n, std::int64_t f, double x) { set("z0", n * width() + f, x); }

  void ask() { outputs_ = kernel_.run(case_, {}).outputs; }

  double o(std::int64_t n, std::int64_t t, std::int64_t j) const {
    return outputs_.at("o").value(row(n, t) * values() + j);
  }
  Terms row_of_o(std::int64_t n, std::int64_t t) const {
    Terms row;
    for (std::int64_t j = 0; j < values(); ++j) row.push_back(o(n, t, j));
    return row;
  }
  double S(std::int64_t n, std::int64_t f, std::int64_t j) const {
    return outputs_.at("S").value((n * width() + f) * values() + j);
  }
  double z(std::int64_t n, std::int64_t f) const { return outputs_.at("z").value(n * width() + f); }

 private:
  std::int64_t row(std::int64_t n, std::int64_t t) const { return n * case_.sizes[time] + t; }
  std::int64_t values() const { return case_.sizes[Axis::value]; }
  void set(std::string_view tensor, std::int64_t i, double x) { case_.inputs.find(tensor)->second.set(i, x); }

  const Kernel& kernel_;
  Case case_;
  Tensors outputs_;
};

std::int64_t sequences_for(std::size_t rows, std::int64_t each) {
  return (static_cast<std::int64_t>(rows) + each - 1) / each;
}

std::int64_t tokens_of(const Kernel& kernel) { return kernel.limits.one_token ? 1 : rows_a_sequence; }

int output_bits(const Kernel& kernel) { return float_format(kernel.contract.output).precision; }

/// Quotients of many numerators by one denominator show more of it than one of them, if the output holds few bits: up
/// to 508 every integer comes out by its own, where 32 numerators of 8 bits are used.
std::int64_t numerators(const Kernel& kernel) { return kernel.contract.output == Format::f32 ? 1 : 32; }
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

/// Σ_f φ_q S over the state and, as the last term, the token's own key: a row of a is a column of S.
Terms read_S(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows) {
  const std::int64_t columns = kernel.limits.value, n_sequences = sequences_for(rows.size(), columns);
  Question question(kernel, {n_sequences, 1, d, std::min<std::int64_t>(columns, rows.size())}, large_eps);
  const std::int64_t last = question.width() - 1;
  for (std::int64_t n = 0; n < n_sequences; ++n) {
    for (std::int64_t f = 0; f <= last; ++f) question.set_q(n, 0, f, b[f]);
    question.set_k(n, 0, last, 1);
  }
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(rows.size()); ++i) {
    const std::int64_t n = i / columns, j = i % columns;
    for (std::int64_t f = 0; f < last; ++f) question.set_S0(n, f, j, rows[i][f]);
    question.set_v(n, 0, j, rows[i][last]);
  }
  question.ask();
  Terms sums;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(rows.size()); ++i)
    sums.push_back(question.o(i / columns, 0, i % columns) * large_eps);
  return sums;
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

std::vector<RowGroup> groups_with_numerator(const std::vector<Terms>& rows, std::size_t most) {
  std::vector<RowGroup> groups;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<bool> usable;
    if (!groups.empty() && groups.back().rows.size() < most) usable = narrowed(groups.back().usable, rows[i]);
    if (std::ranges::find(usable, true) == usable.end()) {
      groups.emplace_back();
      usable = narrowed(std::vector<bool>(rows[i].size(), true), rows[i]);
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

/// x as a sum of three numbers of 8 bits.
std::array<double, 3> pieces(double x) {
  const double high = round_to(bf16_format, x), middle = round_to(bf16_format, x - high);
  return {high, middle, x - high - middle};
}

/// Tokens, and whether the state before them is the first term.
struct Keys {
  std::int64_t tokens = 1;
  bool after_state = false;

  std::size_t terms() const { return static_cast<std::size_t>(tokens) + (after_state ? 1 : 0); }
  std::size_t term_of(std::int64_t t) const { return static_cast<std::size_t>(t) + (after_state ? 1 : 0); }
};

/// Σ_j w_j v_j of the last query: a row of a is a column of v, a weight three features that no format rounds.
Terms values_over_keys(const Kernel& kernel, const Keys& keys, const Terms& b, const std::vector<Terms>& rows) {
  const std::int64_t columns = kernel.limits.value;
  const std::int64_t n_sequences = sequences_for(rows.size(), columns);
  Question question(kernel, {n_sequences, keys.tokens, 1, std::min<std::int64_t>(columns, rows.size())}, large_eps);
  for (std::int64_t n = 0; n < n_sequences; ++n) {
    for (std::int64_t m = 0; m < 3; ++m) {
      question.set_q(n, keys.tokens - 1, m, 1);
      for (std::int64_t t = 0; t < keys.tokens; ++t) question.set_k(n, t, m, pieces(b[keys.term_of(t)])[m]);
    }
  }
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(rows.size()); ++i) {
    const std::int64_t n = i / columns, j = i % columns;
    for (std::int64_t t = 0; t < keys.tokens; ++t) question.set_v(n, t, j, rows[i][keys.term_of(t)]);
    if (keys.after_state) question.set_S0(n, 0, j, rows[i][0] * b[0]);
  }
  question.ask();
  Terms sums;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(rows.size()); ++i)
    sums.push_back(question.o(i / columns, keys.tokens - 1, i % columns) * large_eps);
  return sums;
}

/// Σ_j w_j of the last query, one row of a sequence: key j is one-hot, w_j = a_j b_j. The numerator is the value of one
/// key.
Terms weights_over_keys(const Kernel& kernel, const Keys& keys, const Terms& b, const std::vector<Terms>& rows) {
  const std::int64_t channels = kernel.limits.channels.front(), d = keys.tokens / channels + 1;
  Question question(kernel, {static_cast<std::int64_t>(rows.size()), keys.tokens, d, numerators(kernel)}, small_eps);
  const std::int64_t of_state = channels * d - 1;
  Terms products;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const Terms& a = rows[n];
    std::int64_t shown = 0;
    for (std::int64_t t = 0; t < keys.tokens; ++t) {
      const std::size_t term = keys.term_of(t);
      question.set_q(n, keys.tokens - 1, t, a[term]);
      question.set_k(n, t, t, b[term]);
      if (is_power_of_two(a[term] * b[term])) shown = t;
    }
    for (std::int64_t j = 0; j < numerators(kernel); ++j) question.set_v(n, shown, j, numerator(j));
    products.push_back(a[keys.term_of(shown)] * b[keys.term_of(shown)]);
    if (!keys.after_state) continue;
    question.set_q(n, keys.tokens - 1, of_state, a[0]);
    question.set_z0(n, of_state, b[0]);
  }
  question.ask();
  Terms sums;
  for (std::size_t n = 0; n < rows.size(); ++n)
    sums.push_back(products[n] / common_factor(kernel, question.row_of_o(n, keys.tokens - 1)) - small_eps);
  return sums;
}

/// S0 + Σ_t φ_k v: a row of a is a column of S.
Terms update_of_S(const Kernel& kernel, const Keys& keys, const Terms& b, const std::vector<Terms>& rows) {
  const std::int64_t columns = kernel.limits.value, n_sequences = sequences_for(rows.size(), columns);
  Question question(kernel, {n_sequences, keys.tokens, 1, std::min<std::int64_t>(columns, rows.size())}, 1);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(rows.size()); ++i) {
    const std::int64_t n = i / columns, j = i % columns;
    question.set_S0(n, 0, j, rows[i][0] * b[0]);
    for (std::int64_t t = 0; t < keys.tokens; ++t) {
      question.set_v(n, t, j, rows[i][t + 1]);
      if (j == 0) question.set_k(n, t, 0, b[t + 1]);
    }
  }
  question.ask();
  Terms sums;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(rows.size()); ++i)
    sums.push_back(question.S(i / columns, 0, i % columns));
  return sums;
}

/// z0 + Σ_t φ_k: a row of a is a feature.
Terms update_of_z(const Kernel& kernel, const Keys& keys, const Terms&, const std::vector<Terms>& rows) {
  const std::int64_t width = kernel.limits.channels.front() * 16;
  Question question(kernel, {sequences_for(rows.size(), width), keys.tokens, 16, 1}, 1);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(rows.size()); ++i) {
    question.set_z0(i / width, i % width, rows[i][0]);
    for (std::int64_t t = 0; t < keys.tokens; ++t) question.set_k(i / width, t, i % width, rows[i][t + 1]);
  }
  question.ask();
  Terms sums;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(rows.size()); ++i)
    sums.push_back(question.z(i / width, i % width));
  return sums;
}

/// Tokens enough for two chunks and a part of a third, or for a long scan.
std::int64_t several_chunks(const Kernel& kernel) {
  return kernel.limits.one_token ? 1 : 2 * std::max<std::int64_t>(kernel.contract.chunk, 16) + 2;
}

/// The final S, or z, after tokens that add nothing.
Terms kept(const Kernel& kernel, bool of_S, const Terms& numbers) {
  Question question(kernel, {static_cast<std::int64_t>(numbers.size()), several_chunks(kernel), 1, 1}, 1);
  for (std::size_t n = 0; n < numbers.size(); ++n)
    of_S ? question.set_S0(n, 0, 0, numbers[n]) : question.set_z0(n, 0, numbers[n]);
  question.ask();
  Terms seen;
  for (std::size_t n = 0; n < numbers.size(); ++n) seen.push_back(of_S ? question.S(n, 0, 0) : question.z(n, 0));
  return seen;
}

/// o of numerators that are sums of three values of 8 bits, or, where a step takes one token, of three features.
Terms returned(const Kernel& kernel, const Terms& numbers) {
  const bool one = kernel.limits.one_token;
  Question question(kernel, {static_cast<std::int64_t>(numbers.size()), one ? 1 : 3, 1, 1}, large_eps);
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    for (std::int64_t i = 0; i < 3; ++i) {
      const double piece = pieces(numbers[n])[i];
      question.set_q(n, one ? 0 : 2, one ? i : 0, 1);
      if (one) {
        question.set_S0(n, i, 0, piece);
      } else {
        question.set_k(n, i, 0, 1);
        question.set_v(n, i, 0, piece);
      }
    }
  }
  question.ask();
  Terms seen;
  for (std::size_t n = 0; n < numbers.size(); ++n) seen.push_back(question.o(n, one ? 0 : 2, 0) * large_eps);
  return seen;
}

std::int64_t rows_before_a_nan(const Kernel& kernel) {
  const std::int64_t T = several_chunks(kernel) / 2 * 2 - 2;  // the last token ends a chunk
  Question question(kernel, {1, T, 1, 1}, 1);
  question.input().inputs.at("v").set(T - 1, std::nan(""));
  question.ask();
  std::int64_t rows = 0;
  for (std::int64_t t = 0; t + 1 < T; ++t) rows += std::isnan(question.o(0, t, 0));
  return rows;
}

double negative_normaliser(const Kernel& kernel) {
  Question question(kernel, {}, 0.5);
  question.set_q(0, 0, 0, 1);
  question.set_k(0, 0, 0, -1);
  question.set_v(0, 0, 0, 1);
  question.ask();
  return question.o(0, 0, 0);
}

/// A site whose sums come from `sums(kernel, more..., b, rows)`.
template <class Sums, class... More>
std::function<Terms(const Terms&, const std::vector<Terms>&)> asked(const Kernel& kernel, Sums sums, More... more) {
  return [&kernel, sums, more...](const Terms& b, const std::vector<Terms>& rows) {
    return sums(kernel, more..., b, rows);
  };
}

std::vector<SumSite> sums_of(const Kernel& kernel, std::int64_t d) {
  const Contract& contract = kernel.contract;
  const bool by_keys = contract.algorithm == Algorithm::chunk || contract.algorithm == Algorithm::parallel;
  const bool stateful = kernel.limits.initial_state;
  const std::int64_t tile = kernel.limits.one_token ? 1 : std::max<std::int64_t>(contract.chunk, 16);
  const Keys keys{tile, stateful}, after_state{tile, true};
  const auto width = static_cast<std::size_t>(kernel.limits.channels.front() * d);
  const int bits = output_bits(kernel);
  const Format in = contract.input;
  std::vector<SumSite> sites;
  if (stateful) {
    sites.push_back({.name = "S over features",
                     .terms = width,
                     .precision = bits,
                     .a = {Format::f32, &Contract::state_operand},
                     .b = {in, &Contract::features},
                     .kind = "features",
                     .height = &Contract::read_height,
                     .sums = asked(kernel, read_S, d)});
    sites.push_back({.name = "z over features",
                     .terms = width,
                     .precision = std::min(bits, 22),
                     .a = {in, &Contract::features},
                     .b = {Format::f32, &Contract::state},
                     .by_tiles = false,
                     .kind = "features",
                     .height = &Contract::read_height,
                     .sums = asked(kernel, read_z, d)});
    sites.push_back({.name = "the update of S",
                     .terms = after_state.terms(),
                     .a = {in},
                     .b = {in, &Contract::features},
                     .kind = "update",
                     .height = by_keys ? &Contract::update_height : nullptr,
                     .probed = 1,
                     .later = 1,
                     .sums = asked(kernel, update_of_S, after_state)});
    sites.push_back({.name = "the update of z",
                     .terms = after_state.terms(),
                     .a = {in, &Contract::features},
                     .multiplies = false,
                     .by_tiles = false,
                     .kind = "update",
                     .height = by_keys ? &Contract::update_height : nullptr,
                     .probed = 1,
                     .later = 1,
                     .sums = asked(kernel, update_of_z, after_state)});
  }
  sites.push_back({.name = "values over keys",
                   .terms = keys.terms(),
                   .precision = bits,
                   .a = {in},
                   .b = {Format::f32, &Contract::weights},
                   .kind = "keys",
                   .height = by_keys ? &Contract::value_height : nullptr,
                   .probed = stateful ? 1u : 0u,
                   .sums = asked(kernel, values_over_keys, keys)});
  if (!by_keys) return sites;
  sites.push_back({.name = "scores over features",
                   .terms = width,
                   .precision = std::min(bits, float_format(contract.weights).precision),
                   .a = {in, &Contract::features},
                   .b = {in, &Contract::features},
                   .height = &Contract::score_height,
                   .sums = asked(kernel, scores, d)});
  sites.push_back({.name = "weights over keys",
                   .terms = keys.terms(),
                   .precision = std::min(bits, 22),
                   .a = {in},
                   .b = {in},
                   .multiplies = false,
                   .by_tiles = false,
                   .kind = "keys",
                   .height = &Contract::value_height,
                   .probed = keys.terms(),
                   .sums = asked(kernel, weights_over_keys, keys)});
  return sites;
}

}  // namespace

std::optional<Reach> sanatan_reach(const Kernel& kernel, std::int64_t d) {
  if (kernel.op != &operators::sanatan_feature_attention()) return std::nullopt;
  const Keys keys{several_chunks(kernel), false};
  Reach reach{.sums = sums_of(kernel, d),
              .chunks = {.name = "values over keys of several chunks",
                         .terms = keys.terms(),
                         .precision = output_bits(kernel),
                         .sums = asked(kernel, values_over_keys, keys)},
              .output = [&kernel](const Terms& x) { return returned(kernel, x); },
              .negative_normaliser = [&kernel] { return negative_normaliser(kernel); }};
  if (kernel.limits.final_state) {
    reach.kept_S = [&kernel](const Terms& x) { return kept(kernel, true, x); };
    reach.kept_z = [&kernel](const Terms& x) { return kept(kernel, false, x); };
  }
  if (!kernel.limits.one_token) reach.rows_before_a_nan = [&kernel] { return rows_before_a_nan(kernel); };
  return reach;
}

}  // namespace assay
