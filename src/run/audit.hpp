#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "problem/computation.hpp"
#include "problem/law.hpp"
#include "problem/law_result.hpp"
#include "run/ledger.hpp"

namespace assay {

/// What the audit says of one claim.
struct ClaimRecord {
  std::string id;
  ClaimVerdict verdict = ClaimVerdict::unimplemented;
  ClaimVerdict expected = ClaimVerdict::unimplemented;
  std::string kind;
  std::string evidence;  ///< the numbers behind the verdict, one sentence a check
  std::string command;   ///< what prints that evidence again

  bool agrees() const { return verdict == expected; }
};

struct Audit {
  std::vector<ClaimRecord> claims;
  std::vector<LedgerError> errors;  ///< the ledger's own, then names that resolve to nothing and checks that stopped
};

/// The tables that claims are checked against, and the way a law is run.
struct AuditTables {
  std::span<const Law> laws;
  std::span<const Computation> computations;
  std::function<LawResult(const Law&)> run_law;
};

/// One record a claim. A claim takes the weakest verdict among its checks; a counterexample that holds refutes it.
Audit audit(const Ledger& ledger, const AuditTables& tables);

}  // namespace assay
