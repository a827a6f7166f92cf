#include "run/ledger.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"
#include "run/published_table.hpp"

namespace assay {
namespace {

/// Line 1 is the table header, so `id` stands in line 2.
constexpr const char* good_row = R"([[claim]]
id = "SAN-057"
source = "[SANATAN-notes]"
place = "2.7"
statement = "The recurrence equals attention."
kind = "identity"
expected = "proven"
because = "Sums may be exchanged."
published = { gap = "3e-7" }
checks = ["a.law", "a.computation"]
counterexamples = ["another.law"]
)";

/// The good row with one line replaced, or left out.
std::string with_line(int line, const std::string& text) {
  std::string result, rest = good_row;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n') + 1;
    if (number != line)
      result += rest.substr(0, end);
    else if (!text.empty())
      result += text + "\n";
    rest.erase(0, end);
  }
  return result;
}

Outcome well_formed() {
  const Ledger ledger = parse_ledger(good_row, "claims/test.toml");
  if (!ledger.errors.empty()) return Outcome::fails(ledger.errors.front().text());
  if (ledger.claims.size() != 1) return same("claims", ledger.claims.size(), std::size_t{1});
  const Claim& claim = ledger.claims.front();
  return all_of({same<std::string>("id", claim.id, "SAN-057"),
                 same<std::string>("source", claim.source, "[SANATAN-notes]"),
                 same<std::string>("place", claim.place, "2.7"), same<std::string>("kind", claim.kind, "identity"),
                 same<std::string>("statement", claim.statement, "The recurrence equals attention."),
                 same<std::string>("because", claim.because, "Sums may be exchanged."),
                 same<std::string>("expected", std::string(name(claim.expected)), "proven"),
                 same<std::string>("gap", claim.published.value("gap"), "3e-7"),
                 same("checks", claim.checks, std::vector<std::string>{"a.law", "a.computation"}),
                 same("counterexamples", claim.counterexamples, std::vector<std::string>{"another.law"}),
                 same("line", claim.line, 1)});
}

struct Malformed {
  std::string toml;
  int line;
  std::string rule;  ///< part of the one error
};

std::vector<Malformed> malformed_rows() {
  const std::string twice = std::string(good_row) + good_row;
  const std::string earlier = std::string(good_row) + with_line(2, "id = \"SAN-056\"");
  return {
      {with_line(2, ""), 1, "id: missing"},
      {with_line(2, "id = \"057\""), 2, "057: id: needs the form SAN-057 or SAN-057a"},
      {with_line(3, ""), 1, "SAN-057: source: missing"},
      {with_line(4, "place = 2.7"), 4, "SAN-057: place: needs text between quotes"},
      {with_line(5, "statement = \"\""), 5, "SAN-057: statement: needs text between quotes"},
      {with_line(6, "kind = \"theorem\""), 6, "SAN-057: kind = \"theorem\": needs one of identity"},
      {with_line(7, "expected = \"true\""), 7, "SAN-057: expected = \"true\": needs one of proven"},
      {with_line(7, "expected = \"unimplemented\""), 7, "SAN-057: expected = \"unimplemented\": needs one of proven"},
      {with_line(8, ""), 1, "SAN-057: because: missing"},
      {with_line(9, "published = { gap = 3e-7 }"), 9, "SAN-057: published.gap: needs the printed text between quotes"},
      {with_line(9, "published = \"3e-7\""), 9, "SAN-057: published: needs a table"},
      {with_line(9, "tables = [\"no_such_table\"]"), 9,
       "SAN-057: tables: claims/tables/no_such_table.csv: cannot be read"},
      {with_line(10, "checks = \"a.law\""), 10, "SAN-057: checks: needs a list of names"},
      {with_line(10, "checks = [\"a.law\", 3]"), 10, "SAN-057: checks: needs a list of names"},
      {with_line(10, "checks = []"), 10, "SAN-057: checks: needs a list of names"},
      {with_line(11, "counter_examples = [\"another.law\"]"), 11,
       "SAN-057: counter_examples: no such key; a claim has id"},
      {std::string(good_row, std::string(good_row).find("checks")), 1, "SAN-057: no checks: needs either checks"},
      {twice, 12, "SAN-057: follows SAN-057; needs ids that ascend, each once"},
      {earlier, 12, "SAN-056: follows SAN-057; needs ids that ascend, each once"},
      {std::string(good_row) + "[claims]\n", 12, "claims: a ledger holds [[claim]] rows only"},
      {"claim = [3]\n", 1, "claim: needs a table, [[claim]]"},
      {with_line(3, "source = [SANATAN]"), 3, ""},
      {"# nothing\n", 1, "no [[claim]] rows"},
  };
}

Outcome malformed() {
  for (const Malformed& row : malformed_rows()) {
    const Ledger ledger = parse_ledger(row.toml, "claims/test.toml");
    const std::string want = fmt::format("claims/test.toml:{}: {}", row.line, row.rule);
    if (ledger.errors.size() != 1)
      return Outcome::fails(fmt::format("{} errors instead of one, \"{}\"", ledger.errors.size(), want));
    const std::string got = ledger.errors.front().text();
    if (!got.starts_with(want)) return Outcome::fails(fmt::format("\"{}\" instead of \"{}\"", got, want));
    if (got.find('\n') != std::string::npos) return Outcome::fails("an error of two lines: " + got);
  }
  return Outcome::holds();
}

Outcome unreadable_file() {
  const Ledger ledger = read_ledger("claims/no_such_ledger.toml");
  if (ledger.errors.size() != 1) return same("errors", ledger.errors.size(), std::size_t{1});
  return same<std::string>("error", ledger.errors.front().text(), "claims/no_such_ledger.toml:0: cannot be read");
}

/// A file that is removed again.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("assay_table_{}.csv", static_cast<const void*>(this))) {
    std::ofstream(path_) << text;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string error_of_table(const std::string& text) {
  const TemporaryFile file(text);
  try {
    read_published_table(file.path());
  } catch (const std::exception& error) {
    std::string what = error.what();
    return what.replace(0, file.path().string().size(), "FILE");
  }
  return "none";
}

Outcome tables() {
  const TemporaryFile file("context,kv_mb\n\"1,024\",75.5\n\"2,048\",151.0\n");
  const PublishedTable table = read_published_table(file.path());
  return all_of(
      {same<std::string>("cell", table.cell("2,048", "kv_mb"), "151.0"),
       same("rows", table.rows.size(), std::size_t{2}),
       same<std::string>("ragged", error_of_table("a,b\n1,2\n1\n"), "FILE:3: 1 cells, needs 2 like the first line"),
       same<std::string>("empty", error_of_table("a,b\n"), "FILE: no rows below the column names")});
}

}  // namespace

std::vector<Law> run_ledger_laws() {
  return {
      enumerated("run.a_well_formed_row_is_read_as_written", "every key of a row is in its claim", "", "text",
                 well_formed),
      enumerated("run.a_malformed_row_is_one_clear_error", "file, line and rule, once, for each way to break a row", "",
                 "text", malformed),
      enumerated("run.an_unreadable_ledger_is_one_error", "a missing file is no exception", "", "text",
                 unreadable_file),
      enumerated("run.a_published_table_is_rectangular", "cells as printed; a ragged row is named by its line", "",
                 "text", tables),
  };
}

}  // namespace assay
