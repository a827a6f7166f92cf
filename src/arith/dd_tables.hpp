#pragma once

namespace assay {

/// Constants of the double-double elementary functions, correctly rounded by MPFR when first asked for.
///
/// A pair hi, lo is the nearest double and the nearest double to what is left; relative error of the pair <= 2^-106.
struct DDTables {
  static constexpr int powers = 64;  ///< 2^(j/64), j = -32 ... 31, at [j + 32]
  static constexpr int sines = 256;  ///< sin(pi j / 128), j = 0 ... 255; the cosine is a quarter turn on

  alignas(64) double power_hi[powers], power_lo[powers];
  double power_minus_1_hi[powers], power_minus_1_lo[powers];
  double sine_hi[sines], sine_lo[sines];

  double ln2_part[3];      ///< ln 2 / 64: 36 bits, 36 bits, 53 bits
  double pi_part[3];       ///< pi / 128: three doubles, each nearest to what is left
  double powers_per_unit;  ///< 64 / ln 2
  double sines_per_unit;   ///< 128 / pi
};

const DDTables& dd_tables();

}  // namespace assay
