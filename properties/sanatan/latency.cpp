#include <fmt/format.h>

#include "properties/sanatan/computations.hpp"
#include "properties/sanatan/setup.hpp"

namespace assay {
namespace {

using namespace sanatan;

constexpr const char* latency_source = "[SANATAN-notes] s4.6";

Interval milliseconds(const Published& published, std::string_view context, std::string_view model) {
  return printed_cell(published, "sanatan_latency", context, fmt::format("{}_ms", model));
}

Finding speedups(const Published& published) {
  const PublishedTable& table = published.table("sanatan_latency");
  bool all = true;
  std::vector<std::string> parts;
  for (const auto& row : table.rows) {
    const std::string& text = row[table.column("speedup")];
    const Quantity ratio{
        row.front(), milliseconds(published, row.front(), "softmax") / milliseconds(published, row.front(), "sanatan")};
    all = all && may_be_equal(ratio.value, printed(text));
    parts.push_back(beside_printed(ratio, text));
  }
  return settled_by(all, joined(parts));
}

Finding post_figures(const Published& published) {
  const auto speedup = [&](const char* context) {
    return printed_cell(published, "sanatan_latency", context, "speedup");
  };
  return compare_with_published(published, {{"shortest", milliseconds(published, "1K", "softmax")},
                                            {"longest", milliseconds(published, "32K", "softmax")},
                                            {"least", speedup("1K")},
                                            {"most", speedup("32K")}});
}

/// GB/s if the cache of n tokens, in all layers, is read once in the printed time.
Interval cache_rate(const Published& published, std::string_view context) {
  const ModelShape m = setup_shape(published);
  const std::uint64_t tokens = 1024 * std::stoul(std::string(context));
  return Rational(tokens * kv_cache_bytes_a_token(m, plain_cache(m)), 1'000'000) /
         milliseconds(published, context, "softmax");
}

Finding memory_rates(const Published& published) {
  std::vector<Quantity> rates;
  for (const auto& row : published.table("sanatan_latency").rows)
    rates.push_back({"at_" + row.front(), cache_rate(published, row.front())});
  const Rational read_and_written(2 * state_bytes(setup_shape(published)), 1'000'000);
  rates.push_back({"state", read_and_written / milliseconds(published, "1K", "sanatan")});
  return compare_with_published(published, rates);
}

Finding training_rates(const Published& published) {
  const Interval sanatan = printed(published.value("SANATAN"));
  const Interval softmax = printed(published.value("softmax")) / sanatan;
  const Interval gla = printed(published.value("GLA")) / sanatan;
  return settled_by(softmax.lower() > 1 && gla.lower() > 1,
                    fmt::format("softmax is {} times as fast, GLA {} times", decimal(softmax), decimal(gla)));
}

}  // namespace

std::vector<Computation> sanatan_latency_computations() {
  return {
      {"sanatan.speedups_follow_from_the_times", "quotients of the printed times", latency_source, speedups},
      {"sanatan.post_rounds_the_latency_table", "the post's figures against the table", "[SANATAN-post]", post_figures},
      {"sanatan.implied_memory_rates", "bytes of cache or state over the printed time", latency_source, memory_rates},
      {"sanatan.training_is_slowest", "quotients of the printed training rates", latency_source, training_rates},
  };
}

}  // namespace assay
