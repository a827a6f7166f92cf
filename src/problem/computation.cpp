#include "problem/computation.hpp"

namespace assay {

std::string_view name(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::proven:
      return "proven";
    case ClaimVerdict::verified:
      return "verified";
    case ClaimVerdict::refuted:
      return "refuted";
    case ClaimVerdict::inconsistent:
      return "inconsistent";
    case ClaimVerdict::reproduced:
      return "reproduced";
    case ClaimVerdict::not_reproducible:
      return "not_reproducible";
    case ClaimVerdict::unimplemented:
      return "unimplemented";
  }
  return "unimplemented";
}

}  // namespace assay
