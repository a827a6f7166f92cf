#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "oracle/sas/head.hpp"

namespace assay::sas {

/// A query head of a backward pass: what attention took, what its forward pass stored, and the gradient of its output.
template <class K>
struct GradientHead {
  Head<K> forward;
  Matrix<K> o, d_output;  ///< [n, dv]
  std::vector<K> lse;     ///< over a field e^L
  /// How far L of a row, and <do, o>, may be from what they stand for; empty: they are exact.
  std::vector<double> lse_error, delta_error;
};

template <class K>
GradientHead<K> gradient_head_of(const Case& c, std::int64_t n, std::int64_t h, std::int64_t g) {
  GradientHead<K> x{.forward = head_of<K>(c, n, h, g)};
  const auto dv = static_cast<std::size_t>(c.sizes[Axis::value]);
  const auto rows = [&](std::string_view name) {
    Matrix<K> m(x.forward.queries(), dv);
    for (std::size_t t = 0; t < m.rows(); ++t)
      for (std::size_t i = 0; i < dv; ++i)
        m(t, i) = element_of<K>(c.inputs.at(std::string(name)), x.forward.index[t] * dv + i);
    return m;
  };
  x.o = rows("o");
  x.d_output = rows("do");
  for (const std::size_t row : x.forward.index) x.lse.push_back(element_of<K>(c.inputs.at("lse"), row));
  return x;
}

/// Row of token t of head h among [tokens, H].
inline std::size_t pair_index(const Case& c, std::int64_t n, std::size_t t, std::int64_t h) {
  return row_offset(c, n, t, h, 1);
}

}  // namespace assay::sas
