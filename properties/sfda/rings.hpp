#pragma once

#include <string_view>
#include <vector>

#include "arith/cyclic_ring.hpp"
#include "properties/identity.hpp"

namespace assay::sfda {

/// A statement about m-th roots of unity, settled in Z[x]/(x^m − 1) for each of `Orders`.
template <unsigned... Orders, class Trial>
Law over_roots_of_unity(std::string_view name, std::string_view statement, std::string_view source, Trial trial) {
  return {name, statement, source, Proof::exactly, 0, 1, {check_over<CyclicRing<Orders>>(trial)...}};
}

}  // namespace assay::sfda
