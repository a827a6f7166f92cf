#include "oracle/sanatan/features.hpp"

#include <utility>

#include "oracle/axioms.hpp"
#include "oracle/sanatan/recurrence.hpp"
#include "oracle/sanatan/scores.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/encodings.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

template <class K, std::size_t C>
K inner(const std::array<K, C>& x, const std::array<K, C>& y) {
  return dot<K>(x, y);
}

Law six_channels_factorise() {
  const std::uint32_t degree = 4;  // r c r' c'
  return identity("sanatan.six_channel_kernel_factorises",
                  "<Phi_a(q), Phi_a(k)> = (1 + r r')(1 + c c' + s s') for free c, s, r: no circle relation is needed",
                  "[SANATAN] s3.3 eq. 7, App. A; [SANATAN-post]; SAN-022", degree, 24, []<class K>(Source<K>& from) {
                    const K c = from.value(), s = from.value(), r = from.value();
                    const K c2 = from.value(), s2 = from.value(), r2 = from.value();
                    const K cosine = c * c2 + s * s2, rho = r * r2;
                    const K score = inner(six_channels(c, s, r), six_channels(c2, s2, r2));
                    return all_of({same("score", score, dimension_score(Channels::six, rho, cosine)),
                                   same("score", score, K(K(1) + cosine + rho + rho * cosine))});
                  });
}

/// The cosine of an angle between two points of the circle by its chord, which no addition theorem enters.
Law cosine_of_the_difference() {
  const std::uint32_t degree = 8;  // two circle coordinates of each of two angles
  return generic_identity("sanatan.circle_points_make_the_inner_product_the_cosine_of_the_difference",
                          "c c' + s s' = 1 - |z - z'|^2/2, kept by a common rotation; false off the circle",
                          "[SANATAN] s3.3 eq. 7, App. A; SAN-022", degree, 24, []<class K>(Source<K>& from) {
                            const CircleAngle<K> a = from.angle(), b = from.angle(), turn = from.angle();
                            const auto by_chord = [](const CircleAngle<K>& a, const CircleAngle<K>& b) {
                              const K dc = a.cosine - b.cosine, ds = a.sine - b.sine;
                              return K(K(1) - (dc * dc + ds * ds) / K(2));
                            };
                            const auto by_product = [](const CircleAngle<K>& a, const CircleAngle<K>& b) {
                              return K(a.cosine * b.cosine + a.sine * b.sine);
                            };
                            const CircleAngle<K> off{from.free(), from.free()};
                            return all_of({same("product", by_product(a, b), by_chord(a, b)),
                                           same("cos(a - b)", (a - b).cosine, by_chord(a, b)),
                                           same("rotated", by_product(a + turn, b + turn), by_product(a, b)),
                                           same("q = k", by_product(a, a), K(1)),
                                           differs("a point off the circle", by_product(off, b), by_chord(off, b))});
                          });
}

Law kronecker() {
  const std::uint32_t degree = 4;
  return identity("sanatan.six_channels_are_labels_tensor_angles",
                  "Phi_a = [1, r] (x) [1, c, s], and <x (x) y, x' (x) y'> = <x, x'><y, y'>",
                  "[SANATAN-notes] s2.3; SAN-023", degree, 16, []<class K>(Source<K>& from) {
                    using Labels = std::array<K, 2>;
                    using Angles = std::array<K, 3>;
                    const auto tensor = [](const Labels& x, const Angles& y) {
                      return std::array<K, 6>{x[0] * y[0], x[0] * y[1], x[0] * y[2],
                                              x[1] * y[0], x[1] * y[1], x[1] * y[2]};
                    };
                    const Labels r{K(1), from.value()}, r2{K(1), from.value()};
                    const Angles z{K(1), from.value(), from.value()}, z2{K(1), from.value(), from.value()};
                    const auto phi = six_channels(z[1], z[2], r[1]), phi2 = six_channels(z2[1], z2[2], r2[1]);
                    const std::array<K, 6> product = tensor(r, z);
                    return all_of({same<K>("Phi", std::span<const K>(phi), std::span<const K>(product)),
                                   same("score", inner(phi, phi2), K(inner(r, r2) * inner(z, z2)))});
                  });
}

Law sum_over_dimensions() {
  const std::uint32_t degree = 4;
  return identity("sanatan.kernel_is_the_sum_over_dimensions",
                  "<Phi(q), Phi(k)> = sum_a (1 + rho_a)(1 + cos D_a), with 6, 4 and 3 channels, d = 1, 2, 3, 8, 64",
                  "[SANATAN] s3.3; [SANATAN-notes] overview; SAN-024, SAN-039, SAN-101", degree, 10,
                  []<class K>(Source<K>& from) {
                    const std::size_t d = std::array<std::size_t, 5>{1, 2, 3, 8, 64}[from.size("d", 0, 4)];
                    const Encoding<K> q = free_encoding(from, 2, d), k = free_encoding(from, 3, d);
                    FirstFailure found;
                    for (const Channels channels : {Channels::six, Channels::four, Channels::three})
                      found.note(same("scores", scores(features(channels, q), features(channels, k)),
                                      closed_form_scores(channels, q, k)));
                    return found.outcome();
                  });
}

