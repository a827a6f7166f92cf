#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/computation.hpp"
#include "run/ledger.hpp"
#include "run/tables.hpp"

namespace assay {

/// What one check found.
struct Evidence {
  std::string check;  ///< law, computation or reason
  std::string name;   ///< of the law or computation; empty for a reason
  std::string text;   ///< the numbers
};

/// What the audit says of one claim.
struct ClaimRecord {
  std::string id;
  std::string source;     ///< key and place
  std::string statement;  ///< the source's
  ClaimVerdict verdict = ClaimVerdict::unimplemented;
  ClaimVerdict expected = ClaimVerdict::unimplemented;
  std::string kind;
  std::vector<Evidence> evidence;  ///< one a check
  std::string command;             ///< what prints that evidence again

  bool agrees() const { return verdict == expected; }
};

/// The texts of a claim's evidence in one line.
std::string evidence_text(const ClaimRecord& claim);

struct Audit {
  std::vector<ClaimRecord> claims;
  std::vector<LedgerError> errors;  ///< the ledger's own, then names that resolve to nothing and checks that stopped
};

/// One record a claim. A claim takes the weakest verdict among its checks; a counterexample that holds refutes it.
Audit audit(const Ledger& ledger, const Tables& tables, std::uint64_t seed);

}  // namespace assay
