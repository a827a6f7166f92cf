#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "problem/families.hpp"
#include "record/record.hpp"
#include "run/tables.hpp"

namespace assay {

/// What a campaign runs. Empty globs stand for everything.
struct Campaign {
  std::vector<const Kernel*> kernels;
  std::vector<const Law*> laws;
  std::vector<const KernelLaw*> kernel_laws;
  std::string family = "*";
  std::uint64_t cases = 200;
  std::uint64_t seed = 1;
  bool all_results = false;
  unsigned processes = 0;
  std::filesystem::path counterexamples = {};  ///< where shrunk cases go; empty: nowhere
};

/// One input of one kernel, and the law it is also tried on.
struct Deal {
  const Kernel* kernel;
  const Family* family;
  const KernelLaw* law;  ///< nullptr: none is left for this kernel
  std::uint64_t seed;
};

/// Deals the cases so that every kernel x family x law is met before any is met twice. A single case gets the
/// campaign's seed itself, so that a result's seed replays it.
std::vector<Deal> deal(const Campaign& campaign);

/// Called as answers arrive: how many of how many jobs are done, and the mismatch block of one that failed.
using Progress = std::function<void(std::size_t done, std::size_t total, const std::string& mismatch)>;

/// summary, counts, laws and results of a verify record.
Json run_campaign(const Campaign& campaign, const Tables& tables, const Progress& progress);

}  // namespace assay
