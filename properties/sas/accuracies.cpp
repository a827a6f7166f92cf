#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "properties/published.hpp"
#include "properties/sas/computations.hpp"

namespace assay {
namespace {

/// A printed accuracy, and the run and column that it stands in.
struct Accuracy {
  std::string run, column, text;

  std::string task() const { return run.substr(0, run.find(' ')); }
  std::string name() const { return fmt::format("{} {} {}", run, column, text); }
};

/// Every accuracy of the table, its brackets and gaps left out.
std::vector<Accuracy> accuracies(const PublishedTable& table) {
  std::vector<Accuracy> all;
  for (const auto& row : table.rows)
    for (std::size_t i = 1; i < row.size(); ++i)
      if (table.columns[i] != "bracket" && row[i] != "-") all.push_back({row.front(), table.columns[i], row[i]});
  return all;
}

/// Whether some k of n prints so in percent.
bool is_share(const Interval& percent, const Rational& n) {
  const Rational most = percent.upper() * n / 100;
  return percent.lower() * n / 100 <= Rational(numerator(most) / denominator(most));
}

/// The accuracies that are no share of the tries made of their task, which the claim gives as "task" = "tries".
Finding shares_of_tries(const Published& published) {
  std::vector<std::string> none;
  std::size_t tried = 0;
  for (const auto& [name, table] : published.tables)
    for (const Accuracy& accuracy : accuracies(table)) {
      const auto tries = published.values.find(accuracy.task());
      if (tries == published.values.end() || accuracy.run.ends_with("tokens")) continue;
      ++tried;
      if (!is_share(printed(accuracy.text), printed(tries->second).lower())) none.push_back(accuracy.name());
    }
  if (tried == 0) throw std::invalid_argument("published: no accuracy of a task with tries");
  return {none.empty() ? ClaimVerdict::proven : ClaimVerdict::inconsistent,
          fmt::format("{} of {} values are no share: {}", none.size(), tried, joined(none))};
}

/// Values of the claim, "name" = "percent", against shares of n.
Finding shares_of_items(const Published& published) {
  std::vector<std::string> none;
  const Rational items = printed(published.value("items")).lower();
  for (const auto& [name, text] : published.values)
    if (name != "items" && !is_share(printed(text), items)) none.push_back(name);
  for (const auto& [name, table] : published.tables)
    for (const Accuracy& accuracy : accuracies(table))
      if (!is_share(printed(accuracy.text), items)) none.push_back(accuracy.name());
  return settled_by(none.empty(), none.empty() ? fmt::format("every value is a share of {}", decimal(items))
                                               : "no share: " + joined(none));
}

/// bracket / sqrt(p (1 - p) / items), from the numbers as they are printed.
Finding brackets(const Published& published) {
  const PublishedTable& table = published.table("sas_reasoning");
  double low = 1e9, high = 0;
  std::uint64_t count = 0;
  for (const auto& row : table.rows) {
    const std::string& bracket = row[table.column("bracket")];
    if (bracket == "-") continue;
    const double p = median(printed(row[table.column("SAS")])).convert_to<double>() / 100;
    const double items =
        printed(published.value(row.front().substr(0, row.front().find(' ')))).lower().convert_to<double>();
    const double ratio = median(printed(bracket)).convert_to<double>() / 100 / std::sqrt(p * (1 - p) / items);
    low = std::min(low, ratio), high = std::max(high, ratio), ++count;
  }
  const Interval wanted_low = printed(published.value("lowest")), wanted_high = printed(published.value("highest"));
  return settled_by(may_be_equal(Interval(Rational(low)), wanted_low) &&
                        may_be_equal(Interval(Rational(high)), wanted_high) &&
                        printed(published.value("brackets")).lower() == count,
                    fmt::format("{} brackets: {:.4f} to {:.4f} of sqrt(p (1 - p) / items)", count, low, high));
}

/// (SAS - Seer) / Seer of the runs that the claim names.
Finding relative_gains(const Published& published) {
  std::vector<Quantity> gains;
  for (const auto& [run, text] : published.values) {
    const Interval base = printed_cell(published, "sas_reasoning", run, "Seer");
    gains.push_back({run, (printed_cell(published, "sas_reasoning", run, "SAS") - base) / base});
  }
  return compare_with_published(published, gains);
}

}  // namespace

std::vector<Computation> sas_accuracies_computations() {
  return {{"sas.accuracies_are_shares_of_tries", "each printed accuracy as k of the tries of its task",
           "[SAS-notes] s4.2, s4.7", shares_of_tries},
          {"sas.values_are_shares_of_items", "each printed value as k of one number of items", "[SAS-notes] s4.4, s4.5",
           shares_of_items},
          {"sas.brackets_beside_errors_over_items", "brackets over sqrt(p (1 - p) / items)", "[SAS-notes] s3.3, s4.2",
           brackets},
          {"sas.relative_gains", "gain over the baseline's accuracy", "[SAS-notes] s4.2", relative_gains}};
}

}  // namespace assay
