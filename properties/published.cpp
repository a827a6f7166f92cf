#include "properties/published.hpp"

#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay {
namespace {

std::optional<Interval> number(const std::string& text) {
  try {
    return printed(text);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

bool agree(const std::string& a, const std::string& b) {
  const auto x = number(a), y = number(b);
  return x && y ? may_be_equal(*x, *y) : a == b;
}

/// Proven if all that the claim quotes may be one value or is one word, else inconsistent.
Finding values_agree(const Published& published) {
  if (published.values.size() < 2) throw std::invalid_argument("published: needs two values to compare");
  bool all = true;
  std::vector<std::string> parts;
  for (const auto& [name, text] : published.values) {
    parts.push_back(fmt::format("{}: {}", name, text));
    for (const auto& [other_name, other] : published.values) all = all && agree(text, other);
  }
  return {all ? ClaimVerdict::proven : ClaimVerdict::inconsistent, joined(parts)};
}

/// "row: a - b" as a difference of two cells of the claim's one table.
Interval difference_of_cells(const Published& published, const std::string& name) {
  const std::size_t colon = name.find(": "), minus = name.find(" - ");
  if (published.tables.size() != 1 || colon == std::string::npos || minus == std::string::npos || minus < colon)
    throw std::invalid_argument(name + ": needs one table and the form \"row: column - column\"");
  const std::string row = name.substr(0, colon);
  const auto cell = [&](const std::string& column) {
    return printed(published.tables.begin()->second.cell(row, column));
  };
  return cell(name.substr(colon + 2, minus - colon - 2)) - cell(name.substr(minus + 3));
}

Finding differences(const Published& published) {
  std::vector<Quantity> quantities;
  for (const auto& [name, text] : published.values) quantities.push_back({name, difference_of_cells(published, name)});
  if (quantities.empty()) throw std::invalid_argument("published: needs a difference");
  return compare_with_published(published, quantities);
}

}  // namespace

Interval printed_cell(const Published& published, std::string_view table, std::string_view row,
                      std::string_view column) {
  return printed(published.table(table).cell(row, column));
}

std::string beside_printed(const Quantity& quantity, std::string_view printed_text) {
  const Interval allowed = printed(printed_text);
  const bool exact = allowed.lower() == allowed.upper();
  return fmt::format("{} = {}, printed {}{}{}", quantity.name, decimal(quantity.value), printed_text, exact ? "" : " ",
                     exact ? "" : decimal(allowed));
}

bool may_be_equal(const Interval& a, const Interval& b) { return overlap(a, b); }

Finding compare_with_published(const Published& published, const std::vector<Quantity>& quantities) {
  if (published.values.size() != quantities.size())
    throw std::invalid_argument(
        fmt::format("published: {} values, the computation gives {}", published.values.size(), quantities.size()));
  bool all = true;
  std::vector<std::string> parts;
  for (const Quantity& quantity : quantities) {
    const std::string& text = published.value(quantity.name);
    all = all && may_be_equal(quantity.value, printed(text));
    parts.push_back(beside_printed(quantity, text));
  }
  return settled_by(all, joined(parts));
}

std::string joined(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, "; ")); }

Finding settled_by(bool holds, std::string evidence) {
  return {holds ? ClaimVerdict::proven : ClaimVerdict::refuted, std::move(evidence)};
}

std::vector<Computation> published_computations() {
  return {{"published.values_agree", "all that a claim quotes is one value, within rounding", "", values_agree},
          {"published.differences",
           "values named \"row: a - b\" are the differences of the table's cells, within rounding", "", differences}};
}

}  // namespace assay
