#include "judge/mismatch.hpp"

#include <fmt/format.h>

#include "judge/elements.hpp"

namespace assay {

namespace {

std::string numbers_text(const Worst& worst) {
  if (worst.output.empty()) return "";
  return fmt::format(
      "  at      {}{}\n"
      "  got     {:<24.9g} {:a}\n"
      "  want    {:<24.17g} {:a}\n"
      "  error   {:<24.6g} {:.3g} ulp\n"
      "  bound   {:<24.6g} slack {:.3g}\n",
      worst.output, index_text(worst.index), worst.got, worst.got, worst.want, worst.want, worst.error, worst.ulp,
      worst.bound, worst.slack);
}

std::string_view source_of_text(Rule rule) {
  switch (rule) {
    case Rule::worse_than_plain_implementation:
      return "block";
    case Rule::output_is_not_readable:
      return "output";
    default:
      return "machine";
  }
}

/// What the machine said, which row block R2 found, or what is wrong with a stored output.
std::string explanation_text(const Provenance& provenance, const Judgement& judgement) {
  if (provenance.text.empty()) return "";
  return fmt::format("  {:<7} {}\n", source_of_text(judgement.rule), provenance.text);
}

}  // namespace

std::string mismatch_text(const Case& c, const Provenance& provenance, const Judgement& judgement) {
  return fmt::format(
      "{}: {}\n"
      "  kernel  {}\n"
      "  case    {}, family {}, seed {}\n"
      "{}{}"
      "  replay  {}\n"
      "{}",
      name_of(judgement.verdict), name_of(judgement.rule), provenance.kernel, sizes_text(c), c.family, c.seed,
      explanation_text(provenance, judgement), numbers_text(judgement.worst), provenance.replay,
      provenance.found.empty() ? "" : fmt::format("  found   {}\n", provenance.found));
}

}  // namespace assay
