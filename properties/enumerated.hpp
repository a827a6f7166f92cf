#pragma once

#include <string_view>

#include "problem/law.hpp"
#include "properties/identity.hpp"

namespace assay {

/// A statement that draws nothing: one call enumerates its cases, or computes what leaves none out.
template <class Run>
Law enumerated(std::string_view name, std::string_view statement, std::string_view source, std::string_view arithmetic,
               Run run) {
  return {name, statement, source, Proof::exactly, 0, 1, {{arithmetic, 0, [run](Draw&) { return try_once(run); }}}};
}

}  // namespace assay
