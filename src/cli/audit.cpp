#include "run/audit.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "properties/claims.hpp"
#include "run/glob.hpp"

namespace assay::cli {
namespace {

struct AuditOptions {
  std::string paper = "*", claim = "*", out;
  std::uint64_t seed = 1;
  Output output;
};

Ledger chosen_claims(const std::filesystem::path& file, const std::string& pattern) {
  Ledger ledger = read_ledger(file);
  std::erase_if(ledger.claims, [&](const Claim& claim) { return !matches(pattern, claim.id); });
  return ledger;
}

Json evidence_json(const ClaimRecord& claim) {
  Json evidence = Json::array();
  for (const Evidence& e : claim.evidence) {
    Json row = {{"check", e.check}};
    if (!e.name.empty()) row["name"] = e.name;
    row["text"] = e.text;
    evidence.push_back(std::move(row));
  }
  return evidence;
}

Json claim_json(const ClaimRecord& claim, const std::string& paper) {
  return {{"id", claim.id},
          {"verdict", name(claim.verdict)},
          {"expected", name(claim.expected)},
          {"kind", claim.kind},
          {"paper", paper},
          {"source", claim.source},
          {"statement", claim.statement},
          {"evidence", evidence_json(claim)},
          {"command", claim.command}};
}

/// The counts of the record: every verdict has its key.
Json summary_of(const Json& claims) {
  Json summary = {{"claims", claims.size()}};
  for (const ClaimVerdict verdict :
       {ClaimVerdict::proven, ClaimVerdict::verified, ClaimVerdict::refuted, ClaimVerdict::inconsistent,
        ClaimVerdict::reproduced, ClaimVerdict::not_reproducible, ClaimVerdict::unimplemented})
    summary[std::string(name(verdict))] = std::ranges::count(
        claims, name(verdict), [](const Json& claim) { return claim["verdict"].get<std::string>(); });
  return summary;
}

void print_claim(std::FILE* out, const Json& claim) {
  const bool agrees = claim["verdict"] == claim["expected"];
  fmt::print(out, "{:<10} {:<17} {}{}\n", claim["id"].get<std::string>(), claim["verdict"].get<std::string>(),
             claim["statement"].get<std::string>(),
             agrees ? "" : fmt::format("\n  EXPECTED {}", claim["expected"].get<std::string>()));
  const bool shown = !agrees || claim["verdict"] == "refuted";
  for (const Json& e : claim["evidence"])
    if (shown) fmt::print(out, "  {}\n", e["text"].get<std::string>());
}

/// The ledgers of the papers that were asked for, claims that do not match left out.
std::vector<std::pair<std::string, Ledger>> chosen_ledgers(const AuditOptions& o) {
  std::vector<std::pair<std::string, Ledger>> ledgers;
  std::vector<std::string> ids, papers;
  for (const std::filesystem::path& file : claim_files()) {
    papers.push_back(file.stem());
    if (!matches(o.paper, papers.back())) continue;
    for (const Claim& claim : read_ledger(file).claims) ids.push_back(claim.id);
    ledgers.emplace_back(papers.back(), chosen_claims(file, o.claim));
  }
  const auto any = [](const auto& names) { return std::vector<std::string_view>(names.begin(), names.end()); };
  if (ledgers.empty()) nothing_matches("paper", o.paper, any(papers));
  if (std::ranges::all_of(ledgers, [](const auto& l) { return l.second.claims.empty() && l.second.errors.empty(); }))
    nothing_matches("claim", o.claim, any(ids));
  return ledgers;
}

void run_audit(const AuditOptions& o, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  if (!o.out.empty()) make_folder(o.out);
  Json claims = Json::array();
  std::vector<LedgerError> errors;
  for (const auto& [paper, ledger] : chosen_ledgers(o)) {
    const Audit found = audit(ledger, context.tables, o.seed);
    for (const ClaimRecord& claim : found.claims) claims.push_back(claim_json(claim, paper));
    errors.insert(errors.end(), found.errors.begin(), found.errors.end());
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Json record = make_record(context.command_line, seconds, summary_of(claims));
  record["claims"] = claims;
  if (!o.out.empty()) write_record(record, std::filesystem::path(o.out) / "audit.json");
  o.output.write(record);
  std::size_t unexpected = 0;
  for (const Json& claim : claims) {
    unexpected += claim["verdict"] != claim["expected"];
    if (!o.output.quiet || claim["verdict"] != claim["expected"]) print_claim(o.output.people(), claim);
  }
  for (const LedgerError& error : errors) fmt::print(stderr, "assay: {}\n", error.text());
  const Json& s = record["summary"];
  fmt::print(o.output.people(),
             "{} claims: {} proven, {} verified, {} refuted, {} inconsistent, {} reproduced, {} not reproducible, {} "
             "unimplemented; {} verdicts differ from the expected ({:.1f} s)\n",
             s["claims"].dump(), s["proven"].dump(), s["verified"].dump(), s["refuted"].dump(),
             s["inconsistent"].dump(), s["reproduced"].dump(), s["not_reproducible"].dump(), s["unimplemented"].dump(),
             unexpected, seconds);
  if (!errors.empty()) throw Stop(exit_usage, fmt::format("{} errors in the ledger", errors.size()));
  if (unexpected > 0) throw Stop(exit_fail, "");
}

}  // namespace

void add_audit(CLI::App& app, const Context& context) {
  const auto o = std::make_shared<AuditOptions>();
  CLI::App* command = app.add_subcommand("audit", "settle what the papers claim, with the evidence");
  command->add_option("--paper", o->paper, "only this paper")->type_name("P");
  command->add_option("--claim", o->claim, "only claims whose id matches")->type_name("GLOB");
  add_seed(*command, o->seed);
  command->add_option("--out", o->out, "write audit.json into this folder")->type_name("DIR");
  o->output.add_to(*command);
  command->callback([o, &context] { run_audit(*o, context); });
}

}  // namespace assay::cli
