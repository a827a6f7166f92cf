#pragma once

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "oracle/matrix.hpp"
#include "problem/case.hpp"
#include "problem/tensor.hpp"

namespace assay {

/// A K that tensors store as elements of a prime field.
template <class K>
concept FieldElement = requires {
  FormatOf<K>::value;
}
&&is_field(FormatOf<K>::value);

/// Where row t of sequence n and head h starts in an array [B, T, H, width].
inline std::size_t row_offset(const Case& c, std::int64_t n, std::size_t t, std::int64_t h, std::size_t width) {
  const auto token = static_cast<std::size_t>(c.tokens_of(n).first) + t;
  return (token * static_cast<std::size_t>(c.sizes[Axis::head]) + static_cast<std::size_t>(h)) * width;
}

/// How far apart rows of neighbouring tokens are.
inline std::size_t row_stride(const Case& c, std::size_t width) {
  return static_cast<std::size_t>(c.sizes[Axis::head]) * width;
}

/// Tokens of sequence n.
inline std::size_t length_of(const Case& c, std::int64_t n) {
  const auto [begin, end] = c.tokens_of(n);
  return static_cast<std::size_t>(end - begin);
}

/// Which of the states [N, H] is that of sequence n and head h.
inline std::size_t state_index(const Case& c, std::int64_t n, std::int64_t h) {
  return static_cast<std::size_t>(n * c.sizes[Axis::head] + h);
}

/// Element i of a tensor in the arithmetic K, exactly.
template <class K>
K element_of(const Tensor& tensor, std::size_t i) {
  if constexpr (FieldElement<K>) {
    if (is_field(tensor.format())) return tensor.as<K>()[i];
  }
  if constexpr (std::constructible_from<K, double>)
    return K(tensor.value(static_cast<std::int64_t>(i)));
  else
    throw std::logic_error("a field cannot hold real values");
}

/// Rows first … first + count - 1 of sequence n and head h of a tensor [B, T, H, width]; empty if the case has no such
/// tensor.
template <class K>
Matrix<K> rows_of(const Case& c, std::string_view name, std::int64_t n, std::int64_t h, std::size_t first,
                  std::size_t count, std::size_t width) {
  const auto it = c.inputs.find(name);
  if (it == c.inputs.end()) return {};
  Matrix<K> rows(count, width);
  const std::size_t start = row_offset(c, n, first, h, width), stride = row_stride(c, width);
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t begin = start + t * stride;
    if constexpr (std::same_as<K, double>)
      it->second.copy_values(static_cast<std::int64_t>(begin), rows.row(t));
    else
      for (std::size_t i = 0; i < width; ++i) rows(t, i) = element_of<K>(it->second, begin + i);
  }
  return rows;
}

/// Block `index` of `count` elements; zeros if the case has no such tensor.
template <class K>
std::vector<K> block_of(const Case& c, std::string_view name, std::size_t index, std::size_t count) {
  std::vector<K> block(count, K(0));
  if (const auto it = c.inputs.find(name); it != c.inputs.end())
    for (std::size_t i = 0; i < count; ++i) block[i] = element_of<K>(it->second, index * count + i);
  return block;
}

}  // namespace assay
