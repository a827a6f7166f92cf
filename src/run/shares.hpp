#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "problem/kernel.hpp"
#include "record/record.hpp"

namespace assay {

/// What share of a run's cases decides nothing, vacuous or indeterminate, by kernel and family.
class Shares {
 public:
  /// Takes in a row of results[].
  void take(const Kernel& kernel, const std::string& family, const Json& result);

  /// shares[] of a record.
  Json rows() const;

  /// Quantiles over all cases of their median smallest detectable fault; null where no case has a bound above 0.
  Json detectable_fault() const;

 private:
  struct Cell {
    std::uint64_t cases = 0, undecided = 0, undecided_small = 0;
    double amplification = 0;  ///< 0: the contract does not list the cell
    std::vector<double> faults;
  };
  std::map<std::pair<std::string, std::string>, Cell> cells_;
};

/// Why an acceptance run with these shares decides too little: the cell with its counts and the limit, in one line;
/// empty if it decides enough. Undecided may be
///   2 % of all cases;
///   a tenth of the cases of a cell that the contract does not list as ill-conditioned, but always one;
///   none with T ≤ 64 and d ≤ 64 of such a cell;
///   three quarters of the cases of a listed cell, but always one.
std::string undecided_beyond_limits(const Json& shares);

}  // namespace assay
