#include <cmath>

#include <fmt/format.h>

#include "arith/integer_power.hpp"
#include "properties/sanatan/computations.hpp"
#include "properties/sanatan/setup.hpp"

namespace assay {
namespace {

using namespace sanatan;

constexpr const char* two_stages = "SANATAN six channels p = 1, two stages";
constexpr const char* power_two = "SANATAN six channels p = 2";
constexpr const char* power_four = "SANATAN six channels p = 4";

Interval quality_loss(const Published& published, std::string_view model) {
  return printed_cell(published, "sanatan_quality", model, "heldout_loss");
}

Interval ablation_loss(const Published& published, std::string_view variant) {
  return printed_cell(published, "sanatan_ablation", variant, "loss");
}

/// Σ_{k ≤ n} 1/k! + 1/(n n!) > e: the remainder of the series is below 1/(n n!).
Rational upper_bound_of_e() {
  constexpr int n = 12;
  Rational sum(1), term(1);
  for (int k = 1; k <= n; ++k) sum += term /= k;
  return sum + term / n;
}

/// loss < ln V, since e^⌈loss⌉ < V. Rows without a number are skipped.
Finding below_uniform(const Published& published) {
  const Rational vocabulary(setup_count(published, "vocabulary"));
  const PublishedTable& table = published.table("sanatan_quality");
  std::vector<std::string> texts;
  for (const auto& row : table.rows) texts.push_back(row[table.column("heldout_loss")]);
  for (const auto& [name, text] : published.values) texts.push_back(text);
  bool all = true;
  std::vector<std::string> parts;
  for (const std::string& text : texts) {
    if (!std::isdigit(static_cast<unsigned char>(text.front()))) continue;
    const double upper = printed(text).upper().convert_to<double>();
    all = all && printed(text).lower() > 0 &&
          integer_power(upper_bound_of_e(), static_cast<std::int64_t>(std::ceil(upper))) < vocabulary;
    parts.push_back(
        fmt::format("{} nats: perplexity {:.6g}", text, std::exp(median(printed(text)).convert_to<double>())));
  }
  parts.push_back(fmt::format("uniform guess: {:.4f} nats", std::log(vocabulary.convert_to<double>())));
  return settled_by(all, joined(parts));
}

Finding two_stage_gain(const Published& published) {
  return compare_with_published(
      published, {{"difference", quality_loss(published, power_two) - quality_loss(published, two_stages)}});
}

/// The budget of the two-stage model is printed as that of its first stage and a positive rest.
Finding two_stage_budget(const Published& published) {
  const PublishedTable& table = published.table("sanatan_quality");
  const std::string& both = table.cell(two_stages, "train_tokens");
  const std::string first = table.cell(power_two, "train_tokens") + "+";
  const bool more = both.starts_with(first) && printed(both.substr(first.size())).lower() > 0;
  return settled_by(more, fmt::format("{} against {}", both, table.cell(power_two, "train_tokens")));
}

Finding ablation_differences(const Published& published) {
  const PublishedTable& table = published.table("sanatan_ablation");
  const Interval reference = ablation_loss(published, power_two + std::string_view("SANATAN ").size());
  bool all = true;
  std::vector<std::string> parts;
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    const auto& row = table.rows[i];
    const Quantity difference{row.front(), printed(row[table.column("loss")]) - reference};
    all = all && may_be_equal(difference.value, printed(row[table.column("delta")]));
    parts.push_back(beside_printed(difference, row[table.column("delta")]));
  }
  return settled_by(all, joined(parts));
}

Finding six_against_four(const Published& published) {
  const auto gain = [&](const char* p) {
    return ablation_loss(published, fmt::format("four channels p = {}", p)) -
           ablation_loss(published, fmt::format("six channels p = {}", p));
  };
  return compare_with_published(published, {{"p2", gain("2")}, {"p4", gain("4")}});
}

Finding same_in_both_tables(const Published& published) {
  const Interval quality = quality_loss(published, power_four);
  const Interval ablation = ablation_loss(published, "six channels p = 4");
  return {may_be_equal(quality, ablation) ? ClaimVerdict::proven : ClaimVerdict::inconsistent,
          fmt::format("{} in the table of quality, {} in that of ablations", decimal(median(quality)),
                      decimal(median(ablation)))};
}

Finding removals_lower_the_loss(const Published& published) {
  const Interval anchor = printed_cell(published, "sanatan_ablation", "no learned omega, fixed at its start", "delta");
  const Interval rotation = printed_cell(published, "sanatan_ablation", "no time rotation lambda", "delta");
  return settled_by(anchor.upper() < 0 && rotation.upper() < 0,
                    fmt::format("without the anchor {}, without the rotation {}", decimal(anchor), decimal(rotation)));
}

/// float32 rounding separates logits by parts in a million; the saved gap is in whole logits.
Finding saved_logit_gap(const Published& published) {
  const Interval saved = printed_cell(published, "sanatan_notebook", "trained p = 1, largest logit gap", "value");
  const Interval ratio = saved / printed(published.value("demo_gap"));
  return {ratio.lower() > 1'000'000 ? ClaimVerdict::inconsistent : ClaimVerdict::proven,
          fmt::format("saved gap {}, {} times that of the demo or more", decimal(saved), decimal(ratio.lower()))};
}

/// Whether a printed difference is one of losses over the same sequences.
Finding printed_gap(const Published& published) {
  constexpr const char* direct = "p = 2 checkpoint through the p = 1 recurrence";
  const Interval subtrahend = printed_cell(published, "sanatan_notebook", direct, "value") -
                              printed_cell(published, "sanatan_notebook", "p = 2 gap, as printed", "value");
  const std::string& sequences = published.table("sanatan_notebook").cell(direct, "sequences");
  const std::uint64_t held_out = setup_count(published, "held-out sequences");
  const bool mixed =
      may_be_equal(subtrahend, quality_loss(published, power_two)) && printed(sequences).lower() != held_out;
  return {mixed ? ClaimVerdict::inconsistent : ClaimVerdict::proven,
          fmt::format("the loss subtracted is {}, as the {} of all {} sequences; the other is of {}",
                      decimal(median(subtrahend)), decimal(median(quality_loss(published, power_two))), held_out,
                      sequences)};
}

/// With s of n sequences at loss a and all n at b, the others average (n b - s a)/(n - s).
Finding different_sequences(const Published& published) {
  const auto cell = [&](const char* row, const char* column) {
    return printed_cell(published, "sanatan_notebook", row, column);
  };
  const Interval some = cell("p = 1 recurrent", "sequences"), all = cell("p = 1 parallel", "sequences");
  const Interval difference = cell("p = 1 recurrent", "value") - cell("p = 1 parallel", "value");
  const Interval rest =
      (all * cell("p = 1 parallel", "value") - some * cell("p = 1 recurrent", "value")) / (all - some);
  return {some.lower() != all.lower() ? ClaimVerdict::inconsistent : ClaimVerdict::proven,
          fmt::format("{} between {} and {} sequences; with an exact recurrence the others would average {}",
                      decimal(median(difference)), decimal(some), decimal(all), decimal(median(rest)))};
}

}  // namespace

