#include "judge/verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "judge/detectable_fault.hpp"
#include "judge/elements.hpp"
#include "judge/quantile.hpp"

namespace assay {
namespace {

Verdict verdict_of(const Element& e) {
  return e.fails() ? Verdict::fail : e.undecided() ? Verdict::indeterminate : Verdict::pass;
}

Rule rule_of(const Element& e) {
  if (!e.fails()) return e.undecided() ? Rule::oracle_radius_too_large : Rule::within_bound;
  if (e.exceeds()) return Rule::larger_than_a_clamped_normaliser_allows;
  if (!std::isfinite(e.got) && std::isfinite(e.want)) return Rule::non_finite_where_finite_is_due;
  if (!std::isfinite(e.error)) return Rule::finite_where_non_finite_is_due;
  if (e.deterministic == 0) return Rule::differs_on_exact_input;
  return e.proven() ? Rule::error_above_deterministic_bound : Rule::error_above_statistical_bound;
}

/// Folds the elements of a case into its judgement.
class Fold {
 public:
  void add(const std::string& output, std::int64_t i, const Tensor& got, const Element& e) {
    if (!e.determined) judgement_.degenerate = true;
    slacks_.push_back(e.slack());
    const Verdict verdict = verdict_of(e);
    if (verdict < judgement_.verdict || (verdict == judgement_.verdict && e.slack() < judgement_.worst.slack)) return;
    if (verdict == judgement_.verdict && e.slack() == judgement_.worst.slack && seen_) return;
    seen_ = true;
    judgement_.verdict = verdict;
    judgement_.rule = rule_of(e);
    judgement_.worst = {
        .output = output,
        .index = index_of(i, got.shape()),
        .got = e.got,
        .want = e.want,
        .ulp = got.format() == Format::i64 ? e.error : error_in_ulps(float_format(got.format()), e.got, e.want),
        .error = e.error,
        .radius = e.radius,
        .bound = e.exceeds() ? e.largest : e.statistical,
        .deterministic_bound = e.exceeds() ? e.largest : e.deterministic,
        .slack = e.slack()};
  }

  /// Elements of one output that have been added, row by row.
  void add_faults(std::vector<double> relative) {
    judgement_.detectable_p50 = std::max(judgement_.detectable_p50, quantile(relative, 0.5));
    judgement_.detectable_p99 = std::max(judgement_.detectable_p99, quantile(relative, 0.99));
  }

  Judgement finish() {
    judgement_.slack.max = slacks_.empty() ? 0 : *std::ranges::max_element(slacks_);
    judgement_.slack.p50 = quantile(slacks_, 0.5);
    judgement_.slack.p99 = quantile(slacks_, 0.99);
    return judgement_;
  }

 private:
  Judgement judgement_;
  std::vector<double> slacks_;
  bool seen_ = false;
};

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 4> names = {"pass", "suspect", "indeterminate", "fail"};
  return names[static_cast<std::size_t>(verdict)];
}

std::string_view name_of(Rule rule) {
  constexpr std::array<std::string_view, 18> names = {"within_bound",
                                                      "judged_by_laws_alone",
                                                      "oracle_radius_too_large",
                                                      "contract_rounds_on_exact_input",
                                                      "worse_than_plain_implementation",
                                                      "error_above_statistical_bound",
                                                      "error_above_deterministic_bound",
                                                      "differs_on_exact_input",
                                                      "non_finite_where_finite_is_due",
                                                      "finite_where_non_finite_is_due",
                                                      "larger_than_a_clamped_normaliser_allows",
                                                      "differs_from_definition_over_field",
                                                      "depends_on_unwritten_memory",
                                                      "depends_on_schedule",
                                                      "depends_on_build",
                                                      "breaks_machine_rule",
                                                      "output_is_not_readable",
                                                      "crashed"};
  return names[static_cast<std::size_t>(rule)];
}

Judgement judge(const Tensors& got, const References& want, const Allowances& allowed) {
  Fold fold;
  for (const auto& [name, reference] : want) {
    const auto it = got.find(name);
    if (it == got.end()) throw std::invalid_argument(fmt::format("output '{}' is missing", name));
    if (it->second.shape() != reference.shape)
      throw std::invalid_argument(fmt::format("output '{}' has shape {}: {} expected", name,
                                              text_of(it->second.shape()), text_of(reference.shape)));
    const Allowance& allowance = allowed.at(name);
    for (std::int64_t i = 0; i < it->second.count(); ++i)
      fold.add(name, i, it->second, element_at(it->second.value(i), reference, allowance, static_cast<std::size_t>(i)));
    fold.add_faults(detectable_faults(reference, allowance));
  }
  return fold.finish();
}

Judgement with_part(Judgement whole, const Judgement& part) {
  if (part.verdict <= whole.verdict) return whole;
  whole.verdict = part.verdict;
  whole.rule = part.rule;
  whole.worst = part.worst;
  return whole;
}

}  // namespace assay
