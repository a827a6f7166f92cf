#include "properties/claims.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "properties/computations.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/table.hpp"
#include "run/ledger.hpp"

namespace assay {
namespace {

template <class Visit>
Outcome for_every_claim(Visit visit) {
  for (const auto& file : claim_files()) {
    const Ledger ledger = read_ledger(file);
    if (!ledger.errors.empty()) return Outcome::fails(ledger.errors.front().text());
    for (const Claim& claim : ledger.claims)
      if (const std::string broken = visit(claim); !broken.empty())
        return Outcome::fails(LedgerError{ledger.file, claim.line, claim.id + ": " + broken}.text());
  }
  return Outcome::holds();
}

std::set<std::string_view> law_names() {
  std::set<std::string_view> names;
  for (const Law& law : law_table()) names.insert(law.name);
  return names;
}

std::set<std::string_view> computation_names() {
  std::set<std::string_view> names;
  for (const Computation& computation : computation_table()) names.insert(computation.name);
  return names;
}

Outcome existing_checks() {
  const auto laws = law_names(), computations = computation_names();
  return for_every_claim([&](const Claim& claim) -> std::string {
    for (const std::string& name : claim.checks)
      if (!laws.contains(name) && !computations.contains(name))
        return name + ": no law and no computation of that name";
    for (const std::string& name : claim.counterexamples)
      if (!laws.contains(name)) return name + ": no law of that name";
    return "";
  });
}

Outcome distinct_names() {
  const auto laws = law_names(), computations = computation_names();
  if (laws.size() != law_table().size()) return Outcome::fails("two laws have one name");
  if (computations.size() != computation_table().size()) return Outcome::fails("two computations have one name");
  for (const std::string_view name : laws)
    if (computations.contains(name)) return Outcome::fails(std::string(name) + ": a law and a computation");
  return Outcome::holds();
}

Outcome used_computations() {
  std::set<std::string> used;
  const Outcome read = for_every_claim([&](const Claim& claim) -> std::string {
    used.insert(claim.checks.begin(), claim.checks.end());
    return "";
  });
  if (read.kind != Outcome::Kind::holds) return read;
  for (const std::string_view name : computation_names())
    if (!used.contains(std::string(name))) return Outcome::fails(std::string(name) + ": no claim names it");
  return Outcome::holds();
}

/// "[key]" of every line "- [key] ..." or "[key] ..." of the references.
std::set<std::string> reference_keys() {
  std::ifstream stream(references_file());
  std::ostringstream text;
  text << stream.rdbuf();
  const std::string references = text.str();
  static const std::regex key(R"(\[[A-Za-z0-9-]+\])");
  return {std::sregex_token_iterator(references.begin(), references.end(), key), std::sregex_token_iterator()};
}

Outcome known_sources() {
  const std::set<std::string> keys = reference_keys();
  return for_every_claim([&](const Claim& claim) -> std::string {
    if (claim.source == "own") return "";
    std::istringstream sources(claim.source);
    for (std::string key; sources >> key;)
      if (!keys.contains(key)) return fmt::format("source {} is not in oracle/references.md", key);
    return "";
  });
}

/// The numbered statements of each paper, none left out: parts have letters behind the number.
Outcome every_number() {
  for (const auto& [paper, count] : {std::pair{"SAN", 133}}) {
    std::set<std::string> numbers;
    const Outcome read = for_every_claim([&](const Claim& claim) -> std::string {
      numbers.insert(claim.id.substr(0, 7));
      return "";
    });
    if (read.kind != Outcome::Kind::holds) return read;
    for (int n = 1; n <= count; ++n)
      if (const std::string id = fmt::format("{}-{:03}", paper, n); !numbers.contains(id))
        return Outcome::fails(id + " has no row");
  }
  return Outcome::holds();
}

/// A row that expects a refutation or a contradiction has a check for it; one that expects neither has no
/// counterexample.
Outcome roles_fit_expectations() {
  return for_every_claim([](const Claim& claim) -> std::string {
    const bool unchecked = claim.checks.empty() && claim.counterexamples.empty();
    if (unchecked != (claim.expected == ClaimVerdict::not_reproducible))
      return "expected not_reproducible goes with no checks, and no other verdict does";
    if (!claim.counterexamples.empty() && claim.expected != ClaimVerdict::refuted)
      return "has counterexamples, but is not expected to be refuted";
    return "";
  });
}

}  // namespace

std::vector<Law> run_claims_laws() {
  return {
      enumerated("run.every_claim_names_existing_checks", "checks are laws or computations, counterexamples laws", "",
                 "names", existing_checks),
      enumerated("run.laws_and_computations_have_distinct_names", "a check means one thing", "", "names",
                 distinct_names),
      enumerated("run.every_computation_settles_a_claim", "no computation is left over", "", "names",
                 used_computations),
      enumerated("run.every_claim_names_a_known_source", "its keys are in oracle/references.md, or it is our own", "",
                 "names", known_sources),
      enumerated("run.every_numbered_claim_has_a_row", "SAN-001 to SAN-133", "", "names", every_number),
      enumerated("run.checks_fit_the_expected_verdict", "without checks nothing but not_reproducible may be expected",
                 "", "names", roles_fit_expectations),
  };
}

}  // namespace assay
