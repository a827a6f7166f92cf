#include "run/tables.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace assay {

const Oracle& oracle_of(const Tables& tables, const Operator& op) {
  const auto it = std::ranges::find(tables.oracles, &op, &Oracle::op);
  if (it == tables.oracles.end()) throw std::logic_error(fmt::format("operator '{}' has no oracle", op.name));
  return *it;
}

}  // namespace assay
