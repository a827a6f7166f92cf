#include "run/audit.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 7;

/// A law of one check, whose result is already known by its name.
Law law_of(std::string_view name, Proof proof) {
  return {name, "", "", proof, 4, 16, {{"GF(2^61-1)", 61, [](Draw&) { return Outcome::holds(); }}}};
}

const std::vector<Law>& test_laws() {
  static const std::vector<Law> laws{law_of("holds.by_evaluation", Proof::by_evaluation),
                                     law_of("holds.in_trials", Proof::tested),
                                     law_of("holds.exactly", Proof::exactly),
                                     law_of("fails", Proof::by_evaluation),
                                     law_of("rejects", Proof::by_evaluation),
                                     law_of("throws", Proof::by_evaluation)};
  return laws;
}

LawResult known_result(const Law& law, std::uint64_t) {
  LawResult result;
  result.trials = law.trials;
  result.log2_false_accept = law.log2_false_accept(law.trials);
  if (law.name == "holds.exactly") result.text = "at x = 3";
  if (law.name == "throws") throw std::runtime_error("no such luck");
  if (law.name == "rejects") result.trials = 0;
  if (law.name == "fails") {
    result.verdict = LawResult::Verdict::fail;
    result.text = "2 + 2 = 5";
  }
  return result;
}

const std::vector<Computation>& test_computations() {
  static const std::vector<Computation> computations = [] {
    std::vector<Computation> all;
    for (const ClaimVerdict verdict : {ClaimVerdict::proven, ClaimVerdict::verified, ClaimVerdict::refuted,
                                       ClaimVerdict::inconsistent, ClaimVerdict::reproduced})
      all.push_back({name(verdict), "", "", [verdict](const Published& published) {
                       return Finding{verdict, "printed " + published.value("x")};
                     }});
    return all;
  }();
  return computations;
}

Claim claim_of(std::vector<std::string> checks, std::vector<std::string> counterexamples = {}) {
  Claim claim;
  claim.id = "TST-001";
  claim.kind = "identity";
  claim.needs = "a checkpoint";
  claim.published.values = {{"x", "1.0"}};
  claim.expected = ClaimVerdict::proven;
  claim.checks = std::move(checks);
  claim.counterexamples = std::move(counterexamples);
  claim.line = 12;
  return claim;
}

Audit audit_of(const Claim& claim) {
  const Tables tables{.kernels = {},
                      .mutants = {},
                      .oracles = {},
                      .laws = test_laws(),
                      .kernel_laws = {},
                      .computations = test_computations(),
                      .try_law = known_result};
  return audit({"claims/test.toml", {claim}, {}}, tables, seed);
}

ClaimRecord record_of(const Claim& claim) { return audit_of(claim).claims.front(); }

Outcome verdict_is(const Claim& claim, ClaimVerdict want) {
  const ClaimRecord record = record_of(claim);
  return same<std::string>("verdict on \"" + evidence_text(record) + "\"", std::string(name(record.verdict)),
                           std::string(name(want)));
}

Outcome wrong_expectation() {
  for (const ClaimVerdict expected : {ClaimVerdict::verified, ClaimVerdict::refuted, ClaimVerdict::not_reproducible}) {
    Claim claim = claim_of({"holds.exactly"});
    if (!record_of(claim).agrees()) return Outcome::fails("a right expectation is reported");
    claim.expected = expected;
    const ClaimRecord record = record_of(claim);
    if (record.agrees() || record.expected != expected || record.verdict != ClaimVerdict::proven)
      return Outcome::fails(
          fmt::format("{} against expected {} is not reported", name(record.verdict), name(expected)));
  }
  return Outcome::holds();
}

Outcome kinds_of_proof() {
  return all_of({verdict_is(claim_of({"holds.exactly"}), ClaimVerdict::proven),
                 verdict_is(claim_of({"holds.by_evaluation"}), ClaimVerdict::proven),
                 verdict_is(claim_of({"holds.in_trials"}), ClaimVerdict::verified),
                 verdict_is(claim_of({"rejects"}), ClaimVerdict::unimplemented),
                 verdict_is(claim_of({}), ClaimVerdict::not_reproducible)});
}

