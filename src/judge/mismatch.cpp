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
      provenance.text.empty() ? "" : fmt::format("  machine {}\n", provenance.text), numbers_text(judgement.worst),
      provenance.replay, provenance.found.empty() ? "" : fmt::format("  found   {}\n", provenance.found));
}

}  // namespace assay
