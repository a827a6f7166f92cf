#include "oracle/sfda/token_update.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/sfda/decay_phase.hpp"
#include "oracle/sfda/recurrence.hpp"
#include "properties/enumerated.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/inputs.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

/// One token and a state, everything free.
template <class K>
struct OneToken {
  std::size_t d, dv;
  Matrix<K> S;
  Diagonal<K> lambda;
  std::vector<K> k, v;
  RealOf<K> beta;

  explicit OneToken(Source<K>& from)
      : d(from.size("d", 1, 4)),
        dv(from.size("dv", 1, 4)),
        S(from.values(d, dv)),
        lambda{from.values(d)},
        k(from.values(d)),
        v(from.values(dv)),
        beta(from.real()) {}

  Matrix<K> carried() const { return lambda.times(S); }
  std::vector<K> prediction() const { return predicted<K>(carried(), k); }
  Matrix<K> after() const { return corrected<K>(S, lambda, k, v, beta); }
};

/// a x + b y.
template <class K>
std::vector<K> combined(const RealOf<K>& a, const std::vector<K>& x, const RealOf<K>& b, const std::vector<K>& y) {
  std::vector<K> result;
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back(K(a) * x[i] + K(b) * y[i]);
  return result;
}

constexpr std::uint32_t update_degree = token_degree + 1;

Law two_forms() {
  return complex_identity(
      "sfda.correcting_the_prediction_is_the_update",
      "S' + beta k (v - S'* k)* with S' = Lambda S is (I - beta k k*) Lambda S + beta k v*, for every kind of Lambda",
      "[SFDA] eq. 13; [SFDA-notes] overview, s2.1; SFD-001, SFD-003", update_degree, 12, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 1, 5), dv = from.size("dv", 1, 4);
        const Matrix<K> S = from.values(d, dv);
        const std::vector<K> k = from.values(d), v = from.values(dv);
        const RealOf<K> beta = from.real();
        FirstFailure found;
        for_every_control(from, d, [&](std::string_view name, auto draw) {
          const auto lambda = draw();
          found.note(same(name, corrected<K>(S, lambda, k, v, beta), updated<K>(S, lambda, k, v, beta)));
        });
        return found.outcome();
      });
}

Law right_prediction() {
  return complex_identity(
      "sfda.a_right_prediction_leaves_the_carried_state",
      "v = v^ or beta = 0: S_t = Lambda S_{t-1}; any other v, at beta k != 0, changes it",
      "[SFDA-notes] s2.1; SFD-004, SFD-006", update_degree, 12, []<class K>(Source<K>& from) {
        const OneToken<K> x(from);
        const Matrix<K> carried = x.carried();
        std::vector<K> other = x.prediction(), key(x.d, K(0));
        other[0] = other[0] + K(1);
        key[0] = K(1);
        const std::vector<K> told = predicted<K>(carried, key);
        std::vector<K> untold = told;
        untold[0] = untold[0] + K(1);
        const RealOf<K> one(1);
        return all_of({same("v = v^", corrected<K>(x.S, x.lambda, x.k, x.prediction(), x.beta), carried),
                       same("beta = 0", corrected<K>(x.S, x.lambda, x.k, x.v, RealOf<K>(0)), carried),
                       same("k = e_1, v = v^", corrected<K>(x.S, x.lambda, key, told, one), carried),
                       differs("another v", corrected<K>(x.S, x.lambda, key, untold, one), carried)});
      });
}

Law along_the_key() {
  return complex_identity(
      "sfda.update_interpolates_along_its_key", "S_t* k = (1 - beta k*k) v^ + beta k*k v for every k and real beta",
      "[SFDA] eq. 13-19; [SFDA-notes] s2.1; SFD-005", update_degree + 3, 12, []<class K>(Source<K>& from) {
        const OneToken<K> x(from);
        RealOf<K> norm(0);
        for (const K& entry : x.k) norm = norm + abs2(entry);
        const RealOf<K> share = x.beta * norm;
        return same("S* k", predicted<K>(x.after(), x.k),
                    combined<K>(RealOf<K>(1) - share, x.prediction(), share, x.v));
      });
}

Law unit_keys() {
  return complex_generic_identity(
      "sfda.update_with_a_unit_key_replaces_a_share_of_the_prediction",
      "k*k = 1: S_t* k = (1 - beta) v^ + beta v: v^ at beta = 0, v at 1, 2v - v^ at 2; not so at k*k = 4",
      "[SFDA] eq. 13-19; [SFDA-notes] s2.1; SFD-005, SFD-006", unit_key_degree * (update_degree + 3), 8,
      []<class K>(Source<K>& from) {
        using R = RealOf<K>;
        OneToken<K> x(from);
        x.k = unit_key(from, x.d);
        const std::vector<K> before = x.prediction();
        const auto at = [&](const R& beta) { return predicted<K>(corrected<K>(x.S, x.lambda, x.k, x.v, beta), x.k); };
        OneToken<K> twice = x;
        for (K& entry : twice.k) entry = R(2) * entry;
        return all_of({same("beta", at(x.beta), combined<K>(R(1) - x.beta, before, x.beta, x.v)),
                       same("beta = 0", at(R(0)), before), same("beta = 1", at(R(1)), x.v),
                       same("beta = 2", at(R(2)), combined<K>(R(-1), before, R(2), x.v)),
                       differs("k*k = 4", predicted<K>(twice.after(), twice.k),
                               combined<K>(R(1) - x.beta, twice.prediction(), x.beta, x.v))});
      });
}

