#pragma once

#include <cstddef>
#include <new>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "arith/double_double.hpp"

namespace assay {

/// A machine that the lane operations are compiled for.
enum class LanePath { portable, avx2, avx512 };

std::string_view name(LanePath path);

/// The paths this machine runs, narrowest first.
std::span<const LanePath> supported_lane_paths();

/// A value of the environment variable ASSAY_DD_PATH. Throws std::runtime_error when it names no path, or one that this
/// machine does not run.
LanePath lane_path_named(std::string_view asked);

/// The path that ASSAY_DD_PATH names; where it is not set, the widest supported one.
LanePath chosen_lane_path();

namespace dd {
struct LaneKernels;
}

/// Storage that begins on a cache line. Elements without a value are left unset.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }
  template <class U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U, class... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(std::forward<Args>(args)...);
  }
  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

/// rows x lanes double-doubles, high and low parts apart. Rows are padded with zeros to a multiple of eight lanes.
class LaneArray {
 public:
  /// Zeros.
  LaneArray(std::size_t rows, std::size_t lanes);

  /// Every entry is still to be set; the padding is zero.
  static LaneArray unset(std::size_t rows, std::size_t lanes);

  std::size_t rows() const { return rows_; }
  std::size_t lanes() const { return lanes_; }
  std::size_t stride() const { return stride_; }
  std::size_t padded_size() const { return hi_.size(); }

  DoubleDouble at(std::size_t row, std::size_t lane) const {
    return {hi_[row * stride_ + lane], lo_[row * stride_ + lane]};
  }
  void set(std::size_t row, std::size_t lane, DoubleDouble x) {
    hi_[row * stride_ + lane] = x.hi;
    lo_[row * stride_ + lane] = x.lo;
  }

  double* hi(std::size_t row = 0) { return hi_.data() + row * stride_; }
  double* lo(std::size_t row = 0) { return lo_.data() + row * stride_; }
  const double* hi(std::size_t row = 0) const { return hi_.data() + row * stride_; }
  const double* lo(std::size_t row = 0) const { return lo_.data() + row * stride_; }

 private:
  LaneArray() = default;

  std::size_t rows_ = 0, lanes_ = 0, stride_ = 0;
  std::vector<double, CacheLineAllocator<double>> hi_, lo_;
};

struct SinCosLanes {
  LaneArray sin;
  LaneArray cos;
};

/// Double-double operations on whole arrays: those of double_double.hpp and dd_elementary.hpp on every entry, with the
/// same bounds and, on every path, the same bits. Shapes that differ throw std::invalid_argument; arguments outside a
/// function's domain throw std::domain_error with the first of them.
class LaneArithmetic {
 public:
  explicit LaneArithmetic(LanePath path = chosen_lane_path());

  LanePath path() const { return path_; }
  const dd::LaneKernels& kernels() const { return *kernels_; }

  LaneArray add(const LaneArray& a, const LaneArray& b) const;
  LaneArray multiply(const LaneArray& a, const LaneArray& b) const;
  LaneArray divide(const LaneArray& a, const LaneArray& b) const;
  LaneArray exp(const LaneArray& x) const;
  LaneArray tanh(const LaneArray& x) const;
  SinCosLanes sincos(const LaneArray& x) const;

  /// y[row_y] += a x[row_x]: |error| <= 4u^2 |a x| + (3u^2 + 13u^3) |result|, per lane.
  void add_multiple(LaneArray& y, std::size_t row_y, DoubleDouble a, const LaneArray& x, std::size_t row_x) const;

 private:
  LanePath path_;
  const dd::LaneKernels* kernels_;
};

}  // namespace assay
