#pragma once

namespace assay::simt {

/// Where the elements of a warp's tiles lie, for D [16,8] = A [16,k] B [k,8] + C: lane and element number to row and
/// column, as mma.sync.m16n8k16 (16-bit operands) and .m16n8k8 (tf32) define it.
template <int k>
struct FragmentLayout;

template <>
struct FragmentLayout<16> {
  static constexpr int run = 2;  ///< elements that follow each other in a row of A or a column of B
  static constexpr int a_count = 8;
  static constexpr int b_count = 4;
  static constexpr int a_row(int lane, int i) { return lane / 4 + 8 * (i / 2 % 2); }
  static constexpr int a_column(int lane, int i) { return 2 * (lane % 4) + i % 2 + 8 * (i / 4); }
  static constexpr int b_row(int lane, int i) { return 2 * (lane % 4) + i % 2 + 8 * (i / 2); }
  static constexpr int b_column(int lane, int) { return lane / 4; }
};

template <>
struct FragmentLayout<8> {
  static constexpr int run = 1;
  static constexpr int a_count = 4;
  static constexpr int b_count = 2;
  static constexpr int a_row(int lane, int i) { return lane / 4 + 8 * (i % 2); }
  static constexpr int a_column(int lane, int i) { return lane % 4 + 4 * (i / 2); }
  static constexpr int b_row(int lane, int i) { return lane % 4 + 4 * i; }
  static constexpr int b_column(int lane, int) { return lane / 4; }
};

/// C and D, for every k.
struct AccumulatorLayout {
  static constexpr int run = 2;  ///< elements that follow each other in a row
  static constexpr int count = 4;
  static constexpr int row(int lane, int i) { return lane / 4 + 8 * (i / 2); }
  static constexpr int column(int lane, int i) { return 2 * (lane % 4) + i % 2; }
};

}  // namespace assay::simt