Outcome weakest_decides() {
  const std::vector<std::pair<const char*, ClaimVerdict>> strongest_first{{"proven", ClaimVerdict::proven},
                                                                          {"verified", ClaimVerdict::verified},
                                                                          {"reproduced", ClaimVerdict::reproduced},
                                                                          {"inconsistent", ClaimVerdict::inconsistent},
                                                                          {"refuted", ClaimVerdict::refuted}};
  for (std::size_t strong = 0; strong < strongest_first.size(); ++strong)
    for (std::size_t weak = strong; weak < strongest_first.size(); ++weak) {
      const auto& [name, verdict] = strongest_first[weak];
      const Outcome outcome = all_of({verdict_is(claim_of({strongest_first[strong].first, name}), verdict),
                                      verdict_is(claim_of({name, strongest_first[strong].first}), verdict)});
      if (outcome.kind != Outcome::Kind::holds) return outcome;
    }
  return Outcome::holds();
}

/// The record's evidence, or what it lacks of `parts`.
Outcome evidence_has(const ClaimRecord& record, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    if (evidence_text(record).find(part) == std::string::npos)
      return Outcome::fails(fmt::format("\"{}\" lacks \"{}\"", evidence_text(record), part));
  return Outcome::holds();
}

Outcome refutations() {
  return all_of({verdict_is(claim_of({"fails"}), ClaimVerdict::refuted),
                 evidence_has(record_of(claim_of({"fails"})), {"2 + 2 = 5"}),
                 verdict_is(claim_of({}, {"holds.exactly"}), ClaimVerdict::refuted),
                 evidence_has(record_of(claim_of({}, {"holds.exactly"})), {"counterexample", "at x = 3"}),
                 verdict_is(claim_of({}, {"fails"}), ClaimVerdict::unimplemented),
                 verdict_is(claim_of({"holds.exactly"}, {"holds.exactly"}), ClaimVerdict::refuted),
                 verdict_is(claim_of({"holds.exactly"}, {"fails"}), ClaimVerdict::unimplemented)});
}

Outcome is_one_error(const Claim& claim, const std::string& rule) {
  const Audit result = audit_of(claim);
  if (result.errors.size() != 1) return same("errors", result.errors.size(), std::size_t{1});
  return all_of({same<std::string>("error", result.errors.front().text(), "claims/test.toml:12: TST-001: " + rule),
                 verdict_is(claim, ClaimVerdict::unimplemented)});
}

Outcome unknown_names() {
  return all_of(
      {is_one_error(claim_of({"no.such_law"}), "no.such_law: no law and no computation of that name"),
       is_one_error(claim_of({"holds.exactly", "no.such_law"}), "no.such_law: no law and no computation of that name"),
       is_one_error(claim_of({}, {"proven"}), "proven: no law of that name")});
}

Outcome stopped_checks() {
  Claim unpublished = claim_of({"proven"});
  unpublished.published.values.clear();
  return all_of({is_one_error(claim_of({"throws"}), "throws stopped: no such luck"),
                 is_one_error(unpublished, "proven stopped: x: the claim gives no such published value")});
}

Outcome evidence() {
  return all_of({evidence_has(record_of(claim_of({"holds.by_evaluation"})),
                              {"holds.by_evaluation", "GF(2^61-1)", "16 trials", "seed 7", "degree 4", "2^-944"}),
                 evidence_has(record_of(claim_of({"verified"})), {"verified: printed 1.0"}),
                 evidence_has(record_of(claim_of({})), {"needs a checkpoint"}),
                 same<std::string>("command of a law", record_of(claim_of({"holds.exactly"})).command,
                                   "assay verify --law holds.exactly --seed 7"),
                 same<std::string>("command of a computation", record_of(claim_of({"proven"})).command,
                                   "assay audit --claim TST-001"),
                 same<std::string>("command of two laws", record_of(claim_of({"holds.exactly", "fails"})).command,
                                   "assay audit --claim TST-001")});
}

}  // namespace

std::vector<Law> run_audit_laws() {
  return {
      enumerated("run.a_wrong_expected_verdict_is_reported", "verdict and expectation stand apart in the record", "",
                 "records", wrong_expectation),
      enumerated("run.a_law_proves_or_verifies_by_its_kind", "exactly and by evaluation: proven; trials: verified", "",
                 "records", kinds_of_proof),
      enumerated("run.the_weakest_check_decides_a_claim", "in any order of checks", "", "records", weakest_decides),
      enumerated("run.a_false_statement_is_refuted_with_its_counterexample",
                 "a check that fails, or a counterexample that holds; its text is in the evidence", "", "records",
                 refutations),
      enumerated("run.an_unknown_check_is_an_error_and_unimplemented", "with the line of the claim", "", "records",
                 unknown_names),
      enumerated("run.a_check_that_stops_is_an_error_and_no_crash", "its exception is the error", "", "records",
                 stopped_checks),
      enumerated("run.evidence_names_arithmetic_trials_bound_and_seed", "and a command that prints it again", "",
                 "records", evidence),
  };
}

}  // namespace assay
