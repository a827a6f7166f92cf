#include "problem/families.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "problem/operators/sanatan_families.hpp"

namespace assay {

std::span<const Family> families_of(const Operator& op) {
  if (op.paper == "sanatan") return operators::sanatan_families(op);
  throw std::invalid_argument(fmt::format("operator '{}' has no input families", op.name));
}

const Family& family_named(const Operator& op, std::string_view name) {
  const std::span<const Family> families = families_of(op);
  const auto it = std::ranges::find(families, name, &Family::name);
  if (it == families.end()) throw std::invalid_argument(fmt::format("{}: no family '{}'", op.name, name));
  return *it;
}

}  // namespace assay
