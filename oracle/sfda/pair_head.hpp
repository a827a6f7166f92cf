#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "oracle/sfda/head.hpp"
#include "oracle/sfda/pair_blocks.hpp"

namespace assay::sfda {

/// One sequence and head of a case of rotation_blocks.attention over the reals R: pair i is dimensions 2i and 2i + 1.
template <class R>
struct PairHead {
  Tokens<R, PairBlocks<R>> tokens;
  Matrix<R> S0;  ///< [2d, dv]; zeros without an initial state
};

namespace detail {

/// Columns of x and y by turns.
template <class R>
Matrix<R> interleaved(const Matrix<R>& x, const Matrix<R>& y) {
  Matrix<R> result(x.rows(), 2 * x.cols());
  for (std::size_t t = 0; t < x.rows(); ++t)
    for (std::size_t i = 0; i < x.cols(); ++i) {
      result(t, 2 * i) = x(t, i);
      result(t, 2 * i + 1) = y(t, i);
    }
  return result;
}

}  // namespace detail

template <class R>
PairHead<R> pair_head_of(const Case& c, std::int64_t n, std::int64_t h) {
  const std::size_t T = length_of(c, n);
  const auto d = static_cast<std::size_t>(c.sizes[Axis::feature]), dv = static_cast<std::size_t>(c.sizes[Axis::value]);
  const auto rows = [&](const std::string& name, std::size_t width) { return rows_of<R>(c, name, n, h, 0, T, width); };
  const auto pairs = [&](const std::string& name) {
    return detail::interleaved<R>(rows(name + "_x", d), rows(name + "_y", d));
  };
  PairHead<R> head{{pairs("q"), pairs("k"), rows("v", dv), {}, {}}, Matrix<R>(2 * d, dv)};
  const Matrix<R> beta = rows("beta", 1), log_alpha = rows("log_alpha", d), theta = rows("theta", d);
  for (std::size_t t = 0; t < T; ++t) {
    head.tokens.beta.push_back(beta(t, 0));
    PairBlocks<R> blocks;
    for (std::size_t i = 0; i < d; ++i) {
      const Cx<R> lambda = decay<Cx<R>>(log_alpha(t, i), theta(t, i));
      blocks.blocks.push_back({lambda.re, -lambda.im, lambda.im, lambda.re});
    }
    head.tokens.lambda.push_back(std::move(blocks));
  }
  for (const std::size_t half : {0, 1}) {
    const auto S0 = block_of<R>(c, half == 0 ? "S0_x" : "S0_y", state_index(c, n, h), d * dv);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < dv; ++j) head.S0(2 * i + half, j) = S0[i * dv + j];
  }
  return head;
}

/// Calls put(tensor, element, x) for every element of o, S_x and S_y of sequence n and head h.
template <class R, class Put>
void put_pair_run(const Case& c, std::int64_t n, std::int64_t h, const Run<R>& run, Put put) {
  const std::size_t dv = run.o.cols(), d = run.S.rows() / 2;
  for (std::size_t t = 0; t < run.o.rows(); ++t)
    for (std::size_t j = 0; j < dv; ++j) put("o", row_offset(c, n, t, h, dv) + j, run.o(t, j));
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < dv; ++j) {
      const std::size_t at = (state_index(c, n, h) * d + i) * dv + j;
      put("S_x", at, run.S(2 * i, j));
      put("S_y", at, run.S(2 * i + 1, j));
    }
}

}  // namespace assay::sfda
