#pragma once

#include <vector>

#include "arith/float_format.hpp"
#include "properties/identity.hpp"

namespace assay {

/// `trial` is a generic lambda `[]<class T>(Draw&) -> Outcome`.
template <class... Formats, class Trial>
std::vector<Check> over_formats(Trial trial) {
  const auto check = [trial]<class T>(T) {
    return Check{format_of<T>.name, 0,
                 [trial](Draw& draw) { return try_once([&] { return trial.template operator()<T>(draw); }); }};
  };
  return {check(Formats{})...};
}

}  // namespace assay
