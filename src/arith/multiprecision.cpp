#include "arith/multiprecision.hpp"

namespace assay {
namespace {

template <class M>
DoubleDouble nearest_pair(const M& x) {
  const double hi = x.template convert_to<double>();
  return {hi, M(x - M(hi)).template convert_to<double>()};
}

}  // namespace

template <class M>
M to_mpfr(DoubleDouble x) {
  return M(x.hi) + M(x.lo);
}
template Mpfr50 to_mpfr<Mpfr50>(DoubleDouble);
template Mpfr100 to_mpfr<Mpfr100>(DoubleDouble);

DoubleDouble to_double_double(const Mpfr50& x) { return nearest_pair(x); }
DoubleDouble to_double_double(const Mpfr100& x) { return nearest_pair(x); }

}  // namespace assay
