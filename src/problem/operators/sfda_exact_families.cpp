#include "problem/operators/sfda_exact_families.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "problem/operators/sfda_families.hpp"
#include "problem/values.hpp"

namespace assay::operators::sfda_exact {
namespace {

using enum Axis;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Bits of values, and whether a row that holds something is written again.
struct Room {
  int value_bits;
  bool rewrites;
};

/// Of the values that the input, every factor of a product and the output hold.
Room full_room(const Case& c, const Contract& contract) {
  const int of_factors = contract.product == Product::fma          ? 24
                         : contract.product == Product::three_tf32 ? 21
                         : contract.product == Product::bf16       ? 8
                                                                   : 11;
  return {std::min({of_factors, float_format(c.element).precision, float_format(contract.output).precision}), false};
}

/// Largest size of an entry that a reflection leaves, so that twice v - S fits 8 bits.
constexpr double largest_entry = 96;
constexpr int small_bits = 3;

/// One sequence and head.
class Walk {
 public:
  Walk(Case& c, std::int64_t n, std::int64_t h, const Room& room, Draw& draw)
      : c_(c), n_(n), h_(h), room_(room), draw_(draw), sizes_(static_cast<std::size_t>(c.sizes[feature]), 0.0) {}

  void fill() {
    start();
    const auto [begin, end] = c_.tokens_of(n_);
    for (std::int64_t token = begin; token < end; ++token) {
      row_ = token * c_.sizes[head] + h_;
      forget();
      write();
      read();
    }
  }

 private:
  std::int64_t d() const { return c_.sizes[feature]; }
  std::int64_t dv() const { return c_.sizes[value]; }

  /// A plane of the tensor, or the tensor itself; null if the case has none such.
  Tensor* plane(const char* name, bool imaginary) {
    for (const char* part : {imaginary ? "_im" : "_re", imaginary ? "_y" : "_x"})
      if (const auto it = c_.inputs.find(name + std::string(part)); it != c_.inputs.end()) return &it->second;
    const auto it = c_.inputs.find(name);
    return it == c_.inputs.end() || imaginary ? nullptr : &it->second;
  }
  bool is_complex() { return plane("k", true) != nullptr; }

  double number() {
    const std::uint64_t top = std::uint64_t{1} << (room_.value_bits - 1);
    const double size = static_cast<double>(room_.rewrites ? draw_.below(2 * top) : (top | draw_.below(top) | 1));
    return draw_.below(2) == 0 ? size : -size;
  }

  void start() {
    for (const bool imaginary : {false, true}) {
      Tensor* const S = plane("S0", imaginary);
      if (S == nullptr) continue;
      const std::int64_t first = (n_ * c_.sizes[head] + h_) * d() * dv();
      for (std::int64_t i = 0; i < d() * dv(); ++i) S->set(first + i, number());
      std::ranges::fill(sizes_, std::ldexp(1.0, room_.value_bits));
    }
  }

  /// Some dimensions, or the whole head where it has one decay.
  void forget() {
    Tensor* const log_alpha = plane("log_alpha", false);
    if (log_alpha == nullptr) return;
    const bool whole = !c_.op->find("log_alpha")->has(feature);
    for (std::int64_t i = 0; i < (whole ? 1 : d()); ++i) {
      if (draw_.below(8) != 0) continue;
      log_alpha->set(whole ? row_ : row_ * d() + i, -infinity);
      if (whole)
        std::ranges::fill(sizes_, 0.0);
      else
        sizes_[static_cast<std::size_t>(i)] = 0;
    }
  }

  /// One of ±1 and, for complex numbers, ±i at entry i.
  void set_unit(const char* name, std::int64_t i, double size) {
    const bool imaginary = is_complex() && draw_.below(2) == 0;
    plane(name, imaginary)->set(row_ * d() + i, draw_.below(2) == 0 ? size : -size);
  }

  void write() {
    for (const bool imaginary : {false, true})
      if (Tensor* const v = plane("v", imaginary))
        for (std::int64_t j = 0; j < dv(); ++j) v->set(row_ * dv() + j, number());
    const auto i = static_cast<std::int64_t>(draw_.below(static_cast<std::uint64_t>(d())));
    double& size = sizes_[static_cast<std::size_t>(i)];
    const double of_value = std::ldexp(1.0, room_.value_bits), reflected = size + 2 * of_value;
    std::uint64_t beta = draw_.below(3);
    // A key that meets nothing: v - S would be longer than v.
    const bool meets = room_.rewrites || size == 0;
    if (beta == 2 && (!room_.rewrites || reflected > largest_entry)) beta = 1;
    if (meets) set_unit("k", i, 1);
    if (meets && beta != 0) size = beta == 1 ? of_value : reflected;
    plane("beta", false)->set(row_, static_cast<double>(beta));
  }

  void read() {
    const auto i = static_cast<std::int64_t>(draw_.below(static_cast<std::uint64_t>(d())));
    set_unit("q", i, power_of_two(static_cast<int>(draw_.below(5)) - 2));
  }

  static double power_of_two(int n) { return std::ldexp(1.0, n); }

  Case& c_;
  std::int64_t n_, h_;
  Room room_;
  Draw& draw_;
  std::vector<double> sizes_;  ///< of the entries of each row of the state, at most
  std::int64_t row_ = 0;
};

void fill_walks(Case& c, Draw& draw, const Room& room) {
  draw_chunk(c, draw);
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[head]; ++h) Walk(c, n, h, room, draw).fill();
}

}  // namespace

void fill_small(Case& c, Draw& draw, const Contract&) { fill_walks(c, draw, {small_bits, true}); }

void fill_full(Case& c, Draw& draw, const Contract& contract) { fill_walks(c, draw, full_room(c, contract)); }

}  // namespace assay::operators::sfda_exact
