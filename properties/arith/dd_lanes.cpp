#include "arith/dd_lanes.hpp"

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "arith/dd_elementary.hpp"
#include "arith/windowed_sums.hpp"
#include "properties/arith/draws.hpp"
#include "properties/arith/laws.hpp"

namespace assay {
namespace {

LaneArray random_lanes(Draw& draw, std::size_t rows, std::size_t lanes, int low, int high) {
  LaneArray a(rows, lanes);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < lanes; ++j) a.set(i, j, hard_pair(draw, low, high));
  return a;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

bool same_bits(const LaneArray& a, const LaneArray& b) {
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.stride(); ++j)
      if (!same_bits(a.at(i, j).hi, b.at(i, j).hi) || !same_bits(a.at(i, j).lo, b.at(i, j).lo)) return false;
  return true;
}

using NamedResults = std::vector<std::pair<std::string_view, LaneArray>>;

/// Every operation on the same operands.
struct Operands {
  LaneArray a, b, angle, k, q, state;
  std::vector<double> v;

  explicit Operands(Draw& draw)
      : Operands(draw, static_cast<std::size_t>(draw.size("rows", 1, 40)),
                 static_cast<std::size_t>(draw.size("lanes", 1, 40)),
                 static_cast<std::size_t>(draw.size("features", 1, 20))) {}

  Operands(Draw& draw, std::size_t rows, std::size_t lanes, std::size_t features)
      : a(random_lanes(draw, rows, lanes, -20, 5)),
        b(random_lanes(draw, rows, lanes, -20, 5)),
        angle(random_lanes(draw, rows, lanes, -20, 30)),
        k(random_lanes(draw, rows, features, -20, 5)),
        q(random_lanes(draw, rows, features, -20, 5)),
        state(random_lanes(draw, features, lanes, -20, 5)) {
    for (std::size_t i = 0; i < rows * lanes; ++i) v.push_back(hard_double(draw, -20, 5));
  }

  NamedResults results(LanePath path) const {
    const LaneArithmetic lanes(path);
    const SinCosLanes turned = lanes.sincos(angle);
    const LinearScan scan = linear_scan(k, v, q, state, lanes);
    LaneArray weights(b.lanes(), b.rows()), multiple = a;
    std::vector<double> doubles;
    for (std::size_t r = 0; r < b.lanes(); ++r)
      for (std::size_t i = 0; i < b.rows(); ++i) {
        weights.set(r, i, b.at(i, r));
        doubles.push_back(b.at(i, r).hi);
      }
    const ScaledRows rows(a.rows(), a.lanes(), v);
    for (std::size_t i = 0; i < a.rows(); ++i) lanes.add_multiple(multiple, i, k.at(i, 0), b, a.rows() - 1 - i);
    return {{"add", lanes.add(a, b)},
            {"multiply", lanes.multiply(a, b)},
            {"divide", lanes.divide(a, b)},
            {"add_multiple", multiple},
            {"exp", lanes.exp(a)},
            {"tanh", lanes.tanh(a)},
            {"sin", turned.sin},
            {"cos", turned.cos},
            {"linear_scan", scan.output},
            {"state of linear_scan", scan.state},
            {"weighted_sums_of_rows", weighted_sums_of_rows(weights, rows, lanes).sums},
            {"weighted_sums_of_rows by doubles",
             weighted_sums_of_rows({b.lanes(), b.rows(), doubles.data()}, rows, lanes).sums}};
  }
};

Outcome paths_agree(Draw& draw) {
  const Operands operands(draw);
  const NamedResults portable = operands.results(LanePath::portable);
  for (const LanePath path : supported_lane_paths()) {
    const NamedResults results = operands.results(path);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!same_bits(results[i].second, portable[i].second))
        return Outcome::fails(fmt::format("{} differs on {}", results[i].first, name(path)));
  }
  return Outcome::holds();
}

