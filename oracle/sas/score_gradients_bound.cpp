#include <cmath>
#include <limits>

#include "oracle/rounding_units.hpp"
#include "oracle/sas/block_rows.hpp"
#include "oracle/sas/score_gradients_oracle.hpp"
#include "oracle/sas/weight_bound.hpp"

namespace assay::sas {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_gate = 0x1p-149;  ///< a gate below the normal numbers is a multiple of it

/// What the arithmetic of a bound may lose.
constexpr double enlarged = 1 + 0x1p-40;

/// A number, and how wrong it may be.
struct Uncertain {
  double value = 0, error = 0;
};

class RowBounds {
 public:
  RowBounds(const Case& c, const BlockRow& at, const Contract& contract)
      : contract_(contract), units_(rounding_units(contract)) {
    const double exp_unit = elementary_unit(contract, units_, "exp");
    for (const double log_gate : history_of<double>(c, "log_gate", at)) {
      const double g = std::exp(log_gate);
      g_.push_back({g, log_gate == 0 || log_gate == -infinity ? 0 : exp_unit * g + least_gate});
    }
    for (const double given : history_of<double>(c, "d_gate", at))
      a_.push_back(c.parameter("form") == 1 ? times(g_[a_.size()], given) : Uncertain{given, 0});
  }

  std::size_t blocks() const { return a_.size(); }

  /// Sum of all a.
  Uncertain total() const {
    Uncertain sum;
    double size = 0;
    std::size_t terms = 0;
    for (const Uncertain& a : a_) {
      sum.value += a.value;
      sum.error += a.error;
      size += std::abs(a.value) + a.error;
      terms += a.value == 0 && a.error == 0 ? 0 : 1;
    }
    const double roundings = sum_height(contract_, a_.size(), terms) * units_.u;
    sum.error += roundings * (1 + roundings) * size;
    return sum;
  }

  double softmax(std::size_t m, const Uncertain& total) const {
    const Uncertain &g = g_[m], &a = a_[m];
    const double before = a.error + g.value * total.error + g.error * (std::abs(total.value) + total.error);
    return rounded(a.value - g.value * total.value, before);
  }

  double sigmoid(std::size_t m) const {
    const Uncertain &g = g_[m], &a = a_[m];
    const double before = std::abs(1 - g.value) * a.error + g.error * (std::abs(a.value) + a.error);
    return rounded((1 - g.value) * a.value, before);
  }

  double raw(std::size_t m) const { return a_[m].error * enlarged; }

 private:
  /// g dg, exact where the gate is 1 or 0.
  Uncertain times(const Uncertain& g, double given) const {
    const double value = g.value * given, before = g.error * std::abs(given);
    return {value, g.error == 0 ? 0 : before + units_.u * (std::abs(value) + before) + units_.eta};
  }

  /// The error of a number that was wrong by `before` and is rounded once more.
  double rounded(double value, double before) const {
    return (before + units_.u * (std::abs(value) + before) + units_.eta) * enlarged;
  }

  const Contract& contract_;
  RoundingUnits units_;
  std::vector<Uncertain> g_, a_;
};

}  // namespace

Allowances score_gradients_bound(const Case& c, const Contract& contract, const References& truth) {
  std::vector<double> D(truth.at("d_scores").hi.size());
  const Normalisation rule = normalisation_of(c);
  for_each_block_row(c, [&](const BlockRow& at) {
    const RowBounds row(c, at, contract);
    const Uncertain total = row.total();
    for (std::size_t m = 0; m < row.blocks(); ++m)
      D[first_of(c, at) + m] = rule == Normalisation::softmax   ? row.softmax(m, total)
                               : rule == Normalisation::sigmoid ? row.sigmoid(m)
                                                                : row.raw(m);
  });
  Allowances out;
  out.emplace("d_scores", Allowance{.deterministic = D, .statistical = D});
  return out;
}

}  // namespace assay::sas
