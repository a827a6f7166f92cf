#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "arith/dd_lanes.hpp"
#include "arith/double_double.hpp"
#include "arith/lane_kernels.hpp"

namespace assay {

using CacheLineDoubles = std::vector<double, CacheLineAllocator<double>>;

/// One array of doubles, or two: the planes of complex numbers.
struct PlanePair {
  CacheLineDoubles re, im;

  PlanePair(std::size_t count, bool complex) : re(count, 0.0), im(complex ? count : 0, 0.0) {}
  bool complex() const { return !im.empty(); }
  CacheLineDoubles& part(std::size_t i) { return i == 0 ? re : im; }
  const CacheLineDoubles& part(std::size_t i) const { return i == 0 ? re : im; }
};

/// What one step does to 2-norms. Every number is an upper bound but beta.
struct DeltaNorms {
  double beta = 0;
  double key = 0;         ///< |k|
  double query = 0;       ///< |q|
  double decay = 0;       ///< max |lambda|
  double erasure = 1;     ///< |I - beta k k*|
  double transition = 1;  ///< |(I - beta k k*) Lambda|
  double growth = 1;      ///< of the product of the block's transitions up to this one
};

/// Up to dd::block_steps tokens, the same for all lanes. Rows have `stride` entries, zeros beyond `features`.
struct DeltaTokens {
  DeltaTokens(std::size_t steps, std::size_t features, bool complex);

  std::size_t steps, features, stride;
  PlanePair k, q;                  ///< [steps, stride]
  PlanePair lambda_hi, lambda_lo;  ///< [steps, stride]
  double lambda_error = 0;         ///< |computed - true| <= lambda_error * decay + 2^-1020, for every lambda
  std::vector<DeltaNorms> norms;   ///< [steps]
};

/// Outputs of a block of tokens, [steps, lanes], rows padded to `stride`. A radius holds for each plane; it is
/// infinite, and the values are no numbers, where a lane left the range of double-double.
struct DeltaOutputs {
  DeltaOutputs(std::size_t lanes, bool complex);

  std::size_t stride;
  PlanePair hi, lo;
  CacheLineDoubles radius;
};

/// The delta rule on every lane j, a column of S, with a certificate:
///
///     S' = Lambda_t S,    w = beta_t (v_t - S'* k_t),    S = S' + k_t w*,    o_t = S* q_t
///
/// Sums are windowed, in windows that follow the norm of each lane's state. A step adds to the 2-norm of a lane's error
/// what it rounds, and multiplies what was there by at most the norm of its transition; see bounds.md, section 5. Lanes
/// that are zero stay zero, with radius 0. What is given is 0 or within 2^±150, |lambda| at most 1; features <= 2^17.
class DeltaScan {
 public:
  /// From `initial` [features, lanes].
  DeltaScan(std::size_t features, std::size_t lanes, const PlanePair& initial,
            const LaneArithmetic& arithmetic = LaneArithmetic());

  /// From where another scan of these sizes was when it gave `saved`. Throws std::invalid_argument for another size.
  DeltaScan(std::size_t features, std::size_t lanes, bool complex, std::span<const double> saved,
            const LaneArithmetic& arithmetic = LaneArithmetic());

  /// `v` [steps, outputs.stride].
  void advance(const DeltaTokens& tokens, const PlanePair& v, DeltaOutputs& outputs);

  /// The product of all transitions since the last anchor, or the start, has a 2-norm of at most `growth`: where that
  /// is less than what the blocks' growths make of it, errors older than the anchor have grown by no more. The next
  /// anchor.
  void anchor(double growth);

  /// All that another scan needs to go on with the same bits. To be asked for at an anchor.
  std::vector<double> saved() const;

  /// Plane 0 or 1 (re or im) of entry (feature, lane).
  DoubleDouble state(std::size_t plane, std::size_t feature, std::size_t lane) const;
  /// The 2-norm of a lane's error is at most this; infinite where the lane left the range.
  double radius(std::size_t lane) const { return radius_[lane]; }

 private:
  DeltaScan(std::size_t features, std::size_t lanes, bool complex, const LaneArithmetic& arithmetic);

  std::size_t offset(std::size_t feature, std::size_t lane) const;

  /// Calls use(array) for everything that `saved` holds, in its order.
  template <class Scan, class Use>
  static void for_each_saved(Scan& scan, Use use);

  const dd::LaneKernels* kernels_;
  std::size_t features_, lanes_;  ///< padded
  PlanePair hi_, lo_;
  CacheLineDoubles width_, largest_width_;
  CacheLineDoubles radius_, added_radius_;         ///< of the state, and what the last block added to it
  CacheLineDoubles anchor_radius_, since_anchor_;  ///< at the anchor, and what all blocks since added
};

}  // namespace assay
