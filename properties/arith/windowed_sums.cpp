#include "arith/windowed_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "arith/multiprecision.hpp"
#include "properties/arith/draws.hpp"
#include "properties/arith/laws.hpp"
#include "properties/refuses.hpp"

namespace assay {
namespace {

/// Wide enough that every sum below is exact: 2^±40 entries, pairs, two products.
using Exact = Mpfr<200>;

Exact exactly(DoubleDouble x) { return Exact(x.hi) + Exact(x.lo); }

/// 0: all entries alike and positive, the largest mass; 1: hard pairs; 2: small integers, which leave no error.
enum Family { alike, hard, integers };

DoubleDouble entry(Draw& draw, Family family, DoubleDouble common) {
  if (family == alike) return common;
  if (family == integers) return DoubleDouble(static_cast<int>(draw.below(17)) - 8);
  return hard_pair(draw, -10, 0);
}

struct ScanCase {
  LaneArray k, q, state;
  std::vector<double> v;

  ScanCase(Draw& draw, std::size_t T, std::size_t F, std::size_t L, Family family)
      : k(T, F), q(T, F), state(F, L), v(T * L) {
    const DoubleDouble common = abs(hard_pair(draw, 0, 0));
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t f = 0; f < F; ++f) {
        k.set(t, f, entry(draw, family, common));
        q.set(t, f, entry(draw, family, common));
      }
    for (double& x : v) x = entry(draw, family, common).hi;
    if (draw.below(2))
      for (std::size_t f = 0; f < F; ++f)
        for (std::size_t j = 0; j < L; ++j) state.set(f, j, entry(draw, family, common));
  }
};

/// The largest error / radius.
struct Reached {
  double output = 0;
  double state = 0;
};

double part_of(double radius, const Exact& want, DoubleDouble got) {
  const Exact error = abs(want - exactly(got));
  return error == 0 ? 0 : Exact(error / radius).convert_to<double>();
}

Reached reached(const ScanCase& c, const LinearScan& scan) {
  Reached most;
  for (std::size_t j = 0; j < c.state.lanes(); ++j) {
    std::vector<Exact> state;
    for (std::size_t f = 0; f < c.k.lanes(); ++f) state.push_back(exactly(c.state.at(f, j)));
    for (std::size_t t = 0; t < c.k.rows(); ++t) {
      Exact output = 0;
      for (std::size_t f = 0; f < state.size(); ++f) {
        state[f] += exactly(c.k.at(t, f)) * c.v[t * c.state.lanes() + j];
        output += exactly(c.q.at(t, f)) * state[f];
      }
      most.output = std::max(most.output, part_of(scan.output_radius[t] * scan.scale[j], output, scan.output.at(t, j)));
    }
    for (std::size_t f = 0; f < state.size(); ++f)
      most.state = std::max(most.state, part_of(scan.state_radius[f] * scan.scale[j], state[f], scan.state.at(f, j)));
  }
  return most;
}

Reached scan_reaches(Draw& draw, std::int64_t T, std::int64_t F) {
  const auto family = draw.below(2) ? alike : hard;
  const ScanCase c(draw, static_cast<std::size_t>(T), static_cast<std::size_t>(F), 3, family);
  return reached(c, linear_scan(c.k, c.v, c.q, c.state));
}

Outcome scan_within_radius(Draw& draw) {
  const std::int64_t T = draw.size("T", 0, 70), F = draw.size("F", 0, 6);
  const Reached part = scan_reaches(draw, T, F);
  if (part.output <= 1 && part.state <= 1) return Outcome::holds();
  return Outcome::fails(fmt::format("output {:.3g}, state {:.3g} of the radius", part.output, part.state));
}

Outcome scan_radius_is_approached(Draw& draw) {
  Reached most;
  for (int i = 0; i < 256; ++i) {
    const auto T = static_cast<std::int64_t>(draw.below(70)) + 1, F = static_cast<std::int64_t>(draw.below(6)) + 1;
    const Reached part = scan_reaches(draw, T, F);
    most = {std::max(most.output, part.output), std::max(most.state, part.state)};
  }
  if (most.output >= 0.1 && most.state >= 0.1) return Outcome::holds();
  return Outcome::fails(fmt::format("only {:.3g} (output) and {:.3g} (state) is reached", most.output, most.state));
}

Outcome integers_scan_exactly(Draw& draw) {
  const ScanCase c(draw, static_cast<std::size_t>(draw.size("T", 1, 100)), 5, 4, integers);
  const Reached part = reached(c, linear_scan(c.k, c.v, c.q, c.state));
  return part.output == 0 && part.state == 0 ? Outcome::holds()
                                             : Outcome::fails("a scan of small integers is not exact");
}

/// |o| and the radius scale with each lane of v, and with each row of q.
Outcome scales_do_not_matter(Draw& draw) {
  ScanCase c(draw, static_cast<std::size_t>(draw.size("T", 1, 40)), 4, 2, hard);
  const LinearScan before = linear_scan(c.k, c.v, c.q, c.state);
  const int shift = static_cast<int>(draw.below(500)) - 250;
  for (std::size_t t = 0; t < c.k.rows(); ++t) c.v[2 * t] = std::ldexp(c.v[2 * t], shift);
  for (std::size_t f = 0; f < 4; ++f) {
    const DoubleDouble s = c.state.at(f, 0);
    c.state.set(f, 0, {std::ldexp(s.hi, shift), std::ldexp(s.lo, shift)});
  }
  const LinearScan after = linear_scan(c.k, c.v, c.q, c.state);
  for (std::size_t t = 0; t < c.k.rows(); ++t)
    if (after.output.at(t, 0).hi != std::ldexp(before.output.at(t, 0).hi, shift) ||
        after.output.at(t, 1) != before.output.at(t, 1))
      return Outcome::fails(fmt::format("a lane times 2^{} gives other digits", shift));
  return Outcome::holds();
}

/// Rows of weights are summed by several at once and alone, features by 32.
Outcome row_sums_within_radius(Draw& draw) {
  const auto F = static_cast<std::size_t>(draw.size("F", 0, 100)),
             rows = static_cast<std::size_t>(draw.size("R", 0, 6));
  const std::size_t lanes = 3;
  const bool doubles = draw.below(2) != 0;
  const auto family = draw.below(2) ? alike : hard;
  const ScanCase c(draw, F, rows, lanes, family);
  LaneArray w(rows, F);
  std::vector<double> high;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t f = 0; f < F; ++f) {
      const DoubleDouble entry = c.k.at(f, r);
      w.set(r, f, doubles ? DoubleDouble(entry.hi) : entry);
      high.push_back(entry.hi);
    }
  const ScaledRows x(F, lanes, c.v);
  const RowSums got = doubles ? weighted_sums_of_rows({rows, F, high.data()}, x) : weighted_sums_of_rows(w, x);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < lanes; ++j) {
      Exact want = 0;
      for (std::size_t f = 0; f < F; ++f) want += exactly(w.at(r, f)) * c.v[lanes * f + j];
      if (abs(want - exactly(got.sums.at(r, j))) > Exact(got.radius[r]) * x.scale(j))
        return Outcome::fails(fmt::format("row {} lane {} is off by more than its radius", r, j));
    }
  return Outcome::holds();
}

