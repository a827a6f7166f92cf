#include <cstddef>

#include "oracle/sanatan/chunk.hpp"
#include "oracle/sanatan/decode.hpp"
#include "oracle/sanatan/scores.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/laws.hpp"
#include "properties/table_text.hpp"

/// Cases worked out by hand from the source texts, with none of the oracle's code: the derivation stands over each.
namespace assay {
namespace {

using namespace sanatan;
using Q = Rational;

/// o(t, ·) of scores and values under p, c, ε.
Matrix<Q> output(const Matrix<Q>& s, const Matrix<Q>& v, int p, const Q& c, const Q& epsilon) {
  return attention(s, v, WeightRule<Q>{p, c, epsilon});
}

/// Scores with j > t set to 0: only the causal half is worked out by hand.
Matrix<Q> lower(Matrix<Q> s) {
  for (std::size_t t = 0; t < s.rows(); ++t)
    for (std::size_t j = t + 1; j < s.cols(); ++j) s(t, j) = Q(0);
  return s;
}

/// Six channels, d = 2, T = 3. A dimension's score is (1 + r r')(1 + c c' + s s').
///
///          q: dimension 1         dimension 2           k: dimension 1         dimension 2           v
///   t = 1  (1, 0)       1/2       (0, 1)      -1/3      (3/5, 4/5)     1       (0, -1)       1/2     ( 1,  0)
///   t = 2  (3/5, 4/5)  -1/2       (1, 0)        1       (-4/5, 3/5)  -1/2      (4/5, 3/5)    -1      ( 2, -1)
///   t = 3  (0, 1)        1        (-3/5, 4/5)   0       (1, 0)        1/3      (3/5, -4/5)   1/2     (-3,  4)
///
///   s_11 = (3/2)(8/5) + (5/6)(0)   = 12/5
///   s_21 = (1/2)(2)   + (3/2)(1)   = 5/2      s_22 = (5/4)(1)   + (0)(9/5) = 5/4
///   s_31 = (2)(9/5)   + (1)(1/5)   = 19/5     s_32 = (1/2)(8/5) + (1)(1)   = 9/5     s_33 = (4/3)(1) + (1)(0) = 4/3
struct SixChannels {
  Encoding<Q> q{table("1 0; 3/5 1; 0 -3/5"), table("0 1; 4/5 0; 1 4/5"), table("1/2 -1/3; -1/2 1; 1 0")};
  Encoding<Q> k{table("3/5 0; -4/5 4/5; 1 3/5"), table("4/5 -1; 3/5 3/5; 0 -4/5"), table("1 1/2; -1/2 -1; 1/3 1/2")};
  Matrix<Q> v = table("1 0; 2 -1; -3 4");
  Matrix<Q> phi_q = features(Channels::six, q), phi_k = features(Channels::six, k);
  Matrix<Q> s = scores(phi_q, phi_k);
};

/// c = 4d = 8 and ε = 1/8, so c ε = 1.
///   o_1 = (12/5) v_1 / (12/5 + 1)                                                    = (12/17, 0)
///   o_2 = ((5/2) v_1 + (5/4) v_2) / (15/4 + 1) = (5, -5/4) / (19/4)                  = (20/19, -5/19)
///   o_3 = ((19/5) v_1 + (9/5) v_2 + (4/3) v_3) / (104/15 + 1) = (17/5, 53/15) / (119/15) = (3/7, 53/119)
Law first_power() {
  return settled<Q>(
      "sanatan.golden_case_of_the_first_power",
      "d = 2, T = 3, p = 1: o = (12/17, 0), (20/19, -5/19), (3/7, 53/119), parallel, recurrent and by chunks",
      "[SANATAN] s3.4-3.5 eq. 8-9; [SANATAN-notes] s2.6, s2.7; SAN-022, SAN-045, SAN-057", [](Source<Q>&) {
        const SixChannels x;
        const Matrix<Q> want = table("12/17 0; 20/19 -5/19; 3/7 53/119");
        const Run<Q> run = recurrence(x.phi_q, x.phi_k, x.v, empty_state<Q>(12, 2));
        const std::size_t lengths[] = {2, 1};
        const Run<Q> chunks = chunked<Q>(x.phi_q, x.phi_k, x.v, empty_state<Q>(12, 2), lengths);
        return all_of({same("s", lower(x.s), table("12/5 0 0; 5/2 5/4 0; 19/5 9/5 4/3")),
                       same("parallel", output(x.s, x.v, 1, Q(8), Q(1, 8)), want),
                       same("recurrent", normalised(run.sums, Q(1)), want),
                       same("by chunks", normalised(chunks.sums, Q(1)), want)});
      });
}

/// The same tokens at p = 2, c = 8 and ε = 1/64, so c² ε = 1.
///   o_1 = (144/25) v_1 / (144/25 + 1)                                                = (144/169, 0)
///   o_2 = ((25/4) v_1 + (25/16) v_2) / (125/16 + 1) = (75/8, -25/16) / (141/16)      = (50/47, -25/141)
///   o_3 = ((361/25) v_1 + (81/25) v_2 + (16/9) v_3) / (4378/225 + 1)
///       = (1169/75, 871/225) / (4603/225)                                            = (3507/4603, 871/4603)
Law second_power() {
  return settled<Q>("sanatan.golden_case_of_the_second_power",
                    "d = 2, T = 3, p = 2: o = (144/169, 0), (50/47, -25/141), (3507/4603, 871/4603)",
                    "[SANATAN] s3.4-3.5 eq. 8; [SANATAN-notes] s2.6; SAN-022, SAN-045", [](Source<Q>&) {
                      const SixChannels x;
                      return same("o", output(x.s, x.v, 2, Q(8), Q(1, 64)),
                                  table("144/169 0; 50/47 -25/141; 3507/4603 871/4603"));
                    });
}

/// Four channels, d = 2, T = 3, p = 2, c = 8, c² ε = 1. A dimension's score is 1 + r r' (1 + c c' + s s').
///
///          q: dimension 1         dimension 2           k: dimension 1         dimension 2           v
///   t = 1  (1, 0)        1        (1, 0)       -1       (4/5, 3/5)    -1       (3/5, 4/5)     1       5
///   t = 2  (0, 1)       1/2       (3/5, -4/5)   1       (0, -1)       -1       (1, 0)        1/2     -2
///   t = 3  (-1, 0)     -1/2       (0, 1)       -1       (-1, 0)        1       (0, 1)        1/2      7
///
///   s_11 = (1 - 9/5) + (1 - 8/5)        = -7/5, clipped to 0
///   s_21 = (1 - 4/5) + (1 + 18/25)      = 48/25    s_22 = (1 - 0) + (1 + 4/5)       = 14/5
///   s_31 = (1 + 1/10) + (1 - 9/5)       = 3/10     s_32 = (1 + 1/2) + (1 - 1/2)     = 2       s_33 = (1 - 1) + (1 - 1)
///   = 0 o_1 = 0 / (0 + 1) = 0 o_2 = ((2304/625) 5 - (196/25) 2) / (7204/625 + 1) = 1720/7829 o_3 = ((9/100) 5 - (4) 2
///   + (0) 7) / (409/100 + 1)  = -755/509
Law clipped_four_channels() {
  return settled<Q>(
      "sanatan.golden_case_of_four_channels", "d = 2, T = 3, totals below, at and above 0: o = 0, 1720/7829, -755/509",
      "[SANATAN] s3.3-3.5 eq. 8; [SANATAN-notes] s2.5, s2.6; SAN-039, SAN-043", [](Source<Q>&) {
        const Encoding<Q> q{table("1 1; 0 3/5; -1 0"), table("0 0; 1 -4/5; 0 1"), table("1 -1; 1/2 1; -1/2 -1")};
        const Encoding<Q> k{table("4/5 3/5; 0 1; -1 0"), table("3/5 4/5; -1 0; 0 1"), table("-1 1; -1 1/2; 1 1/2")};
        const Matrix<Q> s = scores(features(Channels::four, q), features(Channels::four, k));
        return all_of({same("s", lower(s), table("-7/5 0 0; 48/25 14/5 0; 3/10 2 0")),
                       same("o", output(clipped(s, open_scores(s)), table("5; -2; 7"), 2, Q(8), Q(1, 64)),
                            table("0; 1720/7829; -755/509"))});
      });
}

/// From content angles: d = 2, T = 3, positions 0, 1, 2; λ = (π/2, arg(3 + 4i)), ω = (0, π/2), γ = 1, and x/2 in the
/// place of tanh x. So r = (c - s)/2 in dimension 1 and r = -(c + s)/2 in dimension 2, from the angle before rotation.
///
///          q: dimension 1                         dimension 2
///   t = 0  (1, 0)      r 1/2    stays (1, 0)       (0, 1)    r -1/2   stays (0, 1)
///   t = 1  (3/5, 4/5)  r -1/10  to (-4/5, 3/5)     (1, 0)    r -1/2   to (3/5, 4/5)
///   t = 2  (0, 1)      r -1/2   to (0, -1)         (1, 0)    r -1/2   to (-7/25, 24/25)
///          k
///   t = 0  (0, 1)      r -1/2   stays (0, 1)       (-1, 0)   r 1/2    stays (-1, 0)
///   t = 1  (1, 0)      r 1/2    to (0, 1)          (0, 1)    r -1/2   to (-4/5, 3/5)
///   t = 2  (-1, 0)     r -1/2   to (1, 0)          (0, -1)   r 1/2    to (24/25, 7/25)
///
///   s_00 = (3/4)(1)     + (3/4)(1)      = 3/2
///   s_10 = (21/20)(8/5) + (3/4)(2/5)    = 99/50    s_11 = (19/20)(8/5) + (5/4)(1)   = 277/100
///   s_20 = (5/4)(0)     + (3/4)(32/25)  = 24/25    s_21 = (3/4)(0)     + (5/4)(9/5) = 9/4     s_22 = (5/4)(1) +
///   (3/4)(1) = 2
/// With v = (2, -1, 3), p = 1 and c ε = 1:
///   o_0 = 3 / (5/2) = 6/5    o_1 = (119/100) / (575/100) = 119/575    o_2 = (567/100) / (621/100) = 21/23
struct FromAngles {
  Matrix<CircleAngle<Q>> theta_q = angles(table("1 0; 3/5 1; 0 1"), table("0 1; 4/5 0; 1 0"));
  Matrix<CircleAngle<Q>> theta_k = angles(table("0 -1; 1 0; -1 0"), table("1 0; 0 1; 0 -1"));
  Matrix<Q> v = table("2; -1; 3");
  AngleParameters<CircleAngle<Q>, Q> head{{{Q(1), Q(0)}, {Q(0), Q(1)}}, {{Q(0), Q(1)}, {Q(3, 5), Q(4, 5)}}, Q(1)};

