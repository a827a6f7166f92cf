#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "problem/computation.hpp"
#include "problem/published.hpp"

namespace assay {

/// One statement of a source: a row of properties/claims/<paper>.toml.
struct Claim {
  std::string id;         ///< "SAN-057", or "SAN-057a" for a part of a statement
  std::string source;     ///< key in oracle/references.md, or "own": derived here, no source says it
  std::string place;      ///< where in the source
  std::string statement;  ///< in the source's terms
  std::string kind;       ///< one of claim_kinds()
  std::string needs;      ///< what a full answer takes that is not here; empty where nothing is missing
  Published published;    ///< what the source prints for it
  ClaimVerdict expected = ClaimVerdict::unimplemented;
  std::string because;                       ///< why that verdict is expected
  std::vector<std::string> checks;           ///< laws and computations: all hold if the statement is true
  std::vector<std::string> counterexamples;  ///< laws: each holds only if the statement is false
  int line = 0;
};

/// One broken rule of a ledger.
struct LedgerError {
  std::string file;
  int line = 0;
  std::string rule;

  /// "claims/sanatan.toml:12: RULE"
  std::string text() const;
};

struct Ledger {
  std::string file;
  std::vector<Claim> claims;        ///< the rows that keep every rule, in the file's order
  std::vector<LedgerError> errors;  ///< one for each rule broken by a row
};

const std::vector<std::string_view>& claim_kinds();

/// The rows of a ledger's text. `file` names it in errors; published tables are read from tables/ beside it.
Ledger parse_ledger(std::string_view toml, const std::filesystem::path& file);

/// parse_ledger of a file's text. A file that cannot be read is one error.
Ledger read_ledger(const std::filesystem::path& file);

}  // namespace assay