/// One entry of one operand is no number, or too large to be scaled.
Outcome bad_entries_are_refused(Draw& draw) {
  constexpr double bad[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 0x1p999};
  const double entry = bad[draw.below(3)];
  const auto T = static_cast<std::size_t>(draw.size("T", 1, 40));
  const std::size_t t = draw.below(T), operand = draw.below(4);
  ScanCase c(draw, T, 2, 2, hard);
  if (operand == 0) c.k.set(t, 1, entry);
  if (operand == 1) c.q.set(t, 1, entry);
  if (operand == 2) c.v[2 * t + 1] = entry;
  if (operand == 3) c.state.set(1, 1, entry);
  return refuses([&] { return linear_scan(c.k, c.v, c.q, c.state); })
             ? Outcome::holds()
             : Outcome::fails(fmt::format("{} in operand {} is accepted", entry, operand));
}

}  // namespace

std::vector<Law> arith_windowed_sums_laws() {
  constexpr std::string_view windows = "windowed sums against MPFR 200 digits";
  return {{.name = "arith.linear_scan_is_within_its_radius",
           .statement = "o_t = sum_f q_f S_f and S_f = sum k_f v differ from exact sums by at most the stated radius",
           .trials = 512,
           .checks = {{windows, 0, scan_within_radius}}},
          {.name = "arith.linear_scan_radius_is_approached",
           .statement = "256 attacks reach a tenth of the radius, of outputs and of states",
           .checks = {{windows, 0, scan_radius_is_approached}}},
          {.name = "arith.linear_scan_of_integers_is_exact",
           .statement = "where nothing needs rounding nothing is rounded",
           .trials = 128,
           .checks = {{windows, 0, integers_scan_exactly}}},
          {.name = "arith.linear_scan_commutes_with_powers_of_two",
           .statement = "a lane of v and S_0 times 2^n gives that lane times 2^n, and leaves the others alone",
           .trials = 128,
           .checks = {{windows, 0, scales_do_not_matter}}},
          {.name = "arith.weighted_sums_of_rows_are_within_their_radii",
           .statement = "sum_f w[r, f] x_f differs from the exact sum by at most the stated radius",
           .trials = 256,
           .checks = {{windows, 0, row_sums_within_radius}}},
          {.name = "arith.linear_scan_refuses_bad_entries",
           .statement = "NaN, infinity and what is too large throw, wherever they stand",
           .trials = 64,
           .checks = {{windows, 0, bad_entries_are_refused}}}};
}

}  // namespace assay
