#pragma once

#include <filesystem>
#include <span>
#include <stdexcept>

#include "problem/tensor.hpp"

namespace assay {

/// A case folder or one of its files could not be read or written: one line with the path, the value and the rule.
struct ExchangeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The dtype that holds a format's bit patterns in a .npy file: '<f4' for f32, '<f2' for fp16, '<u2' for bf16, '<i8'
/// for i64, '<u8' for elements of fields (an element of a complex field is two, on one more axis).
std::string_view npy_dtype(Format format);

/// Throws ExchangeError.
void write_npy(const Tensor& tensor, const std::filesystem::path& path);

/// The same of float64 numbers.
void write_npy(std::span<const double> numbers, const Shape& shape, const std::filesystem::path& path);

/// Reads a tensor whose format and shape are known. Throws ExchangeError where the file says otherwise, is cut short,
/// goes on, or holds what is no element of the field.
Tensor read_npy(const std::filesystem::path& path, Format format, const Shape& shape);

}  // namespace assay
