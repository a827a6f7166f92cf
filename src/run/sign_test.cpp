#include "run/sign_test.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <boost/math/distributions/binomial.hpp>
#include <fmt/format.h>

namespace assay {
namespace {

/// P(X >= k) for X binomial (n, 1/2).
double at_least(std::size_t k, std::size_t n) {
  if (k == 0) return 1;
  const boost::math::binomial_distribution<double> fair(static_cast<double>(n), 0.5);
  return boost::math::cdf(boost::math::complement(fair, static_cast<double>(k) - 1));
}

double median(std::vector<double>& values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

PairedComparison compare_pairs(std::span<const double> before, std::span<const double> now) {
  if (before.size() != now.size())
    throw std::invalid_argument(
        fmt::format("{} numbers before, {} now: pairs need as many", before.size(), now.size()));
  std::vector<double> differences;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (now[i] != before[i]) differences.push_back(now[i] - before[i]);
  PairedComparison result;
  result.pairs = differences.size();
  result.larger = static_cast<std::size_t>(std::ranges::count_if(differences, [](double d) { return d > 0; }));
  result.p_larger = at_least(result.larger, result.pairs);
  result.p_smaller = at_least(result.pairs - result.larger, result.pairs);
  result.median_difference = median(differences);
  return result;
}

}  // namespace assay
