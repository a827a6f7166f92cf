#include "problem/families.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "problem/operators/sanatan_families.hpp"
#include "problem/operators/sas.hpp"
#include "problem/operators/sas_families.hpp"
#include "problem/operators/sas_gates.hpp"
#include "problem/operators/sas_gates_families.hpp"
#include "problem/operators/sas_score_gradients_families.hpp"
#include "problem/operators/sas_select_families.hpp"
#include "problem/operators/sfda.hpp"
#include "problem/operators/sfda_compose_families.hpp"
#include "problem/operators/sfda_families.hpp"

namespace assay {

std::optional<double> Family::place_on(std::string_view axis) const {
  const auto found = std::ranges::find(places, axis, &AxisPlace::axis);
  return found == places.end() ? std::nullopt : std::optional(found->at);
}

bool Family::covers(const Kernel& kernel) const {
  return (standard != Standard::field || kernel.over_fields) && (!resumed || kernel.limits.initial_state);
}

std::span<const Family> families_of(const Operator& op) {
  if (op.paper == "sanatan") return operators::sanatan_families(op);
  if (&op == &operators::sfda_compose()) return operators::sfda_compose_families();
  if (op.paper == "sfda") return operators::sfda_families(op);
  if (&op == &operators::sas_select()) return operators::sas_select_families();
  if (&op == &operators::sas_gates()) return operators::sas_gates_families();
  if (&op == &operators::sas_score_gradients()) return operators::sas_score_gradients_families();
  if (op.paper == "sas") return operators::sas_families(op);
  throw std::invalid_argument(fmt::format("operator '{}' has no input families", op.name));
}

std::vector<const Family*> families_for(const Kernel& kernel) {
  std::vector<const Family*> families;
  for (const Family& family : families_of(*kernel.op))
    if (family.covers(kernel)) families.push_back(&family);
  return families;
}

const Family& family_named(const Operator& op, std::string_view name) {
  const std::span<const Family> families = families_of(op);
  const auto it = std::ranges::find(families, name, &Family::name);
  if (it == families.end()) throw std::invalid_argument(fmt::format("{}: no family '{}'", op.name, name));
  return *it;
}

}  // namespace assay
