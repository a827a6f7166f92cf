#pragma once

#include <string>

#include "cli/command.hpp"

namespace assay::cli {

/// What a command judged, for the last lines that it prints.
struct Judged {
  std::string what;   ///< "40 cases of 1 kernels, 21 laws"
  std::string where;  ///< "seed 1"
  double seconds = 0;
  bool strict = false;
};

/// Writes a verify record with this body and tells people its summary. Ends the command with Stop, and no line, unless
/// it passes: exit_fail for any fail (strict: or suspect), exit_undecided under strict.
void conclude(const Json& body, const Judged& judged, const Output& output, const Context& context);

}  // namespace assay::cli
