#include "problem/operators/table.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "problem/operators/sanatan.hpp"
#include "problem/operators/sas.hpp"
#include "problem/operators/sas_gates.hpp"
#include "problem/operators/sas_gradients.hpp"
#include "problem/operators/sfda.hpp"

namespace assay {

std::span<const Operator* const> operator_table() {
  static const std::array operators = {&operators::sanatan_features(),
                                       &operators::sanatan_attention(),
                                       &operators::sanatan_feature_attention(),
                                       &operators::sfda_attention(),
                                       &operators::kda_attention(),
                                       &operators::gated_delta_attention(),
                                       &operators::delta_attention(),
                                       &operators::rotation_blocks_attention(),
                                       &operators::sfda_compose(),
                                       &operators::softmax_attention(),
                                       &operators::sas_attention(),
                                       &operators::softmax_gradients(),
                                       &operators::sas_gradients(),
                                       &operators::sas_select(),
                                       &operators::sas_gates(),
                                       &operators::sas_score_gradients(),
                                       &operators::softmax_decode(),
                                       &operators::sas_decode()};
  return operators;
}

const Operator& operator_named(std::string_view name) {
  for (const Operator* op : operator_table())
    if (op->name == name) return *op;
  throw std::invalid_argument(fmt::format("operator '{}': no operator is called so", name));
}

}  // namespace assay
