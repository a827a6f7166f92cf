#pragma once

#include <stdexcept>

#include "problem/case.hpp"

namespace assay {

/// over<F>() of the prime field that the case's elements are of. Throws std::logic_error where they are real.
template <class Over>
auto over_element(const Case& c, Over over) {
  switch (c.element) {
    case Format::gf61:
      return over.template operator()<F61>();
    case Format::gf31:
      return over.template operator()<F31>();
    default:
      throw std::logic_error("over a field: the case's elements are real");
  }
}

}  // namespace assay
