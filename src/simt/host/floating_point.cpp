#include "simt/host/floating_point.hpp"

#include <cfenv>

#include "simt/options.hpp"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace assay::simt::runtime {

void require_ieee_arithmetic() {
#if defined(__SSE__)
  constexpr unsigned flush_to_zero = 0x8000;
  constexpr unsigned denormals_are_zero = 0x0040;
  if ((_mm_getcsr() & (flush_to_zero | denormals_are_zero)) != 0)
    throw Error("simt: subnormal numbers are flushed to zero: something was built or linked with -ffast-math");
#endif
  if (std::fegetround() != FE_TONEAREST) throw Error("simt: the rounding mode is not to nearest");
}

}  // namespace assay::simt::runtime
