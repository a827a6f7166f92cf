#include "problem/step_kind.hpp"

#include <stdexcept>

namespace assay {

std::string_view name_of(StepKind kind) {
  switch (kind) {
    case StepKind::elementary:
      return "elementary";
    case StepKind::decayed:
      return "decayed";
    case StepKind::product:
      return "product";
    case StepKind::operand:
      return "operand";
    case StepKind::accumulate:
      return "accumulate";
    case StepKind::state:
      return "state";
    case StepKind::output:
      return "output";
  }
  throw std::logic_error("a kind of step without a name");
}

}  // namespace assay
