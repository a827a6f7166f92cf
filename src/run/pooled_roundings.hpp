#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// The roundings of each kernel and output, pooled over the cases of a run. A case counts once, whatever its size: its
/// elements share inputs and sums, cases share nothing.
class PooledRoundings {
 public:
  /// Takes in a row of results[].
  void take(const Json& result);

  /// roundings[] of a record: bias, the mean over the cases, in predicted deviations, where 0 is due; z, that mean in
  /// units of its own deviation; sigma_ratio, the errors' deviation by the predicted one. Fails where |z| > 8, or where
  /// an output's last rounding alone makes the error and sigma_ratio is not in 0.7 ... 1.3. Undecided below 32 cases.
  Json rows() const;

 private:
  struct Samples {
    std::uint64_t elements = 0;
    std::vector<double> biases, squares;
  };
  std::map<std::pair<std::string, std::string>, Samples> samples_;
};

/// One line for every row of roundings[] that fails.
std::string failed_roundings_text(const Json& rows);

}  // namespace assay
