#include "judge/trivial_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

#include "judge/elements.hpp"

namespace assay {
namespace {

/// A wrong answer as a function of the element's number.
struct TrivialOutput {
  std::string_view name;
  std::function<double(std::size_t)> value;
};

/// How a trivial output compares with the truth on the elements [begin, end).
enum class Standing { right, rejected, accepted };

/// The truth's finite elements: their mean, and the sum of their squares. What is infinite or NaN is demanded as such,
/// and says nothing of how wide the bounds of the others are.
struct FiniteElements {
  double mean = 0, squares = 0;

  explicit FiniteElements(const std::vector<double>& all) {
    std::size_t count = 0;
    for (const double x : all) {
      if (!std::isfinite(x)) continue;
      ++count;
      mean += x;
      squares += x * x;
    }
    mean /= static_cast<double>(std::max<std::size_t>(count, 1));
  }
};

/// Whether it is right is asked of all, whether a bound rejects it of finite elements. `least_norm`: the square of a
/// typical norm, so that a range which is small beside the rest is no great loss.
Standing standing(const TrivialOutput& trivial, const Reference& want, const Allowance& allowed, double u,
                  std::size_t begin, std::size_t end, double least_norm) {
  bool right = true;
  bool rejected = false;
  double difference = 0;
  double norm = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (!std::isfinite(want.hi[i])) {
      right = right && trivial.value(i) == want.hi[i];
      continue;
    }
    const Element e = element_at(trivial.value(i), want, allowed, i);
    if (!e.determined) continue;
    if (e.error > 4 * u * std::abs(e.want) + e.radius) right = false;
    if (e.fails()) rejected = true;
    difference += e.error * e.error;
    norm += e.want * e.want;
  }
  if (right) return Standing::right;
  if (rejected) return Standing::rejected;
  // A tenth of the norm: a fault that nobody would call rounding.
  return 100 * difference > std::max(norm, least_norm) ? Standing::accepted : Standing::rejected;
}

}  // namespace

void judge_trivial_outputs(Judgement& judgement, const References& want, const Allowances& allowed, double u) {
  for (const auto& [name, reference] : want) {
    const std::size_t count = reference.hi.size();
    if (count == 0) continue;
    const auto row = static_cast<std::size_t>(reference.shape.back());
    const FiniteElements finite(reference.hi);
    const auto swapped = [&](std::size_t i) { return reference.hi[(i + row) % count]; };
    const Allowance& allowance = allowed.at(name);
    const auto note = [&](const TrivialOutput& trivial, std::size_t begin, std::size_t end) {
      const double share = static_cast<double>(end - begin) / static_cast<double>(count);
      const Standing s = standing(trivial, reference, allowance, u, begin, end, share * finite.squares);
      if (s == Standing::right) judgement.degenerate = true;
      if (s == Standing::accepted) {
        judgement.vacuous = true;
        judgement.vacuous_by = name + ": " + std::string(trivial.name);
      }
    };
    note({"zeros", [](std::size_t) { return 0.0; }}, 0, count);
    note({"the mean everywhere", [&](std::size_t) { return finite.mean; }}, 0, count);
    if (count > row) note({"rows shifted by one", swapped}, 0, count);
    note({"last row dropped", [](std::size_t) { return 0.0; }}, count - row, count);
  }
}

}  // namespace assay
