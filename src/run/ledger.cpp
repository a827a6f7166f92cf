#include "run/ledger.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "run/published_table.hpp"

namespace assay {
namespace {

constexpr std::array required_keys{"id", "source", "place", "statement", "kind", "expected", "because"};
constexpr std::array optional_keys{"needs", "published", "tables", "checks", "counterexamples"};

/// The verdicts that a row may expect: `unimplemented` is only ever computed.
constexpr std::array expected_verdicts{ClaimVerdict::proven,     ClaimVerdict::verified,
                                       ClaimVerdict::refuted,    ClaimVerdict::inconsistent,
                                       ClaimVerdict::reproduced, ClaimVerdict::not_reproducible};

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

/// Reads one row; every rule that it breaks becomes one error.
class RowReader {
 public:
  RowReader(const toml::table& row, const std::filesystem::path& file, std::vector<LedgerError>& errors)
      : row_(row), file_(file), errors_(errors) {
    if (const toml::node* id = row.get("id"); id && id->is_string()) id_ = id->as_string()->get();
  }

  Claim read() {
    reject_unknown_keys();
    Claim claim;
    claim.line = line_of(row_);
    claim.id = required_text("id");
    claim.source = required_text("source");
    claim.place = required_text("place");
    claim.statement = required_text("statement");
    claim.kind = required_text("kind");
    claim.because = required_text("because");
    claim.needs = text("needs").value_or("");
    claim.expected = expected();
    claim.checks = texts("checks");
    claim.counterexamples = texts("counterexamples");
    claim.published.values = published_values();
    claim.published.tables = published_tables();
    check_id(claim);
    check_kind(claim);
    check_that_something_settles(claim);
    return claim;
  }

 private:
  void fail(int line, const std::string& rule) {
    errors_.push_back({file_.string(), line, id_.empty() ? rule : fmt::format("{}: {}", id_, rule)});
  }

