#include "arith/double_double.hpp"

#include <cmath>

#include <fmt/format.h>

namespace assay {

std::string exact_text(DoubleDouble x) {
  return x.lo == 0 ? fmt::format("{:a}", x.hi)
                   : fmt::format("{:a} {} {:a}", x.hi, x.lo < 0 ? '-' : '+', std::abs(x.lo));
}

std::ostream& operator<<(std::ostream& out, DoubleDouble x) { return out << exact_text(x); }

}  // namespace assay