Law column_order() {
  const std::uint32_t degree = 2;
  return identity("sanatan.feature_columns_run_over_channels_then_dimensions",
                  "column n d + a of Phi is channel n of dimension a, channels in the order 1, c, s, r, rc, rs",
                  "[SANATAN] s3.3; [SANATAN-notes] s2.3; SAN-008", degree, 8, []<class K>(Source<K>& from) {
                    const std::size_t d = from.size("d", 1, 5);
                    const Encoding<K> x = free_encoding(from, 2, d);
                    const Matrix<K> six = features(Channels::six, x), four = features(Channels::four, x),
                                    three = features(Channels::three, x);
                    FirstFailure found;
                    for (std::size_t a = 0; a < d; ++a) {
                      const K c = x.cosine(1, a), s = x.sine(1, a), r = x.label(1, a);
                      const K paper[] = {K(1), c, s, r, r * c, r * s};
                      const std::size_t kept_by_four[] = {0, 3, 4, 5};
                      for (std::size_t n = 0; n < 6; ++n) found.note(same("six", six(1, n * d + a), paper[n]));
                      for (std::size_t n = 0; n < 4; ++n)
                        found.note(same("four", four(1, n * d + a), paper[kept_by_four[n]]));
                      for (std::size_t n = 0; n < 3; ++n) found.note(same("three", three(1, n * d + a), paper[n]));
                    }
                    return found.outcome();
                  });
}

Law shapes() {
  return settled<Rational>(
      "sanatan.shapes_follow_channels_d_and_dv", "Phi [T, c d], S [c d, dv], z [c d]; other shapes are refused",
      "[SANATAN-notes] s2.2; SAN-008", []<class K>(Source<K>& from) {
        FirstFailure found;
        for (const auto& [d, dv] : {std::pair<std::size_t, std::size_t>{1, 1}, {1, 3}, {3, 2}, {64, 5}}) {
          const AngleParameters<CircleAngle<K>, K> head{from.angles(d), from.angles(d), K(10)};
          const axiom::Tanh<K> tanh([&] { return from.free(); });
          const Encoding<K> x = encode(from.angles(2, d), head, 0, tanh);
          for (const Channels channels : {Channels::six, Channels::four, Channels::three}) {
            const Matrix<K> phi = features(channels, x), v = from.values(2, dv), short_v = from.values(1, dv);
            const Run<K> run = recurrence(phi, phi, v, empty_state<K>(phi.cols(), dv));
            found.note(same("features", phi.cols(), count(channels) * d));
            found.note(same("S rows", run.state.S.rows(), phi.cols()));
            found.note(same("S columns", run.state.S.cols(), dv));
            found.note(same("z", run.state.z.size(), phi.cols()));
            found.note(same("o", run.sums.numerator.cols(), dv));
            found.note(refused("a wider state", [&] { recurrence(phi, phi, v, empty_state<K>(1 + phi.cols(), dv)); }));
            found.note(refused("fewer values than keys", [&] { recurrence(phi, phi, short_v, run.state); }));
            found.note(refused("omega of other width", [&] { encode(from.angles(2, d + 1), head, 0, tanh); }));
          }
        }
        return found.outcome();
      });
}

Law negative_coordinates() {
  return settled<Rational>(
      "sanatan.feature_coordinates_may_be_negative_while_the_kernel_is_not",
      "at c = r = -1 channels c and r are -1, and the score with itself is 4", "[SANATAN-notes] s2.3; SAN-027",
      []<class K>(Source<K>&) {
        const auto phi = six_channels(K(-1), K(0), K(-1));
        return all_of({same("c", phi[1], K(-1)), same("r", phi[3], K(-1)), same("score", inner(phi, phi), K(4))});
      });
}

Law positive_semidefinite() {
  const std::uint32_t degree = 6 * 3 * 4 + 4;  // eighteen points, squared; two labels and x twice
  return certified_inequality(
      "sanatan.equal_maps_make_a_positive_semidefinite_gram_matrix",
      "x^T G x = |sum_i x_i Phi_i|^2 >= 0 for G = Phi Phi^T; with keys of another projection G is not even symmetric",
      "[SANATAN-notes] s2.3; SAN-029", degree, 8, []<class K>(Source<K>& from) {
        const std::size_t T = from.size("T", 2, 6), d = from.size("d", 1, 3);
        const Matrix<K> phi = features(Channels::six, bounded_encoding(from, T, d));
        const Matrix<K> gram = scores(phi, phi), x = from.values(T, 1), combined = transpose(phi) * x;
        const K form = (transpose(x) * (gram * x))(0, 0);
        Encoding<K> one{Matrix<K>(2, 1, K(1)), Matrix<K>(2, 1), Matrix<K>(2, 1)};
        one.label(1, 0) = K(1);
        Encoding<K> other = one;
        other.label(0, 0) = K(1) / K(2);
        const Matrix<K> mixed = scores(features(Channels::six, one), features(Channels::six, other));
        FirstFailure found;
        found.note(same("x^T G x", form, (transpose(combined) * combined)(0, 0)));
        found.note(same("G^T", transpose(gram), gram));
        found.note(differs("keys of another projection", transpose(mixed), mixed));
        if constexpr (OrderedScalar<K>) found.note(holds_if(!(form < K(0)), "x^T G x = " + text_of(form)));
        return found.outcome();
      });
}

}  // namespace

std::vector<Law> sanatan_features_laws() {
  return {six_channels_factorise(),
          cosine_of_the_difference(),
          kronecker(),
          sum_over_dimensions(),
          column_order(),
          shapes(),
          negative_coordinates(),
          positive_semidefinite()};
}

}  // namespace assay
