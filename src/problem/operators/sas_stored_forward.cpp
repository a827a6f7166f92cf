#include "problem/operators/sas_stored_forward.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "arith/dd_elementary.hpp"
#include "arith/dd_lanes.hpp"
#include "arith/rounding.hpp"
#include "problem/operators/sas_values.hpp"
#include "problem/values.hpp"

namespace assay::operators {
namespace {

using enum Axis;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> values_of(const Case& c, const char* name) {
  const auto found = c.inputs.find(name);
  if (found == c.inputs.end()) return {};
  std::vector<double> values(static_cast<std::size_t>(found->second.count()));
  found->second.copy_values(0, values);
  return values;
}

/// The inputs of attention as doubles.
class Forward {
 public:
  explicit Forward(const Case& c)
      : c_(c),
        q_(values_of(c, "q")),
        k_(values_of(c, "k")),
        v_(values_of(c, "v")),
        log_gate_(values_of(c, "log_gate")) {}

  /// o [dv] of a query of the group g that reads these keys, and its L.
  double row(const QueryRow& query, std::int64_t first_key, std::int64_t g, std::span<double> o) const {
    const std::vector<double> gates = gates_of(query);
    const bool outside = c_.op->uses(slot) && c_.parameter("position") == 1;
    LaneArray x = LaneArray::unset(1, gates.size());
    double m = -infinity;
    for (std::size_t j = 0; j < gates.size(); ++j) {
      const bool reads = !std::isnan(gates[j]);
      const double z = reads ? logit(query, first_key + static_cast<std::int64_t>(j), g) : -infinity;
      x.set(0, j, DoubleDouble(outside || !reads ? z : z + gates[j]));
      m = std::max(m, x.at(0, j).hi);
    }
    if (m == -infinity) return m;
    for (std::size_t j = 0; j < gates.size(); ++j) x.set(0, j, DoubleDouble(x.at(0, j).hi - m));
    const LaneArray powers = lanes_.exp(x);
    const std::int64_t H = c_.sizes[head], dv = c_.sizes[value];
    double l = 0;
    for (std::size_t j = 0; j < gates.size(); ++j) {
      const double weight = powers.at(0, j).hi;
      l += weight;
      if (weight == 0) continue;
      const double factor = outside && gates[j] != 0 ? weight * exp(DoubleDouble(gates[j])).hi : weight;
      const auto at = static_cast<std::size_t>(((first_key + static_cast<std::int64_t>(j)) * H + query.head) * dv);
      for (std::size_t i = 0; i < o.size(); ++i) o[i] += factor * v_[at + i];
    }
    for (double& entry : o) entry /= l;
    return m + log(DoubleDouble(l)).hi;
  }

 private:
  /// The log-gate of each token that the query sees: NaN where it does not read it.
  std::vector<double> gates_of(const QueryRow& query) const {
    std::vector<double> gates(static_cast<std::size_t>(query.visible), 0);
    if (!c_.op->uses(slot)) return gates;
    const auto b = static_cast<std::int64_t>(c_.parameter("b"));
    const std::int64_t own = (query.visible - 1) / b, slots = c_.sizes[slot], blocks = c_.sizes[block];
    std::fill_n(gates.begin(), own * b, std::numeric_limits<double>::quiet_NaN());
    const auto selected = c_.inputs.at("selected").as<std::int64_t>();
    for (std::int64_t i = 0; i < slots; ++i) {
      const std::int64_t m = selected[static_cast<std::size_t>(query.index * slots + i)];
      if (m < 0 || m >= own) continue;
      const double gate = log_gate_.empty() ? 0 : log_gate_[static_cast<std::size_t>(query.index * blocks + m)];
      std::fill_n(gates.begin() + m * b, b, gate);
    }
    return gates;
  }

  double logit(const QueryRow& query, std::int64_t key, std::int64_t g) const {
    const std::int64_t d = c_.sizes[feature];
    const double* const q = q_.data() + (query.index * c_.sizes[group] + g) * d;
    const double* const k = k_.data() + (key * c_.sizes[head] + query.head) * d;
    double sum = 0;
    for (std::int64_t f = 0; f < d; ++f) sum += q[f] * k[f];
    return c_.parameter("scale") * sum;
  }

  const Case& c_;
  std::vector<double> q_, k_, v_, log_gate_;
  LaneArithmetic lanes_;
};

void set_nearest(Tensor& tensor, std::int64_t i, double x) {
  tensor.set(i, std::isfinite(x) ? round_to(float_format(tensor.format()), x) : x);
}

}  // namespace

void fill_stored_forward(Case& c, Draw& draw) {
  Tensor &o = c.inputs.at("o"), &lse = c.inputs.at("lse");
  if (is_field(c.element)) {
    const auto any = [&](auto) { return static_cast<double>(draw.below(1 << 20)); };
    fill(o, any);
    fill(lse, [&](auto i) { return draw.below(8) == 0 ? 0 : 1 + any(i); });
    return;
  }
  const Forward forward(c);
  const std::int64_t H = c.sizes[head], G = c.sizes[group], dv = c.sizes[value];
  for_each_query(c, [&](const QueryRow& query) {
    const std::int64_t token = query.index / H, first_key = token + 1 - query.visible;
    for (std::int64_t g = 0; g < G; ++g) {
      std::vector<double> row(static_cast<std::size_t>(dv), 0);
      set_nearest(lse, query.index * G + g, forward.row(query, first_key, g, row));
      for (std::int64_t i = 0; i < dv; ++i)
        set_nearest(o, (query.index * G + g) * dv + i, row[static_cast<std::size_t>(i)]);
    }
  });
}

}  // namespace assay::operators
