#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "arith/complex.hpp"
#include "arith/float_format.hpp"
#include "arith/prime_field.hpp"

namespace assay {

/// How one element is stored. The fields are what kernels are run over to be compared exactly with their definition.
enum class Format { f32, bf16, fp16, i64, gf61, gf31, gf61_complex };

std::string_view name_of(Format format);
Format parse_format(std::string_view name);  ///< throws std::invalid_argument for an unknown name
std::size_t bytes_of(Format format);

/// The floating-point format. Throws std::invalid_argument for integers and fields.
const FloatFormat& float_format(Format format);

constexpr bool is_field(Format f) { return f == Format::gf61 || f == Format::gf31 || f == Format::gf61_complex; }

/// The Format of a C++ type.
template <class T>
struct FormatOf;
template <>
struct FormatOf<float> {
  static constexpr Format value = Format::f32;
};
template <>
struct FormatOf<Bf16> {
  static constexpr Format value = Format::bf16;
};
template <>
struct FormatOf<Fp16> {
  static constexpr Format value = Format::fp16;
};
template <>
struct FormatOf<std::int64_t> {
  static constexpr Format value = Format::i64;
};
template <>
struct FormatOf<F61> {
  static constexpr Format value = Format::gf61;
};
template <>
struct FormatOf<F31> {
  static constexpr Format value = Format::gf31;
};
template <>
struct FormatOf<Cx<F61>> {
  static constexpr Format value = Format::gf61_complex;
};

using Shape = std::vector<std::int64_t>;

std::int64_t count_of(const Shape& shape);
std::string text_of(const Shape& shape);  ///< "[2, 64, 12, 64]"

/// A dense row-major array of bit patterns.
class Tensor {
 public:
  Tensor() = default;
  Tensor(Format format, Shape shape);  ///< zeros

  Format format() const { return format_; }
  const Shape& shape() const { return shape_; }
  std::int64_t count() const { return count_of(shape_); }
  std::span<const std::byte> bytes() const { return bytes_; }
  std::span<std::byte> bytes() { return bytes_; }

  /// The elements as T. Throws std::logic_error if T is not how they are stored.
  template <class T>
  std::span<const T> as() const {
    require(FormatOf<T>::value);
    return {reinterpret_cast<const T*>(bytes_.data()), static_cast<std::size_t>(count())};
  }
  template <class T>
  std::span<T> as() {
    require(FormatOf<T>::value);
    return {reinterpret_cast<T*>(bytes_.data()), static_cast<std::size_t>(count())};
  }

  /// Element i as a double, exactly (f32, bf16, fp16, i64 below 2^53). Throws for fields.
  double value(std::int64_t i) const;

  /// Elements first … as doubles, exactly. Throws for fields.
  void copy_values(std::int64_t first, std::span<double> out) const;

  /// Stores x in element i; x must be representable. Integers stand for themselves in a field.
  void set(std::int64_t i, double x);

  friend bool operator==(const Tensor&, const Tensor&) = default;

 private:
  void require(Format wanted) const;

  Format format_ = Format::f32;
  Shape shape_;
  std::vector<std::byte> bytes_;
};

/// Tensors by name.
using Tensors = std::map<std::string, Tensor, std::less<>>;

}  // namespace assay
