#include "oracle/sanatan/memory.hpp"

#include <fmt/format.h>

#include "oracle/sanatan/recurrence.hpp"
#include "properties/enumerated.hpp"
#include "properties/sanatan/computations.hpp"
#include "properties/sanatan/laws.hpp"
#include "properties/sanatan/setup.hpp"

namespace assay {
namespace {

using namespace sanatan;

constexpr const char* memory_source = "[SANATAN-notes] s4.5";

/// Calls `holds(shape)` for every small model; its failing shape is the outcome.
template <class Holds>
Outcome for_every_shape(Holds holds) {
  for (std::uint64_t layers : {1, 2, 12})
    for (std::uint64_t heads : {1, 3, 12})
      for (std::uint64_t bytes : {1, 2, 4})
        for (std::uint64_t d = 1; d <= 64; ++d)
          for (std::uint64_t dv : {d, std::uint64_t{1}, 2 * d, d + 3})
            if (!holds(ModelShape{layers, heads, d, dv, bytes}))
              return Outcome::fails(
                  fmt::format("layers = {}, heads = {}, d = {}, dv = {}, bytes = {}", layers, heads, d, dv, bytes));
  return Outcome::holds();
}

Outcome state_size() {
  return for_every_shape([](const ModelShape& m) {
    const State<double> state = empty_state<double>(feature_count(Channels::six, m.d), m.dv);
    const std::uint64_t numbers = state.S.rows() * state.S.cols() + state.z.size();
    return numbers == 6 * m.d * m.dv + 6 * m.d && state_entries(feature_count(Channels::six, m.d), m.dv) == numbers;
  });
}

Outcome state_growth() {
  return for_every_shape([](const ModelShape& m) {
    const ModelShape head{1, 1, m.d, m.dv, 1};
    for (std::uint64_t sequences : {1, 5})
      if (state_bytes(m, sequences) != m.layers * m.heads * m.number_bytes * sequences * state_bytes(head))
        return false;
    return true;
  });
}

/// The least n with a cache of n tokens no smaller than the state.
std::uint64_t first_larger_cache(const ModelShape& m) {
  std::uint64_t n = 0;
  while (n * kv_cache_bytes_a_token(m, plain_cache(m)) < state_bytes(m)) ++n;
  return n;
}

Outcome crossover() {
  return for_every_shape([](const ModelShape& m) {
    const Rational tokens = crossover_tokens(m, plain_cache(m));
    if (tokens != Rational(6 * m.d * (m.dv + 1), m.d + m.dv)) return false;
    if (m.d != m.dv) return true;
    return tokens == 3 * (m.d + 1) && first_larger_cache(m) == 3 * (m.d + 1);
  });
}

Outcome crossover_with_other_caches() {
  const ModelShape m{12, 12, 64, 64, 4};
  const Rational plain = crossover_tokens(m, plain_cache(m));
  for (std::uint64_t kv_heads : {1, 2, 4, 6, 12})
    for (std::uint64_t bytes : {1, 2, 4})
      if (crossover_tokens(m, {kv_heads, bytes}) !=
          plain * Rational(m.heads, kv_heads) * Rational(m.number_bytes, bytes))
        return Outcome::fails(fmt::format("kv_heads = {}, bytes = {}", kv_heads, bytes));
  return Outcome::holds(fmt::format("4 of 12 heads: {} tokens; 1 of 12: {}; one byte a number: {}",
                                    decimal(crossover_tokens(m, {4, 4})), decimal(crossover_tokens(m, {1, 4})),
                                    decimal(crossover_tokens(m, {12, 1}))));
}

Outcome a_third_less() {
  for (std::uint64_t d = 1; d <= 256; ++d) {
    const std::uint64_t six = feature_count(Channels::six, d), four = feature_count(Channels::four, d);
    if (3 * (six - four) != six || state_entries(four, d) != 4 * d * d + 4 * d)
      return Outcome::fails(fmt::format("d = {}", d));
  }
  return Outcome::holds();
}

Outcome scores_outgrow_state() {
  std::uint64_t n = 0;
  const std::uint64_t state = state_entries(feature_count(Channels::six, 64), 64);
  while (n * n <= state) ++n;
  if (n != 158) return Outcome::fails(fmt::format("d = 64: first n with n^2 > {} is {}", state, n));
  return Outcome::holds(fmt::format("d = 64: {} scores at n = {} against {} numbers", n * n, n, state));
}

Finding total_state(const Published& published) {
  const Rational bytes(state_bytes(setup_shape(published)));
  const Rational megabytes = bytes / 1'000'000;
  return compare_with_published(published, {{"bytes", bytes}, {"megabytes", megabytes}, {"post_megabytes", megabytes}});
}

Finding head_state(const Published& published) {
  ModelShape head = setup_shape(published);
  head.layers = head.heads = 1;
  const Rational matrix(feature_count(Channels::six, head.d) * head.dv * head.number_bytes);
  return compare_with_published(published,
                                {{"bytes", Rational(state_bytes(head))}, {"kibibytes_of_matrix", matrix / 1024}});
}

/// 2 n L D bytes: the published formula with the published numbers, against heads times widths.
Finding cache_a_token(const Published& published) {
  const ModelShape m = setup_shape(published);
  const std::uint64_t computed = kv_cache_bytes_a_token(m, plain_cache(m));
  const std::uint64_t as_printed = 2 * m.layers * setup_count(published, "model width D") * m.number_bytes;
  return settled_by(computed == as_printed,
                    fmt::format("{} bytes a token from heads and widths, {} from 2 x {} x {} x {}", computed,
                                as_printed, m.layers, setup_count(published, "model width D"), m.number_bytes));
}

Finding crossing(const Published& published) {
  const ModelShape m = setup_shape(published);
  return compare_with_published(published, {{"tokens", crossover_tokens(m, plain_cache(m))}});
}

Finding table_of_memory(const Published& published) {
  const ModelShape m = setup_shape(published);
  const PublishedTable& table = published.table("sanatan_memory");
  const std::uint64_t a_token = kv_cache_bytes_a_token(m, plain_cache(m));
  const Rational state(state_bytes(m));
  bool all = true;
  std::vector<std::string> parts;
  for (const auto& row : table.rows) {
    const Interval context = printed(row[table.column("context")]);
    for (const auto& [column, bytes] :
         {std::pair{"kv_mb", context * Rational(a_token)}, {"state_mb", Interval(state)}}) {
      const std::string& text = row[table.column(column)];
      const Quantity quantity{fmt::format("{} at {}", column, decimal(context)), bytes / Rational(1'000'000)};
      all = all && may_be_equal(quantity.value, printed(text));
      parts.push_back(beside_printed(quantity, text));
    }
  }
  return settled_by(all, joined(parts));
}

Finding cache_at_32k(const Published& published) {
  const ModelShape m = setup_shape(published);
  const Rational bytes(32 * 1024 * kv_cache_bytes_a_token(m, plain_cache(m)));
  return compare_with_published(published, {{"gigabytes", bytes / 1'000'000'000}});
}

Finding merged_state(const Published& published) {
  const ModelShape m = setup_shape(published);
  const Rational share = Rational(merged_state_bytes(m)) / Rational(state_bytes(m));
  return compare_with_published(published, {{"bytes", Rational(merged_state_bytes(m))}, {"share", share}});
}

}  // namespace

std::vector<Law> sanatan_memory_laws() {
  return {
      enumerated("sanatan.state_holds_6_d_dv_plus_6_d_numbers", "|S| + |z| = 6 d dv + 6 d",
                 "[SANATAN-notes] s2.7, s4.5", "integers", state_size),
      enumerated("sanatan.state_grows_with_layers_heads_and_sequences", "bytes = L H B (6 d dv + 6 d) bytes a number",
                 "[SANATAN-notes] s2.7", "integers", state_growth),
      enumerated("sanatan.cache_equals_state_at_three_d_plus_three",
                 "2 n d = 6 d^2 + 6 d at n = 3 (d + 1), 6 d (dv + 1)/(d + dv) in general", memory_source,
                 "integers and Q", crossover),
      enumerated("sanatan.crossover_scales_with_the_cache_layout", "n* is multiplied by H/H_kv and by bytes/bytes_kv",
                 memory_source, "Q", crossover_with_other_caches),
      enumerated("sanatan.four_channels_remove_a_third", "6 d - 4 d = 6 d / 3, and the state becomes 4 d^2 + 4 d",
                 "[SANATAN-notes] s2.5", "integers", a_third_less),
      enumerated("sanatan.score_matrix_outgrows_the_state", "n^2 > 6 d^2 + 6 d from n = 158 on at d = 64",
                 "[SANATAN-notes] s2.7", "integers", scores_outgrow_state),
  };
}

std::vector<Computation> sanatan_memory_computations() {
  return {
      {"sanatan.state_bytes", "state of the published model", memory_source, total_state},
      {"sanatan.head_state_bytes", "state of one head, with and without z", memory_source, head_state},
      {"sanatan.kv_cache_bytes_a_token", "softmax cache of one token", memory_source, cache_a_token},
      {"sanatan.crossover_tokens", "length at which cache and state are of one size", memory_source, crossing},
      {"sanatan.memory_table", "cache and state over context lengths", memory_source, table_of_memory},
      {"sanatan.kv_cache_at_32k", "cache at 32 x 1024 tokens", "[SANATAN-post]", cache_at_32k},
      {"sanatan.merged_state_bytes", "state with merged constant channels, and its share", memory_source, merged_state},
  };
}

}  // namespace assay
