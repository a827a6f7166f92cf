#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <boost/numeric/interval.hpp>

#include "arith/rational.hpp"

namespace assay {

namespace detail {

/// Rationals have no infinity, so a quotient without bound throws std::domain_error.
struct BoundedIntervals : boost::numeric::interval_lib::checking_strict<Rational> {
  static Rational pos_inf() { throw std::domain_error("division by an interval around 0"); }
  static Rational neg_inf() { return pos_inf(); }
};

}  // namespace detail

/// Closed intervals of rationals, with exact + - * and /.
using Interval = boost::numeric::interval<
    Rational, boost::numeric::interval_lib::policies<boost::numeric::interval_lib::save_state_nothing<
                                                         boost::numeric::interval_lib::rounded_arith_exact<Rational>>,
                                                     detail::BoundedIntervals>>;

/// Every value that a printed number may be the rounding of: "75.5" is [75.45, 75.55].
///
/// Thousands may have commas. A unit scales (K, M, B, %) or does not (x, ms, GB/s); with a unit, a fraction or an
/// exponent, half a unit of the last digit is allowed on both sides: "22K" is [21500, 22500]. A bare integer is exact.
/// Throws std::invalid_argument for anything else.
Interval printed(std::string_view text);

/// "195", "14.37696", "3.202614" (seven digits where there are more).
std::string decimal(const Rational& value);

/// "[14.3765, 14.3775]", or one number where both ends print alike.
std::string decimal(const Interval& interval);

}  // namespace assay
