#include "properties/simt/quick_values.hpp"

#include <fmt/format.h>

#include "arith/float_format.hpp"
#include "properties/simt/exact_functions.hpp"
#include "properties/simt/laws.hpp"

namespace assay {
namespace {

/// Of every size, and as often in [-128, 128], where most functions have their range.
std::vector<float> draw_inputs(Draw& draw) {
  std::vector<float> x;
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t bits = draw.bits();
    x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    x.push_back(static_cast<float>(static_cast<std::int64_t>(bits)) * 0x1p-63f * 128);
  }
  return x;
}

template <class F>
std::vector<float> within_domain(std::vector<float> x) {
  if (F::symmetry != exact_functions::Symmetry::none)
    for (float& one : x) one = std::abs(one);
  std::erase_if(x, [](float one) { return !F::in_domain(one); });
  return x;
}

/// The first input whose double is further from its pair than both bounds allow.
template <class F>
Outcome doubles_stay_within_bounds(Draw& draw) {
  const std::vector<float> x = within_domain<F>(draw_inputs(draw));
  const exact_functions::Doubles doubles = F::doubles(x);
  const exact_functions::Pairs pairs = F::pairs(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double difference = std::abs((doubles.value[i] - pairs.value[i].hi) - pairs.value[i].lo);
    const double size = std::abs(pairs.value[i].hi);
    const double bound =
        (quick::relative_bound + pairs.bound[i].relative) * size + doubles.absolute[i] + pairs.bound[i].absolute;
    if (!(difference <= bound))
      return Outcome::fails(fmt::format("{}({:a}) = {:a} in double, {:a}: bound {:a}", F::name, x[i], doubles.value[i],
                                        pairs.value[i].hi, bound));
  }
  return Outcome::holds();
}

/// Balls contain what the pairs enclose.
template <class F>
Outcome pairs_stay_within_bounds(Draw& draw) {
  const ArbPrecision precision(300);
  std::vector<float> x = within_domain<F>(draw_inputs(draw));
  x.resize(std::min<std::size_t>(x.size(), 200));
  const exact_functions::Pairs pairs = F::pairs(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double size = std::abs(pairs.value[i].hi);
    const double difference = abs(F::ball(Arb(x[i])) - Arb(pairs.value[i])).upper_magnitude();
    if (size < 0x1p200 && difference > pairs.bound[i].relative * size + pairs.bound[i].absolute)
      return Outcome::fails(
          fmt::format("{}({:a}) = {:a} as a pair: off by {:a}", F::name, x[i], pairs.value[i].hi, difference));
  }
  return Outcome::holds();
}

}  // namespace

std::vector<Law> simt_quick_values_laws() {
  std::vector<Check> doubles, pairs;
  exact_functions::for_each_function([&]<class F>(F) {
    doubles.push_back({F::name, 0, doubles_stay_within_bounds<F>});
    pairs.push_back({F::name, 0, pairs_stay_within_bounds<F>});
  });
  return {{"simt.doubles_of_functions_stay_within_their_bounds", "against pairs of doubles, on inputs of every size",
           "", Proof::tested, 0, 8, std::move(doubles)},
          {"simt.pairs_of_functions_stay_within_their_bounds", "against Arb at 300 bits, on inputs of every size", "",
           Proof::tested, 0, 8, std::move(pairs)}};
}

}  // namespace assay
