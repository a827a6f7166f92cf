#pragma once

#include <cstdint>
#include <string_view>

#include "oracle/sanatan/memory.hpp"
#include "properties/published.hpp"

namespace assay::sanatan {

/// A number of the published set-up, table sanatan_setup.
inline Interval setup(const Published& published, std::string_view row) {
  return printed_cell(published, "sanatan_setup", row, "value");
}

/// A count of the published set-up. Throws where it is not printed as an integer.
inline std::uint64_t setup_count(const Published& published, std::string_view row) {
  const Interval value = setup(published, row);
  if (value.lower() != value.upper() || denominator(value.lower()) != 1)
    throw std::invalid_argument(std::string(row) + " = " + decimal(value) + ": needs an integer");
  return value.lower().convert_to<std::uint64_t>();
}

/// The published model with dv = d, in float32.
inline ModelShape setup_shape(const Published& published) {
  const std::uint64_t d = setup_count(published, "head width d");
  return {setup_count(published, "layers L"), setup_count(published, "heads H"), d, d, 4};
}

}  // namespace assay::sanatan
