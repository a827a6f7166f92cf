#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "problem/published.hpp"

namespace assay {

/// How far counters z ← e^{2πi a/m} z come from their exact phase, or from the unit circle, over random increments.
struct PhaseDrift {
  std::string error;   ///< "phase" or "norm"
  std::string format;  ///< "f64" or "f32"
  std::size_t steps = 0;
  std::vector<std::size_t> moduli;
  std::vector<double> measured;  ///< for each modulus, the largest over the steps
  std::string published;         ///< as printed; empty: nothing is
  std::string place;             ///< where, "table 5"
};

/// Counters modulo 2, 3, 5 and 7 in both formats at T = 5000 and 16384, beside what tables 5 and 8 print.
/// Source: [SFDA] tables 5 and 8, App. H.1. `checks` is claims/tables/sfda_numeric_checks.csv.
std::vector<PhaseDrift> phase_drifts(const PublishedTable& checks);

}  // namespace assay
