#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problem/oracle.hpp"

namespace assay {

/// Ordered from best to worst: a case takes the worst of its outputs.
enum class Verdict { pass, suspect, indeterminate, fail };

std::string_view name_of(Verdict verdict);

/// What decided a verdict; each name reads as a sentence about the output.
enum class Rule {
  within_bound,
  judged_by_laws_alone,
  oracle_radius_too_large,
  contract_rounds_on_exact_input,
  worse_than_plain_implementation,
  error_above_statistical_bound,
  error_above_deterministic_bound,
  differs_on_exact_input,
  non_finite_where_finite_is_due,
  finite_where_non_finite_is_due,
  larger_than_a_clamped_normaliser_allows,
  differs_from_definition_over_field,
  depends_on_unwritten_memory,
  depends_on_schedule,
  depends_on_build,
  breaks_machine_rule,
  output_is_not_readable,
  crashed,
};

std::string_view name_of(Rule rule);

/// The element that decides, or the one nearest to its bound.
struct Worst {
  std::string output;
  Shape index;
  double got = 0;
  double want = 0;
  double ulp = 0;     ///< distance in units of the output format's last place
  double error = 0;   ///< |got - want|, the oracle's low word included
  double radius = 0;  ///< of the oracle
  double bound = 0;   ///< statistical allowance P
  double deterministic_bound = 0;
  double slack = 0;  ///< error / bound; infinite for an error where the bound is 0
};

/// Quantiles of error / bound over the elements of a case.
struct Slack {
  double p50 = 0;
  double p99 = 0;
  double max = 0;
};

/// What was decided of one case, and by which rule.
struct Judgement {
  Verdict verdict = Verdict::pass;
  Rule rule = Rule::within_bound;
  Worst worst;
  Slack slack;
  bool vacuous = false;       ///< the bound accepts a trivial output that is wrong
  std::string vacuous_by;     ///< which one
  bool degenerate = false;    ///< the operator does not determine (all of) the output
  double detectable_p50 = 0;  ///< smallest detectable fault: P / root mean square of the row, median over an output's
  double detectable_p99 = 0;  ///< elements, and 99 %; of the output where it is largest
};

/// R1: every element of every output within its allowance.
///   fail: error - radius > P (proven if > D), or a NaN or infinity on one side only; a degenerate element that is
///         larger than its allowance says
///   indeterminate: error + radius > P
Judgement judge(const Tensors& got, const References& want, const Allowances& allowed);

/// The judgement of a case of which a further part was judged: the worse verdict decides.
Judgement with_part(Judgement whole, const Judgement& part);

}  // namespace assay
