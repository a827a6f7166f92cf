#include "problem/operators/sanatan_families.hpp"

#include <stdexcept>
#include <string>

#include "problem/operators/sanatan.hpp"

namespace assay::operators {

std::span<const Family> sanatan_families(const Operator& op) {
  if (&op == &sanatan_features()) return sanatan_features_families();
  if (&op == &sanatan_attention()) return sanatan_attention_families();
  if (&op == &sanatan_feature_attention()) return sanatan_feature_attention_families();
  throw std::invalid_argument(std::string(op.name) + ": no input families");
}

}  // namespace assay::operators
