#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "problem/published.hpp"

namespace assay {

/// What is known of a published statement.
enum class ClaimVerdict {
  proven,            ///< shown for every case, in exact arithmetic or by evaluation at random points of fields
  verified,          ///< holds in every case tried, in floating point with a stated error
  refuted,           ///< a counterexample is at hand
  inconsistent,      ///< the sources contradict each other, or a printed number contradicts those beside it
  reproduced,        ///< seen again at a smaller scale than the source's
  not_reproducible,  ///< needs what is not public or not here: `needs` says what
  unimplemented,     ///< nothing here settles it
};

std::string_view name(ClaimVerdict verdict);

/// The verdict of a computation, and the numbers that it rests on.
struct Finding {
  ClaimVerdict verdict = ClaimVerdict::unimplemented;
  std::string evidence;  ///< what was computed beside what is published, with its rounding interval
};

/// A statement settled by computing its numbers anew.
struct Computation {
  std::string_view name;       ///< "sanatan.state_bytes"
  std::string_view statement;  ///< what is computed, in one line
  std::string_view source;     ///< key and place of the formula, resolved in oracle/references.md
  std::function<Finding(const Published&)> run;
};

}  // namespace assay
