#include "arith/tensor_core.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "properties/arith/exact_integer.hpp"
#include "properties/arith/laws.hpp"
#include "properties/arith/over_formats.hpp"
#include "properties/arith/tensor_core_cases.hpp"

namespace assay {
namespace {

using generated::TensorCoreClass;
using tensor_core::dot;

const TensorCoreClass& any_class(Draw& draw) { return draw.pick("class", generated::tensor_core_classes()); }

/// One output of an instruction: K products and C.
template <class T>
struct Block {
  std::vector<T> a, b;
  float c;

  float sum() const { return dot<T>(a, b, c); }
  double bound(float d) const { return tensor_core::error_bound<T>(a, b, c, d); }

  std::string text() const {
    std::vector<std::uint32_t> a_bits, b_bits;
    for (const T x : a) a_bits.push_back(x.bits);
    for (const T x : b) b_bits.push_back(x.bits);
    return fmt::format("a = {:x}, b = {:x}, c = {:x}", fmt::join(a_bits, " "), fmt::join(b_bits, " "), code_of(c));
  }
};

template <class T>
Block<T> block(const TensorCoreCase<T>& values, int K, int m, int n) {
  return {{values.a.begin() + m * K, values.a.begin() + (m + 1) * K},
          {values.b.begin() + n * K, values.b.begin() + (n + 1) * K},
          values.c[m * 8 + n]};
}

/// The 128 blocks of one instruction of the drawn class; visit(block) returns why it fails, or nothing.
template <class T, class Visit>
Outcome for_blocks(const TensorCoreClass& kind, Draw& draw, Visit visit) {
  constexpr int K = tensor_core::block_length<T>;
  const TensorCoreCase<T> values = draw_case<T, K>(kind, draw);
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 8; ++n) {
      const Block<T> one = block(values, K, m, n);
      if (const std::string why = visit(one); !why.empty())
        return Outcome::fails(fmt::format("{}: {}: {}", kind.name, one.text(), why));
    }
  return Outcome::holds();
}

bool same(float x, float y) { return code_of(x) == code_of(y); }

template <class T, int K>
Outcome tile_equals_its_definition(Draw& draw) {
  const TensorCoreClass& kind = any_class(draw);
  const TensorCoreCase<T> values = draw_case<T, K>(kind, draw);
  std::vector<float> d = values.c;
  tensor_core::mma_m16n8<T, K>(values.a.data(), values.b.data(), d.data(), d.data());
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 8; ++n) {
      const Block<T> one = block(values, K, m, n);
      if (const float want = one.sum(); !same(d[m * 8 + n], want))
        return Outcome::fails(fmt::format("{}: ({}, {}): {}: tile {:a}, definition {:a}", kind.name, m, n, one.text(),
                                          d[m * 8 + n], want));
    }
  return Outcome::holds();
}

/// Exponent of a nonzero value, that of a subnormal being emin.
int stored_exponent(const FloatFormat& format, double x) { return std::max(std::ilogb(x), format.emin); }

/// The addends that are not zero, exactly.
template <class T>
std::vector<double> addends(const Block<T>& block) {
  std::vector<double> all{block.c};
  for (std::size_t k = 0; k < block.a.size(); ++k) all.push_back(to_double(block.a[k]) * to_double(block.b[k]));
  return all;
}

template <class T>
int largest_exponent(const Block<T>& block) {
  int largest = -133;
  if (block.c != 0) largest = std::max(largest, stored_exponent(float32_format, block.c));
  for (std::size_t k = 0; k < block.a.size(); ++k) {
    const double a = to_double(block.a[k]), b = to_double(block.b[k]);
    if (a * b != 0) largest = std::max(largest, stored_exponent(format_of<T>, a) + stored_exponent(format_of<T>, b));
  }
  return largest;
}

template <class T>
bool finite(const Block<T>& block) {
  return std::ranges::all_of(addends(block), [](double x) { return std::isfinite(x); });
}

/// What infinite and NaN addends, and no others, sum to.
template <class T>
float sum_of_specials(const Block<T>& block) {
  double sum = 0;
  for (const double x : addends(block)) sum += std::isfinite(x) ? 0 : x;
  return std::isnan(sum) ? canonical_nan : static_cast<float>(sum);
}

template <class T>
std::string differs_from_exact_integers(const Block<T>& block) {
  if (!finite(block)) return same(block.sum(), sum_of_specials(block)) ? "" : "not the sum of its infinities and NaNs";
  const int largest = largest_exponent(block);
  if (tensor_core::largest_exponent<T>(block.a, block.b, block.c) != largest) return "another largest exponent";
  const unsigned dropped = largest - 25 + 1074;
  ExactInteger sum = 0;
  for (const double x : addends(block)) {
    const ExactInteger kept = abs(exact(x)) >> dropped << dropped;
    sum += x < 0 ? -kept : kept;
  }
  const float d = block.sum();
  const std::uint32_t magnitude = code_of(d) & 0x7fffffffu;
  const bool infinite = abs(sum) >= exact_magnitude(float32_format, infinity_code<float>);
  if (infinite ? magnitude != infinity_code<float> : !rounds_to(float32_format, Rounding::toward_zero, sum, magnitude))
    return fmt::format("sum {:a} is not the truncated one", d);
  if (std::signbit(d) != (sum < 0 && magnitude != 0)) return fmt::format("sum {:a} has the wrong sign", d);
  return "";
}

