#pragma once

#include <cstddef>
#include <cstdint>

#include "oracle/matrix.hpp"

namespace assay {

/// A number that counts its products. Sums and quotients are not counted.
struct Counted {
  double value = 0;

  Counted() = default;
  Counted(int n) : value(n) {}
  explicit Counted(double x) : value(x) {}

  static inline thread_local std::uint64_t products = 0;

  Counted operator-() const { return Counted(-value); }
  friend Counted operator+(Counted a, Counted b) { return Counted(a.value + b.value); }
  friend Counted operator-(Counted a, Counted b) { return Counted(a.value - b.value); }
  friend Counted operator/(Counted a, Counted b) { return Counted(a.value / b.value); }
  friend Counted operator*(Counted a, Counted b) {
    ++products;
    return Counted(a.value * b.value);
  }
  friend bool operator==(Counted a, Counted b) = default;
};

/// How many products `run` makes.
template <class Run>
std::uint64_t products_of(Run run) {
  Counted::products = 0;
  run();
  return Counted::products;
}

inline Matrix<Counted> ones(std::size_t rows, std::size_t cols) { return Matrix<Counted>(rows, cols, Counted(1)); }

}  // namespace assay
