#include "run/audit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay {
namespace {

/// Strongest first: the verdict of a claim is the last of these among its checks.
constexpr std::array by_strength{
    ClaimVerdict::proven,       ClaimVerdict::verified,      ClaimVerdict::reproduced, ClaimVerdict::not_reproducible,
    ClaimVerdict::inconsistent, ClaimVerdict::unimplemented, ClaimVerdict::refuted};

ClaimVerdict weaker(ClaimVerdict a, ClaimVerdict b) {
  const auto rank = [](ClaimVerdict v) { return std::find(by_strength.begin(), by_strength.end(), v); };
  return rank(a) < rank(b) ? b : a;
}

template <class Record>
const Record* find_by_name(std::span<const Record> records, std::string_view name) {
  for (const Record& record : records)
    if (record.name == name) return &record;
  return nullptr;
}

/// "in GF(2^61-1) and GF(2^31-1), 16 trials each, seed 1, total degree 8, false accept <= 2^-970"
std::string trials_text(const Law& law, const LawResult& result, std::uint64_t seed) {
  std::vector<std::string_view> arithmetics;
  for (const Check& check : law.checks) arithmetics.push_back(check.arithmetic);
  std::string text = fmt::format("in {}", fmt::join(arithmetics, " and "));
  if (law.proof == Proof::exactly && law.trials == 1) return text;
  text += fmt::format(", {} trial{}{}, seed {}", result.trials, result.trials == 1 ? "" : "s",
                      arithmetics.size() > 1 ? " each" : "", seed);
  if (law.proof == Proof::by_evaluation)
    text += fmt::format(", total degree {}, false accept <= 2^{:.0f}", law.degree, std::ceil(result.log2_false_accept));
  return text;
}

std::string_view proof_text(Proof proof) {
  switch (proof) {
    case Proof::exactly:
      return "exactly";
    case Proof::by_evaluation:
      return "by evaluation";
    case Proof::tested:
      return "in every trial";
  }
  return "";
}

Finding finding_of(const Law& law, const LawResult& result, std::uint64_t seed) {
  const std::string trials = trials_text(law, result, seed);
  if (result.verdict == LawResult::Verdict::fail)
    return {ClaimVerdict::refuted, fmt::format("{} ({}) fails {}: {}", law.name, law.statement, trials, result.text)};
  if (result.verdict == LawResult::Verdict::skipped || result.trials == 0)
    return {ClaimVerdict::unimplemented, fmt::format("{}: no trial counts, {} rejected{}{}", law.name, result.rejected,
                                                     result.text.empty() ? "" : ": ", result.text)};
  return {law.proof == Proof::tested ? ClaimVerdict::verified : ClaimVerdict::proven,
          fmt::format("{} ({}) holds {} {}{}{}", law.name, law.statement, proof_text(law.proof), trials,
                      result.text.empty() ? "" : ": ", result.text)};
}

/// A counterexample that holds refutes; one that does not hold settles nothing.
Finding as_counterexample(const Finding& finding) {
  if (finding.verdict == ClaimVerdict::proven || finding.verdict == ClaimVerdict::verified)
    return {ClaimVerdict::refuted, "counterexample: " + finding.evidence};
  return {ClaimVerdict::unimplemented, "the counterexample does not stand: " + finding.evidence};
}

class Auditor {
 public:
  Auditor(const Ledger& ledger, const Tables& tables, std::uint64_t seed)
      : ledger_(ledger), tables_(tables), seed_(seed) {}

  Audit run() {
    Audit audit{{}, ledger_.errors};
    for (const Claim& claim : ledger_.claims) audit.claims.push_back(judge(claim));
    audit.errors.insert(audit.errors.end(), errors_.begin(), errors_.end());
    return audit;
  }

 private:
  ClaimRecord judge(const Claim& claim) {
    ClaimRecord record{.id = claim.id,
                       .source = claim.source + ", " + claim.place,
                       .statement = claim.statement,
                       .verdict = ClaimVerdict::proven,
                       .expected = claim.expected,
                       .kind = claim.kind,
                       .command = command(claim)};
    const auto add = [&](const std::string& name, const Finding& finding) {
      const bool is_law = find_by_name(tables_.laws, name) != nullptr;
      record.verdict = weaker(record.verdict, finding.verdict);
      record.evidence.push_back({name.empty() ? "reason" : is_law ? "law" : "computation", name, finding.evidence});
    };
    for (const std::string& name : claim.checks) add(name, guarded(claim, name, [&] { return check(claim, name); }));
    for (const std::string& name : claim.counterexamples)
      add(name, guarded(claim, name, [&] { return counterexample(claim, name); }));
    if (record.evidence.empty()) add("", {ClaimVerdict::not_reproducible, "needs " + claim.needs});
    return record;
  }

  template <class F>
  Finding guarded(const Claim& claim, const std::string& name, F&& run) {
    try {
      return run();
    } catch (const std::exception& stopped) {
      return broken(claim, fmt::format("{} stopped: {}", name, stopped.what()));
    }
  }

  Finding broken(const Claim& claim, const std::string& what) {
    errors_.push_back({ledger_.file, claim.line, fmt::format("{}: {}", claim.id, what)});
    return {ClaimVerdict::unimplemented, what};
  }

  Finding check(const Claim& claim, const std::string& name) {
    if (const Law* law = find_by_name(tables_.laws, name)) return finding_of(*law, result(*law), seed_);
    if (const Computation* computation = find_by_name(tables_.computations, name)) {
      const Finding finding = computation->run(claim.published);
      return {finding.verdict, fmt::format("{}: {}", name, finding.evidence)};
    }
    return broken(claim, name + ": no law and no computation of that name");
  }

  Finding counterexample(const Claim& claim, const std::string& name) {
    if (const Law* law = find_by_name(tables_.laws, name))
      return as_counterexample(finding_of(*law, result(*law), seed_));
    return broken(claim, name + ": no law of that name");
  }

  const LawResult& result(const Law& law) {
    const auto found = results_.find(law.name);
    return found != results_.end() ? found->second
                                   : results_.emplace(law.name, tables_.try_law(law, seed_)).first->second;
  }

  /// `assay verify` for a claim that laws alone settle, `assay audit` for any other.
  std::string command(const Claim& claim) const {
    std::vector<std::string> laws = claim.checks;
    laws.insert(laws.end(), claim.counterexamples.begin(), claim.counterexamples.end());
    if (laws.size() == 1 && find_by_name(tables_.laws, laws.front()))
      return fmt::format("assay verify --law {} --seed {}", laws.front(), seed_);
    return fmt::format("assay audit --claim {}", claim.id);
  }

  const Ledger& ledger_;
  const Tables& tables_;
  const std::uint64_t seed_;
  std::map<std::string_view, LawResult> results_;
  std::vector<LedgerError> errors_;
};

}  // namespace

std::string evidence_text(const ClaimRecord& claim) {
  std::string text;
  for (const Evidence& e : claim.evidence) text += (text.empty() ? "" : "; ") + e.text;
  return text;
}

Audit audit(const Ledger& ledger, const Tables& tables, std::uint64_t seed) {
  return Auditor(ledger, tables, seed).run();
}

}  // namespace assay