  void reject_unknown_keys() {
    const auto known = [](const auto& keys, std::string_view key) {
      return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    for (const auto& [key, value] : row_)
      if (!known(required_keys, key.str()) && !known(optional_keys, key.str()))
        fail(line_of(value), fmt::format("{}: no such key; a claim has {}, {}", key.str(),
                                         fmt::join(required_keys, ", "), fmt::join(optional_keys, ", ")));
  }

  std::optional<std::string> text(const char* key) {
    const toml::node* node = row_.get(key);
    if (!node) return std::nullopt;
    if (node->is_string() && !node->as_string()->get().empty()) return node->as_string()->get();
    fail(line_of(*node), fmt::format("{}: needs text between quotes", key));
    return std::nullopt;
  }

  std::string required_text(const char* key) {
    if (!row_.contains(key)) fail(line_of(row_), fmt::format("{}: missing", key));
    return text(key).value_or("");
  }

  std::vector<std::string> texts(const char* key) {
    const toml::node* node = row_.get(key);
    if (!node) return {};
    std::vector<std::string> all;
    if (const toml::array* array = node->as_array())
      for (const toml::node& element : *array)
        if (element.is_string()) all.push_back(element.as_string()->get());
    if (!node->is_array() || all.size() != node->as_array()->size() || all.empty())
      fail(line_of(*node), fmt::format("{}: needs a list of names", key));
    return all;
  }

  ClaimVerdict expected() {
    const std::string word = required_text("expected");
    if (word.empty()) return ClaimVerdict::unimplemented;
    for (const ClaimVerdict verdict : expected_verdicts)
      if (word == name(verdict)) return verdict;
    std::vector<std::string_view> allowed;
    for (const ClaimVerdict verdict : expected_verdicts) allowed.push_back(name(verdict));
    fail(line_of(*row_.get("expected")),
         fmt::format("expected = \"{}\": needs one of {}", word, fmt::join(allowed, ", ")));
    return ClaimVerdict::unimplemented;
  }

  std::map<std::string, std::string, std::less<>> published_values() {
    const toml::node* node = row_.get("published");
    if (!node) return {};
    std::map<std::string, std::string, std::less<>> values;
    if (!node->is_table()) fail(line_of(*node), "published: needs a table of names and printed text");
    if (const toml::table* table = node->as_table())
      for (const auto& [key, value] : *table) {
        if (value.is_string() && !value.as_string()->get().empty())
          values.emplace(key.str(), value.as_string()->get());
        else
          fail(line_of(value), fmt::format("published.{}: needs the printed text between quotes", key.str()));
      }
    return values;
  }

  std::map<std::string, PublishedTable, std::less<>> published_tables() {
    std::map<std::string, PublishedTable, std::less<>> tables;
    for (const std::string& name : texts("tables")) try {
        tables.emplace(name, read_published_table(file_.parent_path() / "tables" / (name + ".csv")));
      } catch (const std::exception& error) {
        fail(line_of(*row_.get("tables")), fmt::format("tables: {}", error.what()));
      }
    return tables;
  }

  void check_id(const Claim& claim) {
    static const std::regex form("[A-Z]{3}-[0-9]{3}[a-z]?");
    if (!claim.id.empty() && !std::regex_match(claim.id, form))
      fail(line_of(*row_.get("id")), "id: needs the form SAN-057 or SAN-057a");
  }

  void check_kind(const Claim& claim) {
    const auto& kinds = claim_kinds();
    if (!claim.kind.empty() && std::find(kinds.begin(), kinds.end(), claim.kind) == kinds.end())
      fail(line_of(*row_.get("kind")),
           fmt::format("kind = \"{}\": needs one of {}", claim.kind, fmt::join(kinds, ", ")));
  }

  void check_that_something_settles(const Claim& claim) {
    const bool checked = !claim.checks.empty() || !claim.counterexamples.empty();
    if (!checked && claim.needs.empty())
      fail(claim.line, "no checks: needs either checks, or counterexamples, or needs = what an answer would take");
  }

  const toml::table& row_;
  const std::filesystem::path& file_;
  std::vector<LedgerError>& errors_;
  std::string id_;
};

void read_row(const toml::node& node, const std::filesystem::path& file, Ledger& ledger) {
  const toml::table* row = node.as_table();
  if (!row) {
    ledger.errors.push_back({file.string(), line_of(node), "claim: needs a table, [[claim]]"});
    return;
  }
  const std::size_t errors_before = ledger.errors.size();
  Claim claim = RowReader(*row, file, ledger.errors).read();
  if (!claim.id.empty() && !ledger.claims.empty() && claim.id <= ledger.claims.back().id)
    ledger.errors.push_back(
        {file.string(), claim.line,
         fmt::format("{}: follows {}; needs ids that ascend, each once", claim.id, ledger.claims.back().id)});
  if (ledger.errors.size() == errors_before) ledger.claims.push_back(std::move(claim));
}

}  // namespace

std::string LedgerError::text() const { return fmt::format("{}:{}: {}", file, line, rule); }

const std::vector<std::string_view>& claim_kinds() {
  static const std::vector<std::string_view> kinds{"identity", "inequality", "construction", "definition", "negative",
                                                   "size",     "arithmetic", "measurement",  "protocol",   "text"};
  return kinds;
}

Ledger parse_ledger(std::string_view toml, const std::filesystem::path& file) {
  Ledger ledger{file.string(), {}, {}};
  toml::table document;
  try {
    document = toml::parse(toml, file.string());
  } catch (const toml::parse_error& error) {
    ledger.errors.push_back(
        {file.string(), static_cast<int>(error.source().begin.line), std::string(error.description())});
    return ledger;
  }
  for (const auto& [key, value] : document)
    if (key != "claim" || !value.is_array())
      ledger.errors.push_back(
          {file.string(), line_of(value), fmt::format("{}: a ledger holds [[claim]] rows only", key.str())});
  if (const toml::array* rows = document["claim"].as_array())
    for (const toml::node& row : *rows) read_row(row, file, ledger);
  if (ledger.claims.empty() && ledger.errors.empty()) ledger.errors.push_back({file.string(), 1, "no [[claim]] rows"});
  return ledger;
}

Ledger read_ledger(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) return {file.string(), {}, {{file.string(), 0, "cannot be read"}}};
  std::ostringstream text;
  text << stream.rdbuf();
  return parse_ledger(text.str(), file);
}

}  // namespace assay
