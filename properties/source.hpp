#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "arith/complex.hpp"
#include "arith/integer_power.hpp"
#include "arith/rational.hpp"
#include "oracle/circle_angle.hpp"
#include "oracle/matrix.hpp"
#include "problem/draw.hpp"

namespace assay {

/// Free values are uniform over a field, small over the rationals. Listed ones are 0, 1, −1, i, free, and angles of
/// whole quarter turns, free: where identities have their edges.
enum class Points { free, listed };

/// The numbers of one trial.
template <class K>
class Source {
 public:
  using Real = RealOf<K>;

  Source(Draw& draw, Points points) : draw_(draw), points_(points) {}

  std::size_t size(std::string_view name, std::int64_t low, std::int64_t high) {
    return static_cast<std::size_t>(draw_.size(name, low, high));
  }
  std::uint64_t below(std::uint64_t n) { return draw_.below(n); }
  bool listed() const { return points_ == Points::listed; }

  K free() { return draw_.element<K>(); }

  K value() {
    if (points_ == Points::free) return free();
    if constexpr (is_complex_v<K>)
      if (below(5) == 0) return K(Real(0), Real(1));
    const std::uint64_t choice = below(4);
    return choice < 3 ? K(static_cast<int>(choice) - 1) : free();
  }

  /// A real value where K is complex.
  Real real() {
    const std::uint64_t choice = points_ == Points::free ? 3 : below(4);
    return choice < 3 ? Real(static_cast<int>(choice) - 1) : draw_.element<Real>();
  }

  /// Never 0.
  K nonzero() {
    for (;;)
      if (const K x = value(); !(x == K(0))) return x;
  }

  /// In [−1, 1] where K has an order, the ends among the listed points; free over a field.
  K bounded() {
    const K u = value();
    if constexpr (OrderedScalar<K>) {
      const K size = u < K(0) ? -u : u;
      return size == K(1) && points_ == Points::listed ? u : u / (K(1) + size);
    } else {
      return u;
    }
  }

  /// 1 or −1.
  K sign() { return K(below(2) == 0 ? 1 : -1); }

  /// The sign of u; over a field a free one, but none that makes 1 + |u| zero.
  int sign_of(const K& u) {
    if constexpr (OrderedScalar<K>) return u < K(0) ? -1 : 1;
    if (u == K(1) || u == K(-1)) return u == K(1) ? 1 : -1;
    return below(2) == 0 ? 1 : -1;
  }

  CircleAngle<Real> angle() {
    if (points_ == Points::listed && below(2) == 0)
      return multiple(static_cast<std::int64_t>(below(4)), CircleAngle<Real>{Real(0), Real(1)});
    return rational_angle(draw_.element<Real>());
  }

  Matrix<K> values(std::size_t rows, std::size_t cols) {
    return filled(rows, cols, [this] { return value(); });
  }
  std::vector<K> values(std::size_t n) {
    const Matrix<K> row = values(1, n);
    return {row.row(0).begin(), row.row(0).end()};
  }
  std::vector<Real> reals(std::size_t n) {
    std::vector<Real> result;
    for (std::size_t i = 0; i < n; ++i) result.push_back(real());
    return result;
  }
  Matrix<CircleAngle<Real>> angles(std::size_t rows, std::size_t cols) {
    return filled(rows, cols, [this] { return angle(); });
  }
  std::vector<CircleAngle<Real>> angles(std::size_t n) {
    const Matrix<CircleAngle<Real>> row = angles(1, n);
    return {row.row(0).begin(), row.row(0).end()};
  }

  /// Row by row, one call of `next` an entry.
  template <class Next>
  static auto filled(std::size_t rows, std::size_t cols, Next next) {
    using E = decltype(next());
    Matrix<E> m(rows, cols, E{});
    for (std::size_t i = 0; i < rows; ++i)
      for (E& entry : m.row(i)) entry = next();
    return m;
  }

 private:
  Draw& draw_;
  Points points_;
};

/// √2 of GF(2^n − 1), n odd: 2^((n+1)/2).
template <class F>
F square_root_of_two() {
  return integer_power(F(2), (F::bits + 1) / 2);
}

/// The angle π/4 of GF(2^n − 1).
template <class F>
CircleAngle<F> eighth_turn() {
  const F side = F(1) / square_root_of_two<F>();
  return {side, side};
}

}  // namespace assay