template <class T>
Outcome order_does_not_matter(Draw& draw) {
  return for_blocks<T>(any_class(draw), draw, [&](const Block<T>& block) -> std::string {
    Block<T> other = block;
    for (std::size_t k = other.a.size() - 1; k > 0; --k) {
      const std::size_t j = draw.below(k + 1);
      std::swap(other.a[k], other.a[j]);
      std::swap(other.b[k], other.b[j]);
      if (draw.below(2)) std::swap(other.a[k], other.b[k]);
    }
    return same(block.sum(), other.sum()) ? "" : "another order gives another sum: " + other.text();
  });
}

template <class T>
Outcome zero_products_change_nothing(Draw& draw) {
  return for_blocks<T>(any_class(draw), draw, [&](Block<T> block) -> std::string {
    Block<T> shorter{{}, {}, block.c};
    for (std::size_t k = 0; k < block.a.size(); ++k) {
      const bool b_finite = (code_of(block.b[k]) & (sign_code<T> - 1)) < infinity_code<T>;
      if (draw.below(2) && b_finite) {
        block.a[k] = from_code<T>(draw.below(2) ? sign_code<T> : 0);
      } else {
        shorter.a.push_back(block.a[k]);
        shorter.b.push_back(block.b[k]);
      }
    }
    return same(block.sum(), shorter.sum()) ? "" : "the sum without its zero products differs: " + block.text();
  });
}

template <class T>
Outcome negation_negates_the_sum(Draw& draw) {
  return for_blocks<T>(any_class(draw), draw, [&](const Block<T>& block) -> std::string {
    Block<T> negative = block;
    for (T& x : negative.a) x = from_code<T>(code_of(x) ^ sign_code<T>);
    negative.c = std::bit_cast<float>(code_of(block.c) ^ sign_code<float>);
    const float d = block.sum(), e = negative.sum();
    if (std::isnan(d) || d == 0) return same(d, e) ? "" : "a NaN or a zero depends on signs";
    return d == -e ? "" : fmt::format("sums {:a} and {:a}", d, e);
  });
}

/// |d - exact sum| / bound, as a number just below the true one.
template <class T>
double share_of_bound(const Block<T>& block, float d) {
  ExactInteger error = -exact(d);
  for (const double x : addends(block)) error += exact(x);
  const ExactInteger bound = exact(block.bound(d));
  return static_cast<double>((abs(error) << 20) / bound) * 0x1p-20;
}

template <class T>
Outcome error_stays_within_bound(Draw& draw) {
  return for_blocks<T>(any_class(draw), draw, [&](const Block<T>& block) -> std::string {
    const float d = block.sum();
    if (!finite(block) || !std::isfinite(d)) return std::isfinite(block.bound(d)) ? "a finite bound" : "";
    const double share = share_of_bound(block, d);
    return share < 1 ? "" : fmt::format("the error is {} of its bound", share);
  });
}

template <class T>
Outcome error_approaches_bound(Draw& draw) {
  double worst = 0;
  for (const TensorCoreClass& kind : generated::tensor_core_classes())
    if (kind.twist == TensorCoreClass::Twist::one_large)
      for_blocks<T>(kind, draw, [&](const Block<T>& block) -> std::string {
        worst = std::max(worst, share_of_bound(block, block.sum()));
        return "";
      });
  return worst >= 0.3 ? Outcome::holds() : Outcome::fails(fmt::format("the worst error is {} of its bound", worst));
}

template <class T>
Check tile_check(std::string_view name) {
  return {name, 0, tile_equals_its_definition<T, tensor_core::block_length<T>>};
}

}  // namespace

std::vector<Law> arith_tensor_core_laws() {
  return {
      {"arith.tensor_core_tile_equals_its_definition",
       "mma_m16n8 = dot for 128 outputs, bit for bit, in every class",
       "",
       Proof::tested,
       0,
       2000,
       {tile_check<Bf16>("bf16 m16n8k16"),
        {"bf16 m16n8k8", 0, tile_equals_its_definition<Bf16, 8>},
        tile_check<Fp16>("fp16 m16n8k16"),
        tile_check<Tf32>("tf32 m16n8k8")}},
      {"arith.tensor_core_sum_is_that_of_exact_integers",
       "the rules restated on exact values: largest exponent and sum", "", Proof::tested, 0, 200,
       over_formats<Tf32, Bf16, Fp16>(
           []<class T>(Draw& draw) { return for_blocks<T>(any_class(draw), draw, differs_from_exact_integers<T>); })},
      {"arith.tensor_core_sum_ignores_order", "permuted products and swapped factors give the same bits", "",
       Proof::tested, 0, 200,
       over_formats<Tf32, Bf16, Fp16>([]<class T>(Draw& draw) { return order_does_not_matter<T>(draw); })},
      {"arith.tensor_core_zero_products_change_nothing", "0 · b_k may be left out, however large b_k", "",
       Proof::tested, 0, 200,
       over_formats<Tf32, Bf16, Fp16>([]<class T>(Draw& draw) { return zero_products_change_nothing<T>(draw); })},
      {"arith.tensor_core_negation_negates_the_sum", "dot(-a, b, -c) = -dot(a, b, c), a zero being +0", "",
       Proof::tested, 0, 200,
       over_formats<Tf32, Bf16, Fp16>([]<class T>(Draw& draw) { return negation_negates_the_sum<T>(draw); })},
      {"arith.tensor_core_error_stays_within_bound", "|d - exact sum| <= error_bound, in exact integers", "",
       Proof::tested, 0, 200,
       over_formats<Tf32, Bf16, Fp16>([]<class T>(Draw& draw) { return error_stays_within_bound<T>(draw); })},
      {"arith.tensor_core_error_approaches_bound", "the worst of 128 sums with one large addend reaches 30 % of it", "",
       Proof::tested, 0, 8,
       over_formats<Tf32, Bf16, Fp16>([]<class T>(Draw& draw) { return error_approaches_bound<T>(draw); })},
  };
}

}  // namespace assay
