#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "problem/operator.hpp"

namespace assay {

/// Values of an operator's parameters: exact f32 values (integers in a field).
using Parameters = std::map<std::string, double, std::less<>>;

/// What the outputs of a case are held against.
enum class Standard {
  bound,  ///< the oracle's values, within the kernel's bound
  exact,  ///< the oracle's values: no rounding can happen, so the bound is 0
  field,  ///< the definition over a prime field, element for element
  laws,   ///< kernel laws alone: no value is due, as where inputs are not finite
};

std::string_view name_of(Standard standard);
Standard parse_standard(std::string_view name);  ///< throws std::invalid_argument for an unknown name

/// One input of one operator. `inputs` holds every tensor that is not an output.
struct Case {
  const Operator* op = nullptr;
  Sizes sizes;
  Parameters parameters;
  std::string family;
  std::uint64_t seed = 0;
  Format element = Format::f32;
  Standard standard = Standard::bound;
  Tensors inputs;

  double parameter(std::string_view name) const;  ///< throws std::out_of_range with the name
  bool has(std::string_view tensor) const { return inputs.contains(tensor); }
  Format format_of(const TensorSpec& spec, Format result) const;

  /// First and last-plus-one token of sequence n: [n * T, (n + 1) * T) without cu_seqlens.
  std::pair<std::int64_t, std::int64_t> tokens_of(std::int64_t n) const;
  std::int64_t sequences() const { return sizes[Axis::sequences]; }
};

/// "B = 1, T = 65, H = 2, d = 16": the axes that the operator uses.
std::string sizes_text(const Case& c);

}  // namespace assay
