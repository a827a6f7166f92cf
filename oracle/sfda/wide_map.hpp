#pragma once

#include <cstddef>
#include <vector>

#include "arith/complex.hpp"
#include "arith/double_double.hpp"
#include "oracle/matrix.hpp"
#include "oracle/sfda/affine.hpp"

namespace assay::sfda {

/// [P | Z] of a map S ↦ P S + Z in double-double: [d, d + dv] complex numbers in planes, and how far each column may be
/// from the truth, in its 2-norm.
struct WideMap {
  std::size_t d = 0, columns = 0;
  std::vector<double> re, re_low, im, im_low;
  std::vector<double> radius;    ///< [columns]
  std::vector<char> may_differ;  ///< [d, columns]: whether an entry may be anything but 0; a 0 that may not is exact

  WideMap(std::size_t rows, std::size_t columns_of_all);
  explicit WideMap(const Affine<Cx<double>>& map);  ///< exact

  Cx<DoubleDouble> operator()(std::size_t i, std::size_t j) const {
    const std::size_t at = i * columns + j;
    return {{re[at], re_low[at]}, {im[at], im_low[at]}};
  }
  double norm(std::size_t j) const;  ///< of column j, at least
  double radius_of(std::size_t i, std::size_t j) const { return may_differ[i * columns + j] ? radius[j] : 0; }
};

/// Error of an entry of `carried`, beside the sum of the sizes of its terms (bounds.md D7).
double carried_error(std::size_t d);

/// second ∘ first with the entries of `second` exact. `norm` bounds ‖P_2‖₂.
///
/// Error, added to the radius: a component is a sum of 2d + 1 terms in double-double, wrong by at most carried_error(d)
/// beside the sum of their sizes, which |P_2|_F |column| bounds in the 2-norm of a column.
WideMap carried(const Affine<Cx<double>>& second, const WideMap& first, double norm);

}  // namespace assay::sfda
