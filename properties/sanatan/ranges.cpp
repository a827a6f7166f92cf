#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "oracle/sanatan/scores.hpp"
#include "properties/enumerated.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

constexpr std::array all_channels{Channels::six, Channels::four, Channels::three};

Law affine_scores() {
  const std::uint32_t degree = 3;  // the mean of two scores of degree 2
  return identity("sanatan.scores_are_affine_in_gate_and_in_cosine",
                  "f(x a + (1 - x) b) = x f(a) + (1 - x) f(b) in rho and in cos D, with 6, 4 and 3 channels",
                  "[SANATAN] s3.3 eq. 7, App. A", degree, 16, []<class K>(Source<K>& from) {
                    const K a = from.value(), b = from.value(), fixed = from.value(), x = from.value();
                    const auto mean = [&](const K& at_a, const K& at_b) { return K(x * at_a + (K(1) - x) * at_b); };
                    for (const Channels c : all_channels) {
                      const Outcome outcome =
                          all_of({same("in rho", dimension_score(c, mean(a, b), fixed),
                                       mean(dimension_score(c, a, fixed), dimension_score(c, b, fixed))),
                                  same("in cos D", dimension_score(c, fixed, mean(a, b)),
                                       mean(dimension_score(c, fixed, a), dimension_score(c, fixed, b)))});
                      if (outcome.kind != Outcome::Kind::holds) return outcome;
                    }
                    return Outcome::holds();
                  });
}

struct Ends {
  Rational low;
  Rational high;
};

/// The least and greatest score of one dimension at the corners of rho in `rhos`, cos D in {−1, 1}.
Ends ends_at_corners(Channels channels, const std::vector<int>& rhos) {
  std::vector<Rational> scores;
  for (const int rho : rhos)
    for (const int cosine : {-1, 1}) scores.push_back(dimension_score<Rational>(channels, rho, cosine));
  const auto [low, high] = std::ranges::minmax(scores);
  return {low, high};
}

Outcome ends_are(Channels channels, const std::vector<int>& rhos, int low, int high) {
  const Ends ends = ends_at_corners(channels, rhos);
  const std::string name = fmt::format("{} channels", count(channels));
  return all_of(
      {same(name + ", least", ends.low, Rational(low)), same(name + ", greatest", ends.high, Rational(high))});
}

/// A score that is affine in rho and in cos D has its ends at corners, and d dimensions have d times the ends of one.
Outcome corners() {
  const std::vector<int> soft{-1, 1};
  return all_of({ends_are(Channels::six, soft, 0, 4), ends_are(Channels::four, soft, -1, 3),
                 ends_are(Channels::four, {1}, 1, 3), ends_are(Channels::four, {-1}, -1, 1),
                 ends_are(Channels::three, soft, 0, 2)});
}

Outcome three_channel_ends() {
  const Ends ends = ends_at_corners(Channels::three, {-1, 1});
  if (ends.low == -1 && ends.high == 3) return Outcome::fails("one dimension ranges over [-1, 3]");
  return Outcome::holds(
      fmt::format("one dimension ranges over [{}, {}], d of them over [0, 2d]", text_of(ends.low), text_of(ends.high)));
}

}  // namespace

std::vector<Law> sanatan_ranges_laws() {
  return {
      affine_scores(),
      enumerated("sanatan.scores_have_their_ends_at_corners",
                 "a dimension: six [0, 4], four [-1, 3] ([1, 3] matched, [-1, 1] mismatched), three [0, 2]",
                 "[SANATAN] s3.3, App. A; [SANATAN-notes] s2.5, s4.4", "Q, all corners", corners),
      enumerated("sanatan.three_channels_do_not_range_from_minus_d_to_three_d", "their ends are not -d and 3d",
                 "[SANATAN-notes] s4.4", "Q, all corners", three_channel_ends),
  };
}

}  // namespace assay
