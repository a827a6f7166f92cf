#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arith/complex.hpp"
#include "oracle/case_values.hpp"
#include "oracle/sfda/affine.hpp"
#include "problem/case.hpp"

namespace assay::sfda {

namespace detail {

/// Row `row` of a pair of planes, whose rows are matrices of so many columns.
template <class R>
Matrix<Cx<R>> matrix_of(const Tensor& re, const Tensor& im, std::size_t row, std::size_t rows, std::size_t columns) {
  Matrix<Cx<R>> result(rows, columns);
  const std::size_t first = row * rows * columns;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t at = first + i * columns + j;
      result(i, j) = Cx<R>(element_of<R>(re, at), element_of<R>(im, at));
    }
  return result;
}

}  // namespace detail

/// The maps of sequence n and head h in tensors that are called `P`_re, `P`_im [B, T, H, d, d] and `Z`_re, `Z`_im
/// [B, T, H, d, dv]: those that a case gives, A and B, or nodes.
template <class R>
std::vector<Affine<Cx<R>>> maps_of(const Case& c, const Tensors& tensors, const std::string& P, const std::string& Z,
                                   std::int64_t n, std::int64_t h) {
  const auto d = static_cast<std::size_t>(c.sizes[Axis::feature]), dv = static_cast<std::size_t>(c.sizes[Axis::value]);
  std::vector<Affine<Cx<R>>> maps;
  for (std::size_t t = 0; t < length_of(c, n); ++t) {
    const std::size_t row = row_offset(c, n, t, h, 1);
    maps.push_back({detail::matrix_of<R>(tensors.at(P + "_re"), tensors.at(P + "_im"), row, d, d),
                    detail::matrix_of<R>(tensors.at(Z + "_re"), tensors.at(Z + "_im"), row, d, dv)});
  }
  return maps;
}

template <class R>
std::vector<Affine<Cx<R>>> given_maps(const Case& c, std::int64_t n, std::int64_t h) {
  return maps_of<R>(c, c.inputs, "A", "B", n, h);
}

/// Calls use(n, h) for every sequence and head.
template <class Use>
void for_every_head(const Case& c, Use use) {
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) use(n, h);
}

/// Calls put(tensor, element, part) for the components of a map that stands in row `row` of `P`_re ... `Z`_im.
template <class R, class Put>
void put_map(const Affine<Cx<R>>& map, const std::string& P, const std::string& Z, std::size_t row, Put put) {
  const auto put_matrix = [&](const std::string& name, const Matrix<Cx<R>>& matrix) {
    std::size_t at = row * matrix.rows() * matrix.cols();
    for (std::size_t i = 0; i < matrix.rows(); ++i)
      for (const Cx<R>& entry : matrix.row(i)) {
        put(name + "_re", at, entry.re);
        put(name + "_im", at++, entry.im);
      }
  };
  put_matrix(P, map.A);
  put_matrix(Z, map.B);
}

/// The maps of a sequence as one; without any the identity.
template <class R>
Affine<Cx<R>> composition_of(const Case& c, std::int64_t n, std::int64_t h) {
  const auto maps = given_maps<R>(c, n, h);
  if (!maps.empty()) return composed_in_order<Cx<R>>(maps);
  return identity_map<Cx<R>>(static_cast<std::size_t>(c.sizes[Axis::feature]),
                             static_cast<std::size_t>(c.sizes[Axis::value]));
}

}  // namespace assay::sfda
