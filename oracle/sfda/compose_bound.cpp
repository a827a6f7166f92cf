#include "oracle/sfda/compose_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "oracle/certified_value.hpp"
#include "oracle/sfda/compose_plan.hpp"
#include "oracle/sfda/given_maps.hpp"
#include "oracle/sfda/wide_map.hpp"

namespace assay::sfda {
namespace {

using Map = Affine<Cx<double>>;
using Sizes2 = Matrix<double>;

constexpr double u = 0x1p-24, eta = 0x1p-150;
/// Covers the double arithmetic of the bound.
constexpr double enlarged = 1 + 0x1p-30;

Sizes2 sizes_of(const Matrix<Cx<double>>& a) {
  Sizes2 sizes(a.rows(), a.cols());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) sizes(i, j) = std::hypot(a(i, j).re, a(i, j).im);
  return sizes;
}

Sizes2 squared(Sizes2 a) {
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (double& x : a.row(i)) x *= x;
  return a;
}

/// What the roundings of a step may do to the entries of P and Z, at their worst and as a sum of squares, and the sizes
/// of the terms of each.
struct StepError {
  Sizes2 P, Z;                ///< at its worst
  Sizes2 P_square, Z_square;  ///< of independent roundings
};

/// Roundings a term of a sum over the features takes with it.
double height_of(const Contract& contract, std::size_t d) {
  return contract.read_height > 0 ? static_cast<double>(contract.read_height) : 2 * static_cast<double>(d);
}

StepError step_error(const Map& second, const Map& first, double height) {
  const Sizes2 left = sizes_of(second.A), added = sizes_of(second.B);
  StepError e{left * sizes_of(first.A), left * sizes_of(first.B), {}, {}};
  const double growth = 1 + height * u;
  e.P_square = e.P;
  e.Z_square = e.Z;
  for (std::size_t i = 0; i < left.rows(); ++i) {
    for (std::size_t j = 0; j < e.P.cols(); ++j) {
      const double terms = e.P(i, j);
      e.P(i, j) = height * u * growth * terms + height * eta;
      e.P_square(i, j) = height * std::pow(u * growth * terms + eta, 2);
    }
    for (std::size_t j = 0; j < e.Z.cols(); ++j) {
      const double terms = e.Z(i, j), sum = growth * terms + added(i, j);
      e.Z(i, j) = height * u * growth * terms + u * sum + (height + 1) * eta;
      e.Z_square(i, j) = height * std::pow(u * growth * terms + eta, 2) + std::pow(u * sum + eta, 2);
    }
  }
  return e;
}

double likely(double worst, double square) { return std::min(worst, 8 * std::sqrt(square)); }

const Map& map_at(const MapPlace& place, const std::vector<Map>& given, const std::vector<Map>& nodes) {
  return (place.is_node ? nodes : given)[place.token];
}

Allowance no_allowance(const Shape& shape) {
  const std::vector<double> zeros(static_cast<std::size_t>(count_of(shape)));
  return {.deterministic = zeros, .statistical = zeros, .deviation = zeros};
}

/// Sets both components of the entries of one matrix of a tensor.
void set_allowance(Allowances& out, const std::string& name, std::size_t row, const Sizes2& worst, const Sizes2& square,
                   double factor) {
  for (const char* plane : {"_re", "_im"}) {
    Allowance& allowance = out.at(name + plane);
    std::size_t at = row * worst.rows() * worst.cols();
    for (std::size_t i = 0; i < worst.rows(); ++i)
      for (std::size_t j = 0; j < worst.cols(); ++j, ++at) {
        allowance.deterministic[at] = enlarged * factor * worst(i, j);
        allowance.statistical[at] = enlarged * factor * likely(worst(i, j), square(i, j));
      }
  }
}

/// One sequence and head from its first map to its last.
class EndToEnd {
 public:
  EndToEnd(const Case& c, const Contract& contract, std::int64_t n, std::int64_t h)
      : height_(height_of(contract, static_cast<std::size_t>(c.sizes[Axis::feature]))),
        given_(given_maps<double>(c, n, h)),
        plan_(compose_plan(contract.algorithm, given_.size())),
        nodes_(given_.size()) {
    const std::size_t d = given_.front().A.rows(), dv = given_.front().B.cols();
    total_ = {Sizes2(d, d), Sizes2(d, dv), Sizes2(d, d), Sizes2(d, dv)};
    for (const ComposeStep& step : plan_.steps)
      nodes_[step.token] = composed(map_at(step.second, given_, nodes_), map_at(step.first, given_, nodes_));
    meet(identity_map<Cx<double>>(d, dv).A, identity_map<Cx<double>>(d, dv));
  }

  const StepError& total() const { return total_; }

  /// Sizes are those of exact numbers: neighbours are wrong by so much, relatively.
  double second_order() const { return 1 + 4 * static_cast<double>(plan_.steps.size()) * (height_ + 1) * u; }

 private:
  /// From the root down: what the maps behind a node, `later`, and those before it make of its roundings.
  void meet(const Matrix<Cx<double>>& later, const Map& earlier) {
    struct Visit {
      MapPlace place;
      Matrix<Cx<double>> later;
      Map earlier;
      bool at_start;
    };
    std::vector<const ComposeStep*> step_of(given_.size(), nullptr);
    for (const ComposeStep& step : plan_.steps) step_of[step.token] = &step;
    std::vector<Visit> visits = {{plan_.root, later, earlier, true}};
    while (!visits.empty()) {
      const Visit visit = std::move(visits.back());
      visits.pop_back();
      if (!visit.place.is_node) continue;
      const ComposeStep& step = *step_of[visit.place.token];
      const Map &second = map_at(step.second, given_, nodes_), &first = map_at(step.first, given_, nodes_);
      add(step_error(second, first, height_), visit.later, visit.earlier, visit.at_start);
      if (step.first.is_node) visits.push_back({step.first, visit.later * second.A, visit.earlier, visit.at_start});
      if (step.second.is_node)
        visits.push_back({step.second, visit.later, visit.at_start ? first : composed(first, visit.earlier), false});
    }
  }

