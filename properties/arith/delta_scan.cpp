#include "arith/delta_scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "arith/complex.hpp"
#include "arith/multiprecision.hpp"
#include "properties/arith/delta_case.hpp"
#include "properties/arith/laws.hpp"

namespace assay {
namespace {

using Wide = Mpfr<200>;

Wide exactly(DoubleDouble x) { return Wide(x.hi) + Wide(x.lo); }

using Complex = Cx<Wide>;

/// The largest error beside its radius, of the outputs and in 2-norm of the states, from MPFR.
struct Reached {
  double output = 0;
  double state = 0;
};

double part_of(double radius, const Wide& error) {
  return error == 0 ? 0 : radius == 0 ? HUGE_VAL : Wide(error / radius).convert_to<double>();
}

Reached reached(const DeltaCase& c, const DeltaScan& scan, const DeltaOutputs& got) {
  const DeltaTokens& x = c.tokens;
  const std::size_t d = x.features;
  const bool complex = c.v.complex();
  const auto number = [&](const PlanePair& planes, std::size_t at) {
    return complex ? Complex(Wide(planes.re[at]), Wide(planes.im[at])) : Complex(Wide(planes.re[at]));
  };
  const auto pair = [&](const PlanePair& hi, const PlanePair& lo, std::size_t at) {
    return number(hi, at) + number(lo, at);
  };
  Reached most;
  for (std::size_t j = 0; j < c.lanes; ++j) {
    std::vector<Complex> s(d);
    for (std::size_t f = 0; f < d; ++f) s[f] = number(c.initial, f * c.lanes + j);
    for (std::size_t t = 0; t < x.steps; ++t) {
      Complex held, o;
      for (std::size_t f = 0; f < d; ++f) {
        s[f] = pair(x.lambda_hi, x.lambda_lo, t * x.stride + f) * s[f];
        held += conj(s[f]) * number(x.k, t * x.stride + f);
      }
      const std::size_t row = t * got.stride + j;
      const Complex change = Wide(x.norms[t].beta) * (number(c.v, row) - held);
      for (std::size_t f = 0; f < d; ++f) {
        s[f] += number(x.k, t * x.stride + f) * conj(change);
        o += conj(s[f]) * number(x.q, t * x.stride + f);
      }
      const Complex error = pair(got.hi, got.lo, row) - o;
      most.output =
          std::max({most.output, part_of(got.radius[row], abs(error.re)), part_of(got.radius[row], abs(error.im))});
    }
    Wide square = 0;
    for (std::size_t f = 0; f < d; ++f)
      square += abs2(Complex(exactly(scan.state(0, f, j)), complex ? exactly(scan.state(1, f, j)) : Wide(0)) - s[f]);
    most.state = std::max(most.state, part_of(scan.radius(j), Wide(sqrt(square))));
  }
  return most;
}

DeltaCase draw_case(Draw& draw, std::int64_t T, std::int64_t d, Numbers numbers) {
  return DeltaCase(draw, static_cast<std::size_t>(T), static_cast<std::size_t>(d), 3, draw.below(2) == 0, numbers);
}

Reached reached_by(DeltaCase c) {
  const DeltaScan scan = c.run();
  return reached(c, scan, c.outputs);
}

Reached attacked(Draw& draw, std::int64_t T, std::int64_t d, Numbers numbers) {
  return reached_by(draw_case(draw, T, d, numbers));
}

Outcome inside(const Reached& part) {
  if (part.output <= 1 && part.state <= 1) return Outcome::holds();
  return Outcome::fails(fmt::format("output {:.3g}, state {:.3g} of the radius", part.output, part.state));
}

Numbers hard_or_alike(Draw& draw) { return draw.below(2) == 0 ? Numbers::hard : Numbers::alike; }

Outcome within_radius(Draw& draw) {
  const std::int64_t T = draw.size("T", 0, 32), d = draw.size("d", 1, 12);
  return inside(attacked(draw, T, d, hard_or_alike(draw)));
}

/// One token with 1024 features that are all alike, so that the terms of an inner product round alike; from a state of
/// zero, of which only the output's can be wrong.
Outcome wide_within_radius(Draw& draw) {
  DeltaCase c = draw_case(draw, 1, 1024, Numbers::alike);
  if (draw.below(2) == 0) c.initial = PlanePair(c.initial.re.size(), c.initial.complex());
  return inside(reached_by(std::move(c)));
}

Outcome orthogonal_within_radius(Draw& draw) { return inside(reached_by(DeltaCase::orthogonal(draw))); }

Outcome radius_is_approached(Draw& draw) {
  Reached most;
  for (int i = 0; i < 1024; ++i) {
    const auto T = static_cast<std::int64_t>(draw.below(8)) + 1;
    const Reached part = attacked(draw, T, 1, hard_or_alike(draw));
    most = {std::max(most.output, part.output), std::max(most.state, part.state)};
  }
  if (most.output >= 0.05 && most.state >= 0.05) return Outcome::holds();
  return Outcome::fails(fmt::format("only {:.3g} (output) and {:.3g} (state) is reached", most.output, most.state));
}

Outcome integers_are_exact(Draw& draw) {
  const Reached part = attacked(draw, draw.size("T", 1, 12), draw.size("d", 1, 12), Numbers::integers);
  return part.output == 0 && part.state == 0 ? Outcome::holds()
                                             : Outcome::fails("a scan of small integers is not exact");
}

bool same_row(const DeltaOutputs& a, const DeltaOutputs& b, std::size_t lane, std::size_t steps, double factor) {
  for (std::size_t at = lane; at < steps * a.stride; at += a.stride)
    if (b.hi.re[at] != factor * a.hi.re[at] || b.lo.re[at] != factor * a.lo.re[at] ||
        b.radius[at] != factor * a.radius[at])
      return false;
  return true;
}

/// Lane 0 of v and S_0 times 2^n: every bit of that lane moves by n, radii too, and none of another lane.
Outcome scales_do_not_matter(Draw& draw) {
  DeltaCase c = draw_case(draw, draw.size("T", 1, 32), draw.size("d", 1, 9), hard_or_alike(draw));
  DeltaCase scaled = c;
  const double factor = std::ldexp(1.0, static_cast<int>(draw.below(400)) - 200);
  scaled.scale_lane(0, factor);
  c.run();
  scaled.run();
  if (!same_row(c.outputs, scaled.outputs, 0, c.tokens.steps, factor))
    return Outcome::fails(fmt::format("a lane times {:a} gives other digits", factor));
  return same_row(c.outputs, scaled.outputs, 1, c.tokens.steps, 1) ? Outcome::holds()
                                                                   : Outcome::fails("another lane changes");
}

/// v = 0 and S_0 = 0 in lane 0.
Outcome zero_lanes_stay_zero(Draw& draw) {
  DeltaCase c = draw_case(draw, draw.size("T", 1, 32), draw.size("d", 1, 9), Numbers::hard);
  c.scale_lane(0, 0);
  const DeltaScan scan = c.run();
  for (std::size_t at = 0; at < c.tokens.steps * c.outputs.stride; at += c.outputs.stride)
    if (c.outputs.hi.re[at] != 0 || c.outputs.radius[at] != 0) return Outcome::fails("the lane of zeros gives others");
  return scan.radius(0) == 0 && scan.radius(1) > 0 ? Outcome::holds() : Outcome::fails("the state's radius is wrong");
}

/// One block of tokens as two: the same values, and the same radius but for its roundings.
Outcome blocks_do_not_matter(Draw& draw) {
  const std::int64_t T = draw.size("T", 2, 32);
  DeltaCase c = draw_case(draw, T, draw.size("d", 1, 9), Numbers::hard);
  const std::size_t split = 1 + draw.below(static_cast<std::uint64_t>(T) - 1);
  DeltaCase head = c, tail = c.from(split);
  head.tokens.steps = split;
  const DeltaScan whole = c.run();
  DeltaScan parts = head.run();
  parts.advance(tail.tokens, tail.v, tail.outputs);
  for (std::size_t f = 0; f < c.tokens.features; ++f)
    if (parts.state(0, f, 0) != whole.state(0, f, 0)) return Outcome::fails("the state is another");
  const double ratio = parts.radius(0) / whole.radius(0);
  return std::abs(ratio - 1) < 0x1p-30 ? Outcome::holds() : Outcome::fails(fmt::format("{} of the radius", ratio));
}

bool same_bits(const CacheLineDoubles& a, const CacheLineDoubles& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

bool same_bits(const PlanePair& a, const PlanePair& b) { return same_bits(a.re, b.re) && same_bits(a.im, b.im); }

Outcome paths_agree(Draw& draw) {
  DeltaCase portable = draw_case(draw, draw.size("T", 1, 32), draw.size("d", 1, 20), hard_or_alike(draw));
  const DeltaScan state = portable.run(LanePath::portable);
  for (const LanePath path : supported_lane_paths()) {
    DeltaCase c = portable;
    const DeltaScan scan = c.run(path);
    if (!same_bits(c.outputs.hi, portable.outputs.hi) || !same_bits(c.outputs.lo, portable.outputs.lo))
      return Outcome::fails(fmt::format("outputs differ on {}", name(path)));
    if (!same_bits(c.outputs.radius, portable.outputs.radius) || scan.radius(1) != state.radius(1))
      return Outcome::fails(fmt::format("radii differ on {}", name(path)));
    for (std::size_t plane = 0; plane <= c.v.complex(); ++plane)
      for (std::size_t f = 0; f < c.tokens.features; ++f)
        if (scan.state(plane, f, 1) != state.state(plane, f, 1))
          return Outcome::fails(fmt::format("the state differs on {}", name(path)));
  }
  return Outcome::holds();
}

/// Lane 0 begins beyond 2^500.
Outcome lanes_out_of_range_are_unknown(Draw& draw) {
  DeltaCase c = draw_case(draw, draw.size("T", 1, 32), draw.size("d", 1, 9), Numbers::hard);
  c.initial.re[0] = 1;
  c.scale_lane(0, draw.below(2) == 0 ? 0x1p510 : HUGE_VAL);
  const DeltaScan scan = c.run();
  const bool unknown = scan.radius(0) == HUGE_VAL && c.outputs.radius[0] == HUGE_VAL;
  return unknown && scan.radius(1) < 1 ? Outcome::holds() : Outcome::fails("a radius is finite");
}

}  // namespace

std::vector<Law> arith_delta_scan_laws() {
  const auto law = [](std::string_view name, std::string_view statement, std::uint32_t trials, Outcome (*run)(Draw&)) {
    return Law{.name = name,
               .statement = statement,
               .trials = trials,
               .checks = {{"windowed sums against MPFR 200 digits", 0, run}}};
  };
  return {law("arith.delta_scan_is_within_its_radius",
              "S = Lambda S, S + beta k (v - S* k)* and o = S* q differ from exact ones by at most the radius", 512,
              within_radius),
          law("arith.delta_scan_is_within_its_radius_where_roundings_agree",
              "1024 equal features: every term of an inner product rounds to the same side", 128, wide_within_radius),
          law("arith.delta_scan_is_within_its_radius_where_a_key_meets_nothing",
              "k orthogonal to S and beta up to 2^15: the prediction is nothing but its roundings", 1024,
              orthogonal_within_radius),
          law("arith.delta_scan_radius_is_approached",
              "1024 attacks on one feature reach a twentieth of the radius, of outputs and of states", 1,
              radius_is_approached),
          law("arith.delta_scan_of_integers_is_exact", "where nothing needs rounding nothing is rounded", 128,
              integers_are_exact),
          law("arith.delta_scan_commutes_with_powers_of_two",
              "a lane of v and S_0 times 2^n gives that lane times 2^n, radii too, and leaves the others alone", 128,
              scales_do_not_matter),
          law("arith.delta_scan_keeps_zero_lanes", "a lane that is zero and given zeros stays zero, with radius 0", 64,
              zero_lanes_stay_zero),
          law("arith.delta_scan_resumes_between_any_tokens",
              "one block of tokens given as two leaves the same state with the same radius", 128, blocks_do_not_matter),
          law("arith.delta_scan_gives_the_same_bits_on_every_path",
              "outputs, states and radii have the same bits on every path that this machine runs", 64, paths_agree),
          law("arith.delta_scan_knows_its_range", "a lane beyond 2^500 has an infinite radius; its neighbour has not",
              64, lanes_out_of_range_are_unknown)};
}

}  // namespace assay
