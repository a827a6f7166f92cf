#include "arith/dd_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "arith/dd_elementary.hpp"
#include "arith/lane_kernels.hpp"

namespace assay {
namespace {

constexpr LanePath all_paths[] = {LanePath::portable, LanePath::avx2, LanePath::avx512};

bool runs_here(LanePath path) {
#ifdef ASSAY_X86_LANE_PATHS
  switch (path) {
    case LanePath::portable:
      return true;
    case LanePath::avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case LanePath::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
  }
#endif
  return path == LanePath::portable;
}

const dd::LaneKernels& kernels_of(LanePath path) {
#ifdef ASSAY_X86_LANE_PATHS
  if (path == LanePath::avx512) return dd::avx512_kernels;
  if (path == LanePath::avx2) return dd::avx2_kernels;
#endif
  return dd::portable_kernels;
}

dd::ConstPairs pairs(const LaneArray& a) { return {a.hi(), a.lo()}; }
dd::Pairs pairs(LaneArray& a) { return {a.hi(), a.lo()}; }

void require_same_shape(std::string_view operation, const LaneArray& a, const LaneArray& b) {
  if (a.rows() != b.rows() || a.lanes() != b.lanes())
    throw std::invalid_argument(fmt::format("{} of {} x {} and {} x {} lanes: the shapes must be equal", operation,
                                            a.rows(), a.lanes(), b.rows(), b.lanes()));
}

std::size_t padded(std::size_t lanes) {
  return (lanes + dd::lane_multiple - 1) / dd::lane_multiple * dd::lane_multiple;
}

/// Padding is zero again after an operation that made something else of it.
LaneArray with_zero_padding(LaneArray a) {
  for (std::size_t row = 0; row < a.rows(); ++row)
    for (std::size_t lane = a.lanes(); lane < a.stride(); ++lane) a.set(row, lane, 0.0);
  return a;
}

template <class InDomain>
void require_domain(std::string_view function, std::string_view rule, const LaneArray& x, InDomain in_domain) {
  const double* const end = x.hi() + x.padded_size();
  const double* const outside = std::find_if_not(x.hi(), end, in_domain);
  if (outside != end) throw std::domain_error(fmt::format("{}({:a}): needs {}", function, *outside, rule));
}

}  // namespace

std::string_view name(LanePath path) {
  switch (path) {
    case LanePath::avx512:
      return "avx512";
    case LanePath::avx2:
      return "avx2";
    default:
      return "portable";
  }
}

std::span<const LanePath> supported_lane_paths() {
  static const std::vector<LanePath> paths = [] {
    std::vector<LanePath> found;
    std::copy_if(std::begin(all_paths), std::end(all_paths), std::back_inserter(found), runs_here);
    return found;
  }();
  return paths;
}

LanePath lane_path_named(std::string_view asked) {
  for (const LanePath path : all_paths) {
    if (name(path) != asked) continue;
    if (!runs_here(path))
      throw std::runtime_error(fmt::format("ASSAY_DD_PATH = {}: this machine does not run it", asked));
    return path;
  }
  throw std::runtime_error(fmt::format("ASSAY_DD_PATH = {}: needs avx512, avx2 or portable", asked));
}

LanePath chosen_lane_path() {
  const char* const asked = std::getenv("ASSAY_DD_PATH");
  return asked == nullptr ? supported_lane_paths().back() : lane_path_named(asked);
}

LaneArray::LaneArray(std::size_t rows, std::size_t lanes) : rows_(rows), lanes_(lanes), stride_(padded(lanes)) {
  hi_.assign(rows * stride_, 0.0);
  lo_.assign(rows * stride_, 0.0);
}

LaneArray LaneArray::unset(std::size_t rows, std::size_t lanes) {
  LaneArray a;
  a.rows_ = rows;
  a.lanes_ = lanes;
  a.stride_ = padded(lanes);
  a.hi_.resize(rows * a.stride_);
  a.lo_.resize(rows * a.stride_);
  return with_zero_padding(std::move(a));
}

LaneArithmetic::LaneArithmetic(LanePath path) : path_(path), kernels_(&kernels_of(path)) {
  if (!runs_here(path)) throw std::runtime_error(fmt::format("lane path {}: this machine does not run it", name(path)));
}

LaneArray LaneArithmetic::add(const LaneArray& a, const LaneArray& b) const {
  require_same_shape("sum", a, b);
  LaneArray out = LaneArray::unset(a.rows(), a.lanes());
  kernels_->add(out.padded_size(), pairs(out), pairs(a), pairs(b));
  return out;
}

LaneArray LaneArithmetic::multiply(const LaneArray& a, const LaneArray& b) const {
  require_same_shape("product", a, b);
  LaneArray out = LaneArray::unset(a.rows(), a.lanes());
  kernels_->multiply(out.padded_size(), pairs(out), pairs(a), pairs(b));
  return out;
}

LaneArray LaneArithmetic::divide(const LaneArray& a, const LaneArray& b) const {
  require_same_shape("quotient", a, b);
  LaneArray out = LaneArray::unset(a.rows(), a.lanes());
  kernels_->divide(out.padded_size(), pairs(out), pairs(a), pairs(b));
  return with_zero_padding(std::move(out));
}

LaneArray LaneArithmetic::exp(const LaneArray& x) const {
  require_domain("exp", "x <= 709", x, [](double h) { return h <= double_double_bound::largest_exp_argument; });
  LaneArray out = LaneArray::unset(x.rows(), x.lanes());
  kernels_->exp(out.padded_size(), pairs(out), pairs(x), dd_tables());
  return with_zero_padding(std::move(out));
}

LaneArray LaneArithmetic::tanh(const LaneArray& x) const {
  require_domain("tanh", "a number", x, [](double h) { return !std::isnan(h); });
  LaneArray out = LaneArray::unset(x.rows(), x.lanes());
  kernels_->tanh(out.padded_size(), pairs(out), pairs(x), dd_tables());
  return out;
}

SinCosLanes LaneArithmetic::sincos(const LaneArray& x) const {
  require_domain("sincos", "|x| <= 2^32", x,
                 [](double h) { return std::abs(h) <= double_double_bound::largest_sincos_argument; });
  SinCosLanes out{LaneArray::unset(x.rows(), x.lanes()), LaneArray::unset(x.rows(), x.lanes())};
  kernels_->sincos(x.padded_size(), pairs(out.sin), pairs(out.cos), pairs(x), dd_tables());
  out.cos = with_zero_padding(std::move(out.cos));
  return out;
}

void LaneArithmetic::add_multiple(LaneArray& y, std::size_t row_y, DoubleDouble a, const LaneArray& x,
                                  std::size_t row_x) const {
  if (y.lanes() != x.lanes() || row_y >= y.rows() || row_x >= x.rows())
    throw std::invalid_argument(
        fmt::format("y[{}] += a x[{}] with y {} x {} and x {} x {} lanes: needs rows that "
                    "exist and as many lanes",
                    row_y, row_x, y.rows(), y.lanes(), x.rows(), x.lanes()));
  kernels_->add_multiple(y.stride(), {y.hi(row_y), y.lo(row_y)}, a.hi, a.lo, {x.hi(row_x), x.lo(row_x)});
}

}  // namespace assay
