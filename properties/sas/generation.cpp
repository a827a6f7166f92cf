#include <string>
#include <vector>

#include <fmt/format.h>

#include "properties/published.hpp"
#include "properties/sas/computations.hpp"

namespace assay {
namespace {

/// Tokens at which an output is cut.
Interval limit(const Published& published) { return printed(published.value("limit")); }

Interval tokens(const Published& published, const std::string& task, const char* method) {
  return printed_cell(published, "sas_generation", task + " tokens", method);
}
Interval truncated(const Published& published, const std::string& task, const char* method) {
  return printed_cell(published, "sas_generation", task + " truncated", method) / Rational(100);
}

/// Mean length m, share r cut at n tokens: the others average (m - r n) / (1 - r). A printed mean of tokens is taken to
/// half a token, as it is a rounded one.
Finding untruncated_means(const Published& published) {
  std::vector<std::string> parts;
  bool all = true;
  for (const auto& [name, text] : published.values) {
    if (name == "limit") continue;
    const std::size_t space = name.find(' ');
    const std::string task = name.substr(0, space), method = name.substr(space + 1);
    const Interval r = truncated(published, task, method.c_str());
    const Interval half(Rational(-1, 2), Rational(1, 2));
    const Interval mean = (tokens(published, task, method.c_str()) + half - r * limit(published)) / (Rational(1) - r);
    all = all && may_be_equal(mean, printed(text) + half);
    parts.push_back(fmt::format("{} = {}", name, decimal(mean)));
  }
  return settled_by(all, joined(parts));
}

Finding means_hold_what_is_cut(const Published& published) {
  std::vector<std::string> parts;
  bool all = true;
  for (const char* task : {"MATH500", "GPQA", "AIME24", "AIME25"})
    for (const char* method : {"Seer", "SAS"}) {
      const Interval cut = truncated(published, task, method) * limit(published);
      all = all && cut.upper() <= tokens(published, task, method).lower();
      parts.push_back(
          fmt::format("{} {}: {} of {}", task, method, decimal(median(cut)), decimal(tokens(published, task, method))));
    }
  return settled_by(all, joined(parts));
}

}  // namespace

std::vector<Computation> sas_generation_computations() {
  return {{"sas.means_of_outputs_that_end", "mean length of outputs that are not cut", "own, on [SAS-notes] s4.7",
           untruncated_means},
          {"sas.mean_lengths_hold_what_is_cut", "share cut times the limit against the mean length",
           "own, on [SAS-notes] s4.7", means_hold_what_is_cut}};
}

}  // namespace assay