std::vector<Computation> sanatan_quality_computations() {
  return {
      {"sanatan.losses_beat_the_uniform_guess", "0 < loss < ln(vocabulary)", "[SANATAN-notes] s3.2", below_uniform},
      {"sanatan.two_stage_gain", "difference of two printed losses", "[SANATAN-notes] s4.1", two_stage_gain},
      {"sanatan.two_stage_budget_is_larger", "training tokens of the two stages", "[SANATAN-notes] s4.1",
       two_stage_budget},
      {"sanatan.ablation_differences", "each loss less that of six channels at p = 2", "[SANATAN-notes] s4.4",
       ablation_differences},
      {"sanatan.six_channels_against_four", "losses at equal power", "[SANATAN-notes] s4.4", six_against_four},
      {"sanatan.both_tables_agree_on_p_four", "one model in two tables", "[SANATAN-notes] s4.1, s4.4",
       same_in_both_tables},
      {"sanatan.removing_anchor_or_rotation_lowers_the_loss", "signs of two differences", "[SANATAN-notes] s4.4",
       removals_lower_the_loss},
      {"sanatan.saved_logit_gap_is_no_rounding", "saved logit gap over that of the demo", "[SANATAN-notes] s4.2",
       saved_logit_gap},
      {"sanatan.printed_gap_mixes_sequence_counts", "which losses a printed difference is of", "[SANATAN-notes] s4.2",
       printed_gap},
      {"sanatan.losses_of_different_sequence_counts", "what a difference over unequal samples leaves open",
       "[SANATAN-notes] s4.2", different_sequences},
  };
}

}  // namespace assay