/// β enters the conjugated state as conj(β): the formula of a real β is wrong for a complex one.
Law real_beta() {
  return complex_generic_identity(
      "sfda.interpolation_needs_a_real_beta",
      "with complex beta S_t* k = (1 - conj(beta) k*k) v^ + conj(beta) k*k v, not with beta itself",
      "[SFDA-notes] s2.1; SFD-005", update_degree + 3, 8, []<class K>(Source<K>& from) {
        const OneToken<K> x(from);
        const K beta = from.free();
        const Matrix<K> k = column<K>(x.k), v = column<K>(x.v), carried = x.carried();
        const Matrix<K> S = carried - beta * (k * (adjoint(k) * carried)) + beta * (k * adjoint(v));
        const K norm = (adjoint(k) * k)(0, 0);
        const auto claimed = [&](const K& factor) {
          return (K(1) - factor * norm) * (adjoint(carried) * k) + factor * norm * v;
        };
        return all_of({same("S* k", adjoint(S) * k, claimed(conj(beta))),
                       differs("beta in the place of its conjugate", claimed(beta), adjoint(S) * k)});
      });
}

Law reads_after_the_update() {
  return complex_generic_identity(
      "sfda.output_reads_the_updated_state",
      "o_t = S_t* q_t; neither S_{t-1}* q_t, nor the transpose of S_t, nor the conjugate of o_t",
      "[SFDA] eq. 13-19; [SFDA-notes] s2.1; SFD-001, SFD-007", update_degree + 1, 8, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 1, 4), dv = from.size("dv", 1, 4);
        const Tokens<K> x = diagonal_tokens(from, 1, d, dv);
        const Matrix<K> S = from.values(d, dv), q = column<K>(x.q.row(0));
        const Run<K> run = recurrence(x, S);
        const Matrix<K> o = transpose(run.o);
        return all_of({same("S", run.S, updated<K>(S, x.lambda[0], x.k.row(0), x.v.row(0), x.beta[0])),
                       same("o", o, adjoint(run.S) * q), differs("read first", adjoint(S) * q, o),
                       differs("transposed", transpose(run.S) * q, o),
                       differs("conjugated", transpose(adjoint(run.S) * q), adjoint(o))});
      });
}

Law shapes() {
  return settled<Cx<F61>>(
      "sfda.shapes_follow_d_and_dv", "S [d, dv], q k [T, d], v [T, dv], beta [T], Lambda [T]; any other is refused",
      "[SFDA-notes] s2.1; SFD-001, SFD-007", []<class K>(Source<K>& from) {
        const Tokens<K> x = diagonal_tokens(from, 3, 2, 4);
        const Matrix<K> S = from.values(2, 4);
        const Run<K> run = recurrence(x, S);
        const auto with = [&](auto change) {
          Tokens<K> wrong = x;
          change(wrong);
          return [wrong, S] { recurrence(wrong, S); };
        };
        const std::vector<K> long_key = from.values(3), value = from.values(4), long_value = from.values(5);
        const Diagonal<K> lambda{from.values(2)};
        const RealOf<K> one(1);
        return all_of({refused("k of a token", [&] { corrected<K>(S, lambda, long_key, value, one); }),
                       refused("v of a token", [&] { corrected<K>(S, lambda, from.values(2), long_value, one); }),
                       refused("k of a correction", [&] { tied<K>(lambda, long_key, one); }),
                       same("rows of o", run.o.rows(), std::size_t{3}),
                       same("columns of o", run.o.cols(), std::size_t{4}),
                       same("rows of S", run.S.rows(), std::size_t{2}),
                       refused("q", with([&](Tokens<K>& t) { t.q = from.values(3, 3); })),
                       refused("length of q", with([&](Tokens<K>& t) { t.q = from.values(2, 2); })),
                       refused("k", with([&](Tokens<K>& t) { t.k = from.values(3, 3); })),
                       refused("v", with([&](Tokens<K>& t) { t.v = from.values(2, 4); })),
                       refused("beta", with([&](Tokens<K>& t) { t.beta.pop_back(); })),
                       refused("Lambda", with([&](Tokens<K>& t) { t.lambda.pop_back(); })),
                       refused("width of Lambda", with([&](Tokens<K>& t) { t.lambda[1].lambda.pop_back(); }))});
      });
}

