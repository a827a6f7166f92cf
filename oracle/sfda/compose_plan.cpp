#include "oracle/sfda/compose_plan.hpp"

#include <bit>
#include <stdexcept>
#include <string>

#include "oracle/outside_domain.hpp"

namespace assay::sfda {
namespace {

MapPlace compose_stretch(std::size_t begin, std::size_t end, std::vector<ComposeStep>& steps) {
  if (end - begin == 1) return {false, begin};
  const std::size_t middle = begin + std::bit_floor(end - begin - 1);
  const MapPlace first = compose_stretch(begin, middle, steps), second = compose_stretch(middle, end, steps);
  steps.push_back({middle, second, first});
  return {true, middle};
}

}  // namespace

ComposePlan compose_plan(Algorithm algorithm, std::size_t maps) {
  if (maps == 0) throw OutsideDomain("0 maps: a composition needs at least one");
  ComposePlan plan;
  switch (algorithm) {
    case Algorithm::compose_in_order:
      for (std::size_t t = 1; t < maps; ++t) plan.steps.push_back({t, {false, t}, {t > 1, t - 1}});
      plan.root = {maps > 1, maps - 1};
      return plan;
    case Algorithm::compose_as_tree:
      plan.root = compose_stretch(0, maps, plan.steps);
      return plan;
    default:
      throw std::logic_error("maps are not composed by an algorithm of name " + std::string(name_of(algorithm)));
  }
}

}  // namespace assay::sfda
