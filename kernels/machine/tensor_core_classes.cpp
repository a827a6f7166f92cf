#include "kernels/machine/tensor_core_classes.hpp"

namespace assay::generated {
namespace {

using Twist = TensorCoreClass::Twist;

constexpr TensorCoreClass classes[] = {
    {"exact", 1, {0, 2}, {0, 2}, {0, 4}, Twist::short_fractions},
    {"normal", 2, {-6, 0}, {-6, 0}, {-6, 2}},
    {"wide", 3, {-10, 10}, {-10, 10}, {-20, 20}},
    {"very wide", 4, {-30, 30}, {-30, 30}, {-60, 60}},
    {"full range", 5, {-140, 127}, {-140, 127}, {-149, 127}},
    {"cancelling pairs", 6, {-6, 0}, {-6, 0}, {-40, 1}, Twist::cancelling_pairs},
    {"cancelling C", 7, {-6, 0}, {-6, 0}, {-6, 0}, Twist::cancelling_c},
    {"subnormal operands", 8, {-133, -120}, {-10, 127}, {-149, 127}},
    {"half-range subnormal operands", 9, {-24, -8}, {-24, 15}, {-40, 0}},
    {"subnormal result", 10, {-78, -62}, {-76, -60}, {-149, -120}, Twist::mostly_zero_c},
    {"underflow", 11, {-82, -74}, {-82, -74}, {-149, -146}, Twist::mostly_zero_c},
    {"big accumulator", 12, {-6, 0}, {-6, 0}, {3, 30}},
    {"small accumulator", 13, {-6, 0}, {-6, 0}, {-40, -10}},
    {"overflow", 14, {56, 64}, {56, 64}, {120, 127}},
    {"zero times huge", 15, {-20, 3}, {-20, 127}, {-149, 10}, Twist::mostly_zero_a},
    {"signed zeros", 16, {-3, 3}, {-3, 3}, {-149, -127}, Twist::zero_a},
    {"probabilities times values", 17, {-15, 0}, {-6, 0}, {-6, 2}, Twist::positive},
    {"one large addend", 18, {-1, 0}, {-1, 0}, {-30, -28}, Twist::one_large},
    {"infinities and NaNs", 19, {-6, 0}, {-6, 0}, {-6, 2}, Twist::specials},
    {"any bits", 20, {}, {}, {}, Twist::any_bits},
    {"exponent lattice", 21, {}, {}, {}, Twist::lattice},
};

}  // namespace

std::span<const TensorCoreClass> tensor_core_classes() { return classes; }

}  // namespace assay::generated