Law kda() {
  const std::int64_t longest = 5;
  const std::uint32_t degree = longest * token_degree + 2;
  return complex_identity("sfda.zero_angles_and_real_inputs_give_kda",
                          "theta = 0, real q k v S_0: the recurrence over the reals with diag(alpha), no imaginary "
                          "part; complex keys have one",
                          "[SFDA] s3; [SFDA-notes] s2.3; SFD-002", degree, 8, []<class K>(Source<K>& from) {
                            using R = RealOf<K>;
                            const std::size_t T = from.size("T", 1, longest), d = from.size("d", 1, 4),
                                              dv = from.size("dv", 1, 4);
                            const auto real_matrix = [&](std::size_t rows, std::size_t cols) {
                              return Source<R>::filled(rows, cols, [&] { return from.real(); });
                            };
                            const auto embedded = [](const Matrix<R>& m) {
                              Matrix<K> result(m.rows(), m.cols());
                              for (std::size_t i = 0; i < m.rows(); ++i)
                                for (std::size_t j = 0; j < m.cols(); ++j) result(i, j) = K(m(i, j));
                              return result;
                            };
                            Tokens<R> real{real_matrix(T, d), real_matrix(T, d), real_matrix(T, dv), from.reals(T), {}};
                            Tokens<K> complex{embedded(real.q), embedded(real.k), embedded(real.v), real.beta, {}};
                            const std::vector<CircleAngle<R>> zero(d);
                            for (std::size_t t = 0; t < T; ++t) {
                              real.lambda.push_back({from.reals(d)});
                              complex.lambda.push_back(decay_and_phase<CircleAngle<R>, R>(real.lambda[t].lambda, zero));
                            }
                            const Matrix<R> S = real_matrix(d, dv);
                            const Run<R> want = recurrence(real, S);
                            const Run<K> got = recurrence(complex, embedded(S));
                            Tokens<K> turned = complex;
                            turned.k(0, 0) = K(R(0), R(1));
                            turned.beta[0] = R(1);
                            turned.v(0, 0) = K(R(1));
                            const Run<K> imaginary = recurrence(tokens_between(turned, 0, 1), Matrix<K>(d, dv));
                            return all_of({same("o", got.o, embedded(want.o)), same("S", got.S, embedded(want.S)),
                                           same("S with k = i", imaginary.S(0, 0), K(R(0), R(1)))});
                          });
}

/// In double every product with a zero imaginary part is exact, so that not one bit may differ.
Outcome kda_in_double() {
  Draw draw(1, "sfda.kda_in_double", 0);
  const auto number = [&] { return static_cast<double>(static_cast<std::int64_t>(draw.bits()) >> 11) * 0x1p-52; };
  const auto matrix = [&](std::size_t rows, std::size_t cols) { return Source<double>::filled(rows, cols, number); };
  const auto embedded = [](const Matrix<double>& m) {
    Matrix<Cx<double>> result(m.rows(), m.cols());
    for (std::size_t i = 0; i < m.rows(); ++i)
      for (std::size_t j = 0; j < m.cols(); ++j) result(i, j) = m(i, j);
    return result;
  };
  const std::size_t T = 256, d = 8;
  Tokens<double> real{matrix(T, d), matrix(T, d), matrix(T, d), {}, {}};
  Tokens<Cx<double>> complex{embedded(real.q), embedded(real.k), embedded(real.v), {}, {}};
  const std::vector<double> zero(d, 0.0);
  for (std::size_t t = 0; t < T; ++t) {
    real.beta.push_back(number() / 4);
    std::vector<double> alpha;
    for (std::size_t i = 0; i < d; ++i) alpha.push_back((1 + number()) / 2);
    real.lambda.push_back({alpha});
    complex.lambda.push_back(decay_and_phase<double, double>(alpha, zero));
  }
  complex.beta = real.beta;
  const Matrix<double> S = matrix(d, d);
  const Run<double> want = recurrence(real, S);
  const Run<Cx<double>> got = recurrence(complex, embedded(S));
  return all_of({same("o", got.o, embedded(want.o)), same("S", got.S, embedded(want.S))});
}

}  // namespace

std::vector<Law> sfda_token_update_laws() {
  return {two_forms(),
          right_prediction(),
          along_the_key(),
          unit_keys(),
          real_beta(),
          reads_after_the_update(),
          shapes(),
          kda(),
          enumerated("sfda.zero_angles_give_kda_bit_for_bit",
                     "T = 256, d = 8, theta = 0: complex and real recurrence have the same doubles, residual 0",
                     "[SFDA] tables 5 and 8; [SFDA-notes] s4.1; SFD-002, SFD-099", "double", kda_in_double)};
}

}  // namespace assay
