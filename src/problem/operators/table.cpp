#include "problem/operators/table.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "problem/operators/sanatan.hpp"

namespace assay {

std::span<const Operator* const> operator_table() {
  static const std::array<const Operator*, 3> operators = {
      &operators::sanatan_features(), &operators::sanatan_attention(), &operators::sanatan_feature_attention()};
  return operators;
}

const Operator& operator_named(std::string_view name) {
  for (const Operator* op : operator_table())
    if (op->name == name) return *op;
  throw std::invalid_argument(fmt::format("operator '{}': no operator is called so", name));
}

}  // namespace assay
