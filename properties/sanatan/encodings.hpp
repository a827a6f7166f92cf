#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sanatan/encoding.hpp"
#include "oracle/sanatan/scores.hpp"
#include "properties/source.hpp"

namespace assay::sanatan {

/// Circle points and labels for a trial, [T, d].
template <class K>
Encoding<K> encoding_of(const Matrix<CircleAngle<K>>& theta, Matrix<K> label) {
  Encoding<K> x{Matrix<K>(theta.rows(), theta.cols()), Matrix<K>(theta.rows(), theta.cols()), std::move(label)};
  for (std::size_t t = 0; t < theta.rows(); ++t) {
    for (std::size_t a = 0; a < theta.cols(); ++a) {
      x.cosine(t, a) = theta(t, a).cosine;
      x.sine(t, a) = theta(t, a).sine;
    }
  }
  return x;
}

/// c, s and r all free: no circle relation.
template <class K>
Encoding<K> free_encoding(Source<K>& from, std::size_t T, std::size_t d) {
  return {from.values(T, d), from.values(T, d), from.values(T, d)};
}

/// Angles on the circle, free labels.
template <class K>
Encoding<K> soft_encoding(Source<K>& from, std::size_t T, std::size_t d) {
  return encoding_of(from.angles(T, d), from.values(T, d));
}

/// Angles on the circle, labels ±1: token t has the label pattern t modulo 2^d.
template <class K>
Encoding<K> hard_encoding(Source<K>& from, std::size_t T, std::size_t d) {
  Matrix<K> label(T, d, K(-1));
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t a = 0; a < d; ++a)
      if (t >> a & 1) label(t, a) = K(1);
  return encoding_of(from.angles(T, d), std::move(label));
}

/// Angles on the circle, labels in [−1, 1].
template <class K>
Encoding<K> bounded_encoding(Source<K>& from, std::size_t T, std::size_t d) {
  return encoding_of(from.angles(T, d), from.filled(T, d, [&] { return from.bounded(); }));
}

/// Σ_a of the closed forms.
template <class K>
Matrix<K> closed_form_scores(Channels channels, const Encoding<K>& q, const Encoding<K>& k) {
  Matrix<K> s(q.label.rows(), k.label.rows());
  for (std::size_t t = 0; t < s.rows(); ++t)
    for (std::size_t j = 0; j < s.cols(); ++j)
      for (std::size_t a = 0; a < q.label.cols(); ++a)
        s(t, j) = s(t, j) + dimension_score(channels, K(q.label(t, a) * k.label(j, a)),
                                            K(q.cosine(t, a) * k.cosine(j, a) + q.sine(t, a) * k.sine(j, a)));
  return s;
}

/// Σ_t of the rows.
template <class K>
std::vector<K> column_sums(const Matrix<K>& m) {
  std::vector<K> sums(m.cols(), K(0));
  for (std::size_t t = 0; t < m.rows(); ++t)
    for (std::size_t j = 0; j < m.cols(); ++j) sums[j] = sums[j] + m(t, j);
  return sums;
}

}  // namespace assay::sanatan