  static Matrix<CircleAngle<Q>> angles(const Matrix<Q>& c, const Matrix<Q>& s) {
    Matrix<CircleAngle<Q>> theta(c.rows(), c.cols(), CircleAngle<Q>{});
    for (std::size_t t = 0; t < c.rows(); ++t)
      for (std::size_t a = 0; a < c.cols(); ++a) theta(t, a) = {c(t, a), s(t, a)};
    return theta;
  }
  static Q half(const Q& x) { return x / Q(2); }
  Encoding<Q> encoded(const Matrix<CircleAngle<Q>>& theta, std::int64_t t0) const {
    return encode(theta, head, t0, half);
  }
};

Law from_angles() {
  return settled<Q>(
      "sanatan.golden_case_from_content_angles",
      "d = 2, T = 3, labels before rotation: o = 6/5, 119/575, 21/23, the same from position 0 and from 5",
      "[SANATAN] s3 eq. 2-9; [SANATAN-notes] s2.2, s2.3, s2.7; SAN-018, SAN-019, SAN-020, SAN-057", [](Source<Q>&) {
        const FromAngles x;
        const Encoding<Q> q = x.encoded(x.theta_q, 0), k = x.encoded(x.theta_k, 0);
        FirstFailure found;
        found.note(same("r_q", q.label, table("1/2 -1/2; -1/10 -1/2; -1/2 -1/2")));
        found.note(same("r_k", k.label, table("-1/2 1/2; 1/2 -1/2; -1/2 1/2")));
        found.note(same("cos of q", q.cosine, table("1 0; -4/5 3/5; 0 -7/25")));
        found.note(same("sin of q", q.sine, table("0 1; 3/5 4/5; -1 24/25")));
        found.note(same("cos of k", k.cosine, table("0 -1; 0 -4/5; 1 24/25")));
        found.note(same("sin of k", k.sine, table("1 0; 1 3/5; 0 7/25")));
        for (const std::int64_t t0 : {0, 5}) {
          const Matrix<Q> s = scores(features(Channels::six, x.encoded(x.theta_q, t0)),
                                     features(Channels::six, x.encoded(x.theta_k, t0)));
          found.note(same("s", lower(s), table("3/2 0 0; 99/50 277/100 0; 24/25 9/4 2")));
          found.note(same("o", output(s, x.v, 1, Q(8), Q(1, 8)), table("6/5; 119/575; 21/23")));
        }
        return found.outcome();
      });
}

/// One token, d = 1, hard equal labels, equal angles: s = 4 = c, ε = 1/4, so c ε = 1 and o = 4v/(4 + 1). Left unscaled,
/// ε gives 4v/(4 + 1/4) = 16v/17. Reading first sees an empty history: 0/(0 + 1).
Law conventions() {
  return settled<Q>(
      "sanatan.golden_case_of_the_conventions",
      "one token, s = c = 4, eps = 1/4: o = 4v/5 in both forms; 16v/17 without rescaling; 0 when read first",
      "[SANATAN-notes] s2.6, s2.7; SAN-045, SAN-058, SAN-059", [](Source<Q>&) {
        const Matrix<Q> one(1, 1, Q(1)), v(1, 1, Q(5));
        const Matrix<Q> phi = features(Channels::six, Encoding<Q>{one, Matrix<Q>(1, 1), one});
        const WeightRule<Q> rule{1, Q(4), Q(1, 4)};
        const auto sums = [&](Order order) { return recurrence(phi, phi, v, empty_state<Q>(6, 1), order).sums; };
        return all_of({same("s", scores(phi, phi), Matrix<Q>(1, 1, Q(4))),
                       same("parallel", attention(scores(phi, phi), v, rule)(0, 0), Q(4)),
                       same("recurrent", normalised(sums(Order::update_then_read), Q(1))(0, 0), Q(4)),
                       same("eps not rescaled", normalised(sums(Order::update_then_read), Q(1, 4))(0, 0), Q(80, 17)),
                       same("read first", normalised(sums(Order::read_then_update), Q(1))(0, 0), Q(0))});
      });
}

/// θ = 0 at position 1 with λ = π/2, γ = 1 and x/2 for tanh x: the label is (cos 0 - sin 0)/2 = 1/2. From the rotated
/// angle π/2 it would be (0 - 1)/2 = -1/2.
Law label_before_rotation() {
  return settled<Q>("sanatan.golden_case_of_a_label_before_rotation",
                    "theta = 0, lambda = pi/2, position 1: circle point (0, 1), label 1/2 and not -1/2",
                    "[SANATAN-notes] s2.2; SAN-020", [](Source<Q>&) {
                      const AngleParameters<CircleAngle<Q>, Q> head{{{Q(1), Q(0)}}, {{Q(0), Q(1)}}, Q(1)};
                      const Encoding<Q> x =
                          encode(Matrix<CircleAngle<Q>>(1, 1, CircleAngle<Q>{}), head, 1, FromAngles::half);
                      return all_of({same("label", x.label(0, 0), Q(1, 2)), same("cos", x.cosine(0, 0), Q(0)),
                                     same("sin", x.sine(0, 0), Q(1))});
                    });
}

/// Dimension 1: (3/5, 4/5), r = 1/2; dimension 2: (0, 1), r = -1. Columns run over channels 1, c, s, r, rc, rs, then
/// over dimensions.
Law channel_order() {
  return settled<Q>(
      "sanatan.golden_case_of_the_channel_order", "Phi = [1 1 | 3/5 0 | 4/5 1 | 1/2 -1 | 3/10 0 | 2/5 -1]",
      "[SANATAN] s3.3; [SANATAN-notes] s2.3; SAN-022", [](Source<Q>&) {
        const Encoding<Q> x{table("3/5 0"), table("4/5 1"), table("1/2 -1")};
        return all_of({same("six", features(Channels::six, x), table("1 1 3/5 0 4/5 1 1/2 -1 3/10 0 2/5 -1")),
                       same("four", features(Channels::four, x), table("1 1 1/2 -1 3/10 0 2/5 -1")),
                       same("three", features(Channels::three, x), table("1 1 3/5 0 4/5 1"))});
      });
}

}  // namespace

std::vector<Law> sanatan_golden_laws() {
  return {first_power(), second_power(),          clipped_four_channels(), from_angles(),
          conventions(), label_before_rotation(), channel_order()};
}

}  // namespace assay