  /// |L| δP |R_P| of P; |L| (δP |R_Z| + δZ) of Z, and the same of squares.
  void add(StepError e, const Matrix<Cx<double>>& later, const Map& earlier, bool at_start) {
    const Sizes2 L = sizes_of(later);
    if (!at_start) {
      const Sizes2 R_P = sizes_of(earlier.A), R_Z = sizes_of(earlier.B);
      e.Z = e.Z + e.P * R_Z;
      e.P = e.P * R_P;
      e.Z_square = e.Z_square + e.P_square * squared(R_Z);
      e.P_square = e.P_square * squared(R_P);
    }
    const Sizes2 L_square = squared(L);
    total_.P = total_.P + L * e.P;
    total_.Z = total_.Z + L * e.Z;
    total_.P_square = total_.P_square + L_square * e.P_square;
    total_.Z_square = total_.Z_square + L_square * e.Z_square;
  }

  double height_;
  std::vector<Map> given_;
  ComposePlan plan_;
  std::vector<Map> nodes_;
  StepError total_;
};

/// One sequence and head, step by step.
class GivenNodes {
 public:
  GivenNodes(const Case& c, const Contract& contract, const Tensors& returned, std::pair<References, Allowances>& out,
             std::int64_t n, std::int64_t h)
      : case_(c),
        n_(n),
        h_(h),
        height_(height_of(contract, static_cast<std::size_t>(c.sizes[Axis::feature]))),
        given_(given_maps<double>(c, n, h)),
        nodes_(maps_of<double>(c, returned, "P_node", "Z_node", n, h)),
        out_(out) {
    if (given_.empty()) {
      write_copy(composition_of<double>(c, n, h), "P", "Z", state_index(c, n, h));
      return;
    }
    const ComposePlan plan = compose_plan(contract.algorithm, given_.size());
    write_copy(given_.front(), "P_node", "Z_node", row(0));
    for (const ComposeStep& step : plan.steps) write_step(step);
    write_copy(map_at(plan.root, given_, nodes_), "P", "Z", state_index(c, n, h));
  }

 private:
  std::size_t row(std::size_t t) const { return row_offset(case_, n_, t, h_, 1); }

  /// Numbers that are handed on as they are.
  void write_copy(const Map& map, const std::string& P, const std::string& Z, std::size_t row) {
    put_map(map, P, Z, row, [&](const std::string& name, std::size_t at, double x) { out_.first.at(name).hi[at] = x; });
  }

  void write_step(const ComposeStep& step) {
    const Map &second = map_at(step.second, given_, nodes_), &first = map_at(step.first, given_, nodes_);
    const StepError e = step_error(second, first, height_);
    set_allowance(out_.second, "P_node", row(step.token), e.P, e.P_square, 1);
    set_allowance(out_.second, "Z_node", row(step.token), e.Z, e.Z_square, 1);
    const WideMap due = carried(second, WideMap(first), 0);
    // A step's roundings are at least u beside the terms of a sum. On exact inputs these are multiples of one unit, so
    // that nothing is lost in double-double.
    const double of_bound = case_.standard == Standard::exact ? 0 : carried_error(due.d) / u;
    write_due(due, "P_node", 0, e.P, of_bound, row(step.token));
    write_due(due, "Z_node", due.d, e.Z, of_bound, row(step.token));
  }

  void write_due(const WideMap& due, const std::string& name, std::size_t first, const Sizes2& worst, double of_bound,
                 std::size_t row) {
    for (std::size_t i = 0; i < worst.rows(); ++i)
      for (std::size_t j = 0; j < worst.cols(); ++j) {
        const Cx<DoubleDouble> x = due(i, first + j);
        const bool known = std::isfinite(x.re.hi + x.re.lo + x.im.hi + x.im.lo);
        const double radius = known ? of_bound * worst(i, j) : std::numeric_limits<double>::infinity();
        const std::size_t at = (row * worst.rows() + i) * worst.cols() + j;
        set(out_.first.at(name + "_re"), at, {known ? x.re : DoubleDouble(), radius});
        set(out_.first.at(name + "_im"), at, {known ? x.im : DoubleDouble(), radius});
      }
  }

  const Case& case_;
  std::int64_t n_, h_;
  double height_;
  std::vector<Map> given_, nodes_;
  std::pair<References, Allowances>& out_;
};

}  // namespace

Allowances compose_bound(const Case& c, const Contract& contract, const References& truth) {
  Allowances out;
  for (const auto& [name, reference] : truth) out.emplace(name, no_allowance(reference.shape));
  for_every_head(c, [&](std::int64_t n, std::int64_t h) {
    if (length_of(c, n) == 0) return;
    const EndToEnd bound(c, contract, n, h);
    const StepError& e = bound.total();
    set_allowance(out, "P", state_index(c, n, h), e.P, e.P_square, bound.second_order());
    set_allowance(out, "Z", state_index(c, n, h), e.Z, e.Z_square, bound.second_order());
  });
  return out;
}

std::pair<References, Allowances> compose_steps(const Case& c, const Contract& contract, const Tensors& nodes) {
  std::pair<References, Allowances> out{empty_references(c), {}};
  for (const auto& [name, reference] : out.first) out.second.emplace(name, no_allowance(reference.shape));
  for_every_head(c, [&](std::int64_t n, std::int64_t h) { GivenNodes(c, contract, nodes, out, n, h); });
  return out;
}

}  // namespace assay::sfda
