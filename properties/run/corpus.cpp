#include "properties/corpus.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "kernels/table.hpp"
#include "oracle/table.hpp"
#include "problem/exchange.hpp"
#include "properties/identity.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"
#include "properties/table.hpp"

namespace assay {
namespace {

const KernelLaw& law_named(const std::string& name) {
  const auto it = std::ranges::find(kernel_law_table(), name, &KernelLaw::name);
  if (it == kernel_law_table().end()) throw std::invalid_argument(fmt::format("corpus/{}: no law is called so", name));
  return *it;
}

/// The law of a recorded case on every kernel that takes it. How many kernels that was is added to `tried`.
Outcome passes(const CorpusEntry& entry, int& tried) {
  const StoredCase stored = read_case(entry.folder);
  const KernelLaw& law = law_named(entry.law);
  FirstFailure found;
  for (const Kernel& kernel : kernel_table()) {
    if (kernel.op != stored.c.op || !kernel.refusal(stored.c).empty()) continue;
    const auto oracle = std::ranges::find(oracle_table(), kernel.op, &Oracle::op);
    Draw draw(stored.c.seed, law.name, 0);
    const Outcome outcome = try_law(law, {kernel, *oracle, stored.c, draw});
    tried += outcome.kind != Outcome::Kind::rejected;
    if (outcome.kind == Outcome::Kind::fails)
      found.note(Outcome::fails(fmt::format("{}: {}: {}", entry.folder.string(), kernel.name, outcome.text)));
  }
  return found.outcome();
}

/// What the planted fault with the folder's name does there.
Outcome still_fails(const CorpusEntry& entry, const Mutant& mutant) {
  const StoredCase stored = read_case(entry.folder);
  const auto oracle = std::ranges::find(oracle_table(), mutant.kernel.op, &Oracle::op);
  const KernelLaw& law = law_named(entry.law);
  Draw draw(stored.c.seed, law.name, 0);
  return holds_if(try_law(law, {mutant.kernel, *oracle, stored.c, draw}).kind == Outcome::Kind::fails,
                  entry.folder.string() + ": the planted fault passes");
}

Outcome faults_fail() {
  int faults = 0;
  FirstFailure found;
  for (const CorpusEntry& entry : corpus()) {
    const auto mutant = std::ranges::find(mutant_table(), entry.folder.filename().string(), &Mutant::name);
    if (mutant == mutant_table().end() || mutant->stale) continue;
    ++faults;
    found.note(still_fails(entry, *mutant));
  }
  found.note(holds_if(faults > 0, "no case is of a planted fault"));
  return found.outcome();
}

Outcome all_pass() {
  const std::vector<CorpusEntry> entries = corpus();
  FirstFailure found;
  found.note(holds_if(!entries.empty(), "properties/corpus holds no case"));
  for (const CorpusEntry& entry : entries) {
    int tried = 0;
    found.note(passes(entry, tried));
    found.note(holds_if(tried > 0, entry.folder.string() + ": no kernel takes the case"));
  }
  return found.outcome();
}

}  // namespace

std::vector<Law> run_corpus_laws() {
  return {{"corpus.recorded_counterexamples_pass",
           "every case that a fault once failed on passes its law, on every kernel that takes it",
           "",
           Proof::tested,
           0,
           1,
           {{"cases", 0, [](Draw&) { return try_once([] { return all_pass(); }); }}}},
          {"corpus.planted_faults_fail_their_counterexamples",
           "a recorded case of a planted fault still tells it",
           "",
           Proof::tested,
           0,
           1,
           {{"cases", 0, [](Draw&) { return try_once([] { return faults_fail(); }); }}}}};
}

}  // namespace assay