/// The scan of high parts alone, taken as doubles and as pairs.
Outcome doubles_scan_as_pairs(Draw& draw) {
  const Operands x(draw);
  const auto rows = x.k.rows(), features = x.k.lanes();
  LaneArray k(rows, features), q(rows, features);
  std::vector<double> k_doubles, q_doubles;
  for (std::size_t t = 0; t < rows; ++t)
    for (std::size_t f = 0; f < features; ++f) {
      k.set(t, f, k_doubles.emplace_back(x.k.at(t, f).hi));
      q.set(t, f, q_doubles.emplace_back(x.q.at(t, f).hi));
    }
  for (const LanePath path : supported_lane_paths()) {
    const LaneArithmetic lanes(path);
    const LinearScan pairs = linear_scan(k, x.v, q, x.state, lanes);
    const LinearScan doubles = linear_scan(FeatureRows(rows, features, k_doubles.data()), x.v,
                                           FeatureRows(rows, features, q_doubles.data()), x.state, lanes);
    if (!same_bits(pairs.output, doubles.output) || !same_bits(pairs.state, doubles.state))
      return Outcome::fails(fmt::format("another result on {}", name(path)));
    if (pairs.output_radius != doubles.output_radius || pairs.state_radius != doubles.state_radius)
      return Outcome::fails(fmt::format("another radius on {}", name(path)));
  }
  return Outcome::holds();
}

Outcome lanes_equal_scalars(Draw& draw) {
  const Operands x(draw);
  const NamedResults lanes = x.results(chosen_lane_path());
  for (std::size_t i = 0; i < x.a.rows(); ++i)
    for (std::size_t j = 0; j < x.a.lanes(); ++j) {
      const DoubleDouble a = x.a.at(i, j), b = x.b.at(i, j);
      const DoubleDouble scalars[] = {a + b,
                                      a * b,
                                      a / b,
                                      a + x.k.at(i, 0) * x.b.at(x.a.rows() - 1 - i, j),
                                      exp(a),
                                      tanh(a),
                                      sin(x.angle.at(i, j)),
                                      cos(x.angle.at(i, j))};
      for (std::size_t n = 0; n < std::size(scalars); ++n)
        if (lanes[n].second.at(i, j) != scalars[n])
          return Outcome::fails(fmt::format("{} in lanes gives {}, alone {}", lanes[n].first,
                                            exact_text(lanes[n].second.at(i, j)), exact_text(scalars[n])));
    }
  return Outcome::holds();
}

template <class Error>
bool throws(auto function) {
  try {
    function();
    return false;
  } catch (const Error&) {
    return true;
  }
}

Outcome bad_requests_are_refused(Draw&) {
  const LaneArithmetic lanes;
  LaneArray outside(2, 3), wide(2, 4);
  outside.set(1, 2, 1e10);
  if (!throws<std::runtime_error>([] { lane_path_named("sse9"); })) return Outcome::fails("path sse9 is accepted");
  if (!throws<std::invalid_argument>([&] { lanes.add(outside, wide); }))
    return Outcome::fails("2 x 3 + 2 x 4 is accepted");
  if (!throws<std::domain_error>([&] { lanes.exp(outside); })) return Outcome::fails("exp(1e10) is accepted");
  if (!throws<std::domain_error>([&] { lanes.sincos(outside); })) return Outcome::fails("sincos(1e10) is accepted");
  return lane_path_named("portable") == LanePath::portable ? Outcome::holds()
                                                           : Outcome::fails("path portable is not found");
}

}  // namespace

std::vector<Law> arith_dd_lanes_laws() {
  return {{.name = "arith.every_lane_path_gives_the_same_bits",
           .statement = "each lane operation gives the same bits on every path that this machine runs",
           .trials = 64,
           .checks = {{"double-double lanes", 0, paths_agree}}},
          {.name = "arith.a_scan_of_doubles_has_the_bits_of_a_scan_of_pairs",
           .statement = "features given as doubles and the same features with zero low parts give the same bits on "
                        "every path",
           .trials = 32,
           .checks = {{"double-double lanes", 0, doubles_scan_as_pairs}}},
          {.name = "arith.lanes_equal_scalars",
           .statement = "an operation on lanes equals the scalar operation on each of them",
           .trials = 32,
           .checks = {{"double-double lanes", 0, lanes_equal_scalars}}},
          {.name = "arith.lanes_refuse_bad_requests",
           .statement = "unknown paths, unequal shapes and arguments outside the domain throw",
           .checks = {{"double-double lanes", 0, bad_requests_are_refused}}}};
}

}  // namespace assay
