#include <set>

#include <boost/algorithm/string/split.hpp>
#include <fmt/format.h>

#include "oracle/sanatan/parameter_count.hpp"
#include "properties/sanatan/computations.hpp"
#include "properties/sanatan/setup.hpp"

namespace assay {
namespace {

using namespace sanatan;

constexpr const char* setup_source = "[SANATAN-notes] s3.1";

LanguageModelShape language_model(const Published& published) {
  return {setup_count(published, "model width D"), setup_count(published, "layers L"),
          setup_count(published, "SwiGLU hidden width"), setup_count(published, "vocabulary"),
          setup_count(published, "context")};
}

Finding parameter_count(const Published& published) {
  const LanguageModelShape m = language_model(published);
  const std::string& total = published.table("sanatan_setup").cell("parameters", "value");
  const std::string& inner = published.table("sanatan_setup").cell("parameters outside embeddings", "value");
  const Quantity tied{"tied", Rational(parameters(m, true))};
  const Quantity outside{"outside embeddings", Rational(parameters_outside_embeddings(m))};
  return settled_by(may_be_equal(tied.value, printed(total)) && may_be_equal(outside.value, printed(inner)),
                    joined({beside_printed(tied, total), beside_printed(outside, inner),
                            fmt::format("untied it would be {}", parameters(m, false))}));
}

/// "10B+0.63B": the sum of the printed parts.
Interval budget(const std::string& text) {
  std::vector<std::string> parts;
  boost::split(parts, text, [](char c) { return c == '+'; });
  Interval sum(Rational(0));
  for (const std::string& part : parts) sum += printed(part);
  return sum;
}

Finding tokens_a_step(const Published& published) {
  const std::uint64_t tokens = setup_count(published, "tokens a step"), context = setup_count(published, "context");
  std::vector<std::string> parts{fmt::format("{} / {} = {} sequences", tokens, context, tokens / context)};
  parts.push_back(fmt::format("warm-up {} tokens", setup_count(published, "warm-up steps") * tokens));
  const PublishedTable& quality = published.table("sanatan_quality");
  std::set<std::string> budgets;
  for (const auto& row : quality.rows) budgets.insert(row[quality.column("train_tokens")]);
  for (const std::string& text : budgets)
    parts.push_back(fmt::format("{} tokens: {:.0f} steps", text,
                                Rational(median(budget(text)) / Rational(tokens)).convert_to<double>()));
  return settled_by(tokens % context == 0, joined(parts));
}

Finding adaptation_rate(const Published& published) {
  const Interval ratio = setup(published, "adaptation learning rate") / setup(published, "learning rate");
  return settled_by(in(Rational(1, 10), ratio), fmt::format("the ratio of the printed rates is in {}", decimal(ratio)));
}

/// The sum of all shares whose row begins with `prefix`.
Interval sum_of_shares(const Published& published, std::string_view prefix) {
  Interval sum(Rational(0));
  for (const auto& row : published.table("sanatan_setup").rows)
    if (row.front().starts_with(prefix)) sum += setup(published, row.front());
  return sum;
}

Finding shares_sum_to_one(const Published& published, std::string_view prefix) {
  const Interval sum = sum_of_shares(published, prefix);
  return settled_by(in(Rational(1), sum), fmt::format("the printed shares sum to {}, in {} before rounding",
                                                      decimal(median(sum)), decimal(sum)));
}

Finding code_documents(const Published& published) {
  const Interval tokens = setup(published, "training tokens that are code");
  const Interval documents = setup(published, "documents: StarCoder");
  const Interval longer = tokens / (Rational(1) - tokens) * (Rational(1) - documents) / documents;
  return settled_by(
      longer.lower() > 1 && !overlap(tokens, documents),
      fmt::format("{} of documents, {} of tokens: code documents {} times as long, in {}", decimal(median(documents)),
                  decimal(median(tokens)), decimal(median(longer)), decimal(longer)));
}

Finding held_out_mix(const Published& published) {
  const Interval training = setup(published, "training tokens that are code");
  const Interval held_out = setup(published, "held-out: StarCoder");
  return settled_by(!overlap(training, held_out),
                    fmt::format("{} of training tokens, {} of held-out tokens", decimal(training), decimal(held_out)));
}

Finding budgets_differ(const Published& published) {
  const PublishedTable& quality = published.table("sanatan_quality");
  std::set<std::string> texts;
  Interval least(Rational(0)), most(Rational(0));
  for (const auto& row : quality.rows) {
    const std::string& text = row[quality.column("train_tokens")];
    const Interval tokens = budget(text);
    if (texts.empty() || tokens.upper() < least.upper()) least = tokens;
    if (texts.empty() || tokens.lower() > most.lower()) most = tokens;
    texts.insert(text);
  }
  return settled_by(least.upper() < most.lower(), fmt::format("{} different budgets, from {} to {} tokens",
                                                              texts.size(), decimal(least), decimal(most)));
}

Finding gla_sizes(const Published& published) {
  const LanguageModelShape m = language_model(published);
  const Interval paper = printed(published.value("paper")), notebook = printed(published.value("notebook"));
  const Interval tied = notebook - Rational(token_embedding_parameters(m));
  return settled_by(may_be_equal(tied, paper), fmt::format("{} less {} of one embedding is in {}, printed {} {}",
                                                           published.value("notebook"), token_embedding_parameters(m),
                                                           decimal(tied), published.value("paper"), decimal(paper)));
}

}  // namespace

std::vector<Computation> sanatan_training_setup_computations() {
  return {
      {"sanatan.parameter_count", "parameters of the published model", setup_source, parameter_count},
      {"sanatan.tokens_a_step_are_whole_sequences", "tokens a step over the context, and steps of each budget",
       setup_source, tokens_a_step},
      {"sanatan.adaptation_rate_is_a_tenth", "ratio of the two learning rates", setup_source, adaptation_rate},
      {"sanatan.document_shares_sum_to_one", "sum of the document probabilities", setup_source,
       [](const Published& published) { return shares_sum_to_one(published, "documents: "); }},
      {"sanatan.code_documents_are_longer", "length of code documents implied by the two shares", setup_source,
       code_documents},
      {"sanatan.held_out_shares_may_sum_to_one", "sum of the held-out token shares", "[SANATAN-notes] s3.2",
       [](const Published& published) { return shares_sum_to_one(published, "held-out: "); }},
      {"sanatan.held_out_mix_differs_from_training_mix", "code among training and held-out tokens",
       "[SANATAN-notes] s3.1, s3.2", held_out_mix},
      {"sanatan.token_budgets_differ", "training tokens of the models compared", setup_source, budgets_differ},
      {"sanatan.gla_sizes_differ_by_one_embedding", "size of the GLA network, tied and untied", "[SANATAN-notes] s3.3",
       gla_sizes},
  };
}

}  // namespace assay
