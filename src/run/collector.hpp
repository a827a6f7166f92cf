#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "problem/kernel_law.hpp"
#include "record/record.hpp"
#include "run/pooled_roundings.hpp"
#include "run/shares.hpp"

namespace assay {

/// Collects the answers of trials into a verify record.
class Collector {
 public:
  explicit Collector(bool all_results) : all_results_(all_results) {}

  /// Takes the answer of try_case. Returns what is to be told of it: mismatch blocks, or nothing.
  std::string take(const Kernel& kernel, const std::string& family, const KernelLaw* law, const Json& answer);

  /// summary, counts, laws (those given first), results and cost. `dealt` trials were to be made.
  Json body(const std::vector<Json>& laws, std::uint64_t dealt) const;

 private:
  /// One row of laws[]: a kernel law with one kernel.
  struct LawRow {
    const KernelLaw* law = nullptr;
    std::uint32_t trials = 0;
    double seconds = 0;
    std::string text;
  };

  std::string take_law(const Kernel& kernel, const KernelLaw& law, const Json& answer);
  void keep(const std::string& cell, const Json& result);
  Json summary(std::size_t laws, std::uint64_t dealt) const;
  Json counts() const;
  Json results() const;

  bool all_results_;
  std::map<std::string, std::uint64_t> verdicts_, by_kernel_, by_family_;
  std::map<std::string, LawRow> law_rows_;
  Shares shares_;
  PooledRoundings roundings_;
  std::vector<Json> kept_;                  ///< everything that is not pass; with all_results everything
  std::map<std::string, Json> worst_pass_;  ///< by kernel and family
  std::uint64_t vacuous_ = 0, degenerate_ = 0, executions_ = 0, multiply_adds_ = 0;
};

}  // namespace assay
