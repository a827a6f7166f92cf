#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/rounding_units.hpp"
#include "oracle/sas/block_rows.hpp"
#include "oracle/sas/gates_oracle.hpp"
#include "oracle/sas/weight_bound.hpp"

namespace assay::sas {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_power = 0x1p-149;  ///< a power below the normal numbers is a multiple of it

/// What the arithmetic of a bound may lose.
constexpr double enlarged = 1 + 0x1p-40;

/// log l of a sum, and how wrong it may be.
struct LogSum {
  double value = 0, error = 0;
};

class GateBounds {
 public:
  explicit GateBounds(const Contract& contract)
      : contract_(contract),
        units_(rounding_units(contract)),
        exp_unit_(elementary_unit(contract, units_, "exp")),
        log_unit_(elementary_unit(contract, units_, "log")) {}

  /// Of x <= 0, one of which is 0, each wrong by `difference` of itself.
  LogSum log_sum(std::span<const double> x, double difference) const {
    double sum = 0, wrong = 0;
    std::size_t terms = 0;
    for (const double one : x) {
      const double power = std::exp(one);
      sum += power;
      terms += one == -infinity ? 0 : 1;
      if (one == 0 || one == -infinity) continue;
      // e^x (e^r - 1): r is large where x is.
      const double r = difference * -one + exp_unit_;
      wrong += least_power - std::exp(one + r) * std::expm1(-r);
    }
    const double roundings = sum_height(contract_, x.size(), terms) * units_.u;
    const double E = wrong / sum + roundings * (1 + roundings) * (1 + wrong / sum);
    const double of_sum = E < 1 ? -std::log1p(-E) : infinity, value = std::log(sum);
    return {value, of_sum + log_unit_ * (std::abs(value) + of_sum)};
  }

  /// Of x less such a logarithm, rounded once more.
  double less(double x, double of_x, const LogSum& total) const {
    const double before = of_x + total.error;
    return (before + units_.u * (std::abs(x - total.value) + before)) * enlarged;
  }

  double softmax(double x, const LogSum& total) const { return less(x, u() * std::abs(x), total); }

  double sigmoid(double s) const {
    const double x[] = {0, -std::abs(s)};
    return less(std::min(s, 0.0), 0, log_sum(x, 0));
  }

  double u() const { return units_.u; }

 private:
  const Contract& contract_;
  RoundingUnits units_;
  double exp_unit_, log_unit_;
};

}  // namespace

Allowances gates_bound(const Case& c, const Contract& contract, const References& truth) {
  std::map<std::string, std::vector<double>, std::less<>> D;
  for (const auto& [name, reference] : truth) D.emplace(name, std::vector<double>(reference.hi.size()));
  const GateBounds bounds(contract);
  const Normalisation rule = normalisation_of(c);
  for_each_block_row(c, [&](const BlockRow& at) {
    const std::vector<double> s = history_of<double>(c, "scores", at);
    const double m = s.empty() ? -infinity : std::ranges::max(s);
    if (m == -infinity) return;
    std::vector<double> x;
    for (const double score : s) x.push_back(score - m);
    const LogSum total = bounds.log_sum(x, bounds.u());
    D.at("lse")[at.row] = bounds.less(-m, 0, total);
    for (std::size_t i = 0; i < s.size(); ++i)
      if (s[i] != -infinity && rule != Normalisation::raw)
        D.at("log_gate")[first_of(c, at) + i] =
            rule == Normalisation::softmax ? bounds.softmax(x[i], total) : bounds.sigmoid(s[i]);
  });
  Allowances out;
  for (auto& [name, worst] : D) out.emplace(name, Allowance{.deterministic = worst, .statistical = worst});
  return out;
}

}  // namespace assay::sas
