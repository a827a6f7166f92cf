#include "oracle/sfda/wide_map.hpp"

#include <cmath>

namespace assay::sfda {
namespace {

/// Whether entries of a row of second ∘ first may differ from 0.
void mark(const Affine<Cx<double>>& second, const WideMap& first, std::size_t i, char* row) {
  for (std::size_t k = 0; k < first.d; ++k) {
    if (second.A(i, k) == Cx<double>(0)) continue;
    const char* const of = &first.may_differ[k * first.columns];
    for (std::size_t j = 0; j < first.columns; ++j) row[j] |= of[j];
  }
  for (std::size_t j = first.d; j < first.columns; ++j) row[j] |= !(second.B(i, j - first.d) == Cx<double>(0));
}

/// acc += a x, term by term; x may be wider than a double.
struct Row {
  double *high, *low;

  void add(double a, const double* x, const double* x_low, std::size_t count) const {
    double* const h = high;
    double* const l = low;
    for (std::size_t j = 0; j < count; ++j) {
      const double p = a * x[j], s = h[j] + p, part = s - h[j];
      const double lost = (h[j] - (s - part)) + (p - part);
      const double rest = std::fma(a, x[j], -p) + a * x_low[j];
      h[j] = s;
      l[j] += lost + rest;
    }
  }
  void finish(std::size_t count) const {
    for (std::size_t j = 0; j < count; ++j) {
      const DoubleDouble x = two_sum(high[j], low[j]);
      high[j] = x.hi;
      low[j] = x.lo;
    }
  }
};

double frobenius(const Matrix<Cx<double>>& a) {
  double square = 0;
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (const Cx<double>& x : a.row(i)) square += x.re * x.re + x.im * x.im;
  return std::sqrt(square);
}

constexpr double enlarged = 1 + 0x1p-40;

}  // namespace

WideMap::WideMap(std::size_t rows, std::size_t columns_of_all)
    : d(rows),
      columns(columns_of_all),
      re(rows * columns_of_all),
      re_low(re.size()),
      im(re.size()),
      im_low(re.size()),
      radius(columns_of_all),
      may_differ(re.size()) {}

WideMap::WideMap(const Affine<Cx<double>>& map) : WideMap(map.A.rows(), map.A.cols() + map.B.cols()) {
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const Cx<double> x = j < d ? map.A(i, j) : map.B(i, j - d);
      re[i * columns + j] = x.re;
      im[i * columns + j] = x.im;
      may_differ[i * columns + j] = !(x == Cx<double>(0));
    }
}

double WideMap::norm(std::size_t j) const {
  double square = 0;
  for (std::size_t i = 0; i < d; ++i) square += std::pow(re[i * columns + j], 2) + std::pow(im[i * columns + j], 2);
  return std::sqrt(square) * enlarged;
}

double carried_error(std::size_t d) {
  const double terms = 2 * static_cast<double>(d) + 1;
  return 4 * terms * (terms + 2) * 0x1p-106;
}

WideMap carried(const Affine<Cx<double>>& second, const WideMap& first, double norm) {
  const std::size_t d = first.d, columns = first.columns;
  WideMap result(d, columns);
  for (std::size_t i = 0; i < d; ++i) {
    const Row re{&result.re[i * columns], &result.re_low[i * columns]};
    const Row im{&result.im[i * columns], &result.im_low[i * columns]};
    for (std::size_t k = 0; k < d; ++k) {
      const Cx<double> a = second.A(i, k);
      const std::size_t at = k * columns;
      re.add(a.re, &first.re[at], &first.re_low[at], columns);
      re.add(-a.im, &first.im[at], &first.im_low[at], columns);
      im.add(a.re, &first.im[at], &first.im_low[at], columns);
      im.add(a.im, &first.re[at], &first.re_low[at], columns);
    }
    for (std::size_t j = d; j < columns; ++j) {
      const double zero = 0;
      const Cx<double> b = second.B(i, j - d);
      Row{re.high + j, re.low + j}.add(1, &b.re, &zero, 1);
      Row{im.high + j, im.low + j}.add(1, &b.im, &zero, 1);
    }
    mark(second, first, i, &result.may_differ[i * columns]);
    re.finish(columns);
    im.finish(columns);
  }
  const double size = frobenius(second.A) * enlarged, error = carried_error(d);
  const double underflow = static_cast<double>(8 * d) * 0x1p-1022;
  for (std::size_t j = 0; j < columns; ++j) {
    double terms = size * (first.norm(j) + first.radius[j]);
    if (j >= d)
      for (std::size_t i = 0; i < d; ++i) terms += std::abs(second.B(i, j - d).re) + std::abs(second.B(i, j - d).im);
    result.radius[j] = enlarged * (norm * first.radius[j] + error * terms + underflow);
  }
  return result;
}

}  // namespace assay::sfda
