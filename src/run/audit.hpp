#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/computation.hpp"
#include "run/ledger.hpp"
#include "run/tables.hpp"

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

/// One record a claim. A claim takes the weakest verdict among its checks; a counterexample that holds refutes it.
Audit audit(const Ledger& ledger, const Tables& tables, std::uint64_t seed);

}  // namespace assay
