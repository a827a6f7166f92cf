#pragma once

#include <stdexcept>

namespace assay {

/// Whether the call leaves its domain: throws std::domain_error.
template <class Function>
bool refuses(Function function) {
  try {
    static_cast<void>(function());
    return false;
  } catch (const std::domain_error&) {
    return true;
  }
}

}  // namespace assay
