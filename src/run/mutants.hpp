#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "record/record.hpp"
#include "run/tables.hpp"

namespace assay {

/// How hard a mutant is looked for.
struct MutantSearch {
  std::uint64_t seed = 1;
  std::uint64_t cases = 60;  ///< a mutant that survives so many is missed
};

/// Whether the mutant's base is of such a paper, a glob; one without such a kernel is an error for every paper.
bool is_of_paper(const Mutant& mutant, std::string_view paper, const Tables& tables);

/// Tries cases on every mutant until one fails that is not vacuous and that the base passes.
/// Returns summary and mutants[] of a record; `progress(done, total)` is called a mutant.
Json search_mutants(const std::vector<const Mutant*>& mutants, const Tables& tables, const MutantSearch& search,
                    const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace assay
