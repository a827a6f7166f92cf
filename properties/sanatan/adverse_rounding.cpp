#include <numbers>
#include <tuple>

#include "oracle/sanatan/attention.hpp"
#include "oracle/sanatan/parallel_bound.hpp"
#include "oracle/sanatan/readout_bound.hpp"
#include "oracle/sanatan/recurrence.hpp"
#include "oracle/sanatan/state_bound.hpp"
#include "properties/sanatan/laws.hpp"
#include "properties/toy_attack.hpp"

// The bounds B1 to B7 (oracle/sanatan/bounds.md) in formats of 4 to 11 bits, with every rounding turned against them.

namespace assay {
namespace {

using namespace sanatan;

/// Every entry as an input that rounds.
template <class K, class S>
Matrix<K> rounded(const Matrix<double>& m, const S& steps) {
  Matrix<K> result = in<K>(m);
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (K& x : result.row(i)) x = steps.input(x);
  return result;
}

/// Features that a kernel rounds once, and the bound of that.
FeatureError rounded_once(const Matrix<double>& phi, const RoundingUnits& units) {
  FeatureError result{phi, Matrix<double>(phi.rows(), phi.cols())};
  for (std::size_t t = 0; t < phi.rows(); ++t)
    for (std::size_t f = 0; f < phi.cols(); ++f) result.error(t, f) = units.u * std::abs(phi(t, f)) + units.eta;
  return result;
}

/// One head from features, of a few tokens and one column.
struct ToyCase {
  const FloatFormat& format;
  RoundingUnits units;
  Head<double> head;
  FeatureError q, k;
  RoundingPoints points = {.input = true, .accumulate = true, .state = true};
  Contract contract;

  ToyCase(Draw& draw) : format(draw_toy_format(draw)), units(directed_units(format)) {
    const Mix mix = Mix::drawn(format, draw);
    // Second-order terms stay terms of second order: no sum has more than 1/u roundings.
    const std::uint64_t most = format.precision < 6 ? 4 : 8;
    head.T = 1 + draw.below(draw.below(2) == 0 ? 2 : most), head.d = 1 + draw.below(draw.below(2) == 0 ? 1 : most);
    head.dv = 1, head.channels = 1;
    head.phi_q = mix.matrix(head.T, head.d, draw);
    head.phi_k = mix.matrix(head.T, head.d, draw);
    head.v = mix.matrix(head.T, 1, draw);
    head.initial = empty_state<double>(head.d, 1);
    if (draw.below(2) == 0) head.initial.S = mix.matrix(head.d, 1, draw);
    if (draw.below(2) == 0)
      for (double& z : head.initial.z) z = mix.number(draw);
    // Half of the cases: features of many bits, which the kernel rounds on their way in.
    points.input = draw.below(2) == 0;
    if (points.input) wobble(draw);
    q = k = {head.phi_q, Matrix<double>(head.T, head.d)};
    k.phi = head.phi_k;
    if (points.input) q = rounded_once(head.phi_q, units), k = rounded_once(head.phi_k, units);
  }

  void wobble(Draw& draw) {
    for (Matrix<double>* m : {&head.phi_q, &head.phi_k})
      for (std::size_t t = 0; t < m->rows(); ++t)
        for (double& x : m->row(t)) x *= 1 + std::ldexp(static_cast<double>(draw.below(1024)), -22);
  }

  AttackedShape shape() const { return {format, head.T, head.d}; }

  /// The bound of the state after the last token.
  StateBound state() const {
    StateBound bound(head, contract, units);
    for (std::size_t t = 0; t < head.T; ++t) bound.add_token(k.phi.row(t), k.error.row(t), head.v.row(t));
    return bound;
  }
};

template <class K>
State<K> before(const ToyCase& toy) {
  State<K> state{in<K>(toy.head.initial.S), {}};
  for (const double z : toy.head.initial.z) state.z.emplace_back(z);
  return state;
}

template <class K, class S>
Run<K> scanned(const ToyCase& toy, const S& steps) {
  return recurrence<K>(rounded<K>(toy.head.phi_q, steps), rounded<K>(toy.head.phi_k, steps), in<K>(toy.head.v),
                       before<K>(toy), sanatan::Order::update_then_read, steps);
}

/// B2.
void attack_state(Draw& draw, Reached& reached) {
  const ToyCase toy(draw);
  const StateBound bound = toy.state();
  const auto errors = adverse_errors(toy.format, toy.points, [&]<class K>(const auto& steps) {
    const Run<K> run = scanned<K>(toy, steps);
    std::vector<K> outputs;
    for (std::size_t f = 0; f < toy.head.d; ++f) {
      outputs.push_back(run.state.S(f, 0));
      outputs.push_back(run.state.z[f]);
    }
    return outputs;
  });
  for (std::size_t i = 0; i < errors.size(); ++i)
    reached.note(errors[i], bound.deterministic(i / 2, i % 2), toy.shape());
}

/// B3, of the last row.
void attack_readout(Draw& draw, Reached& reached) {
  const ToyCase toy(draw);
  const std::size_t last = toy.head.T - 1;
  const ReadoutBound bound = toy.state().read(toy.q.phi.row(last), toy.q.error.row(last));
  const auto errors = adverse_errors(toy.format, toy.points, [&]<class K>(const auto& steps) {
    const Run<K> run = scanned<K>(toy, steps);
    return std::vector<K>{run.sums.numerator(last, 0), run.sums.denominator[last]};
  });
  for (std::size_t i = 0; i < errors.size(); ++i) reached.note(errors[i], bound.deterministic[i], toy.shape());
}

/// B4, of the last row, where the operator determines it.
void attack_quotient(Draw& draw, Reached& reached) {
  ToyCase toy(draw);
  toy.points.output = true;
  const std::size_t last = toy.head.T - 1;
  const double eps =
      std::ldexp(1 + std::ldexp(static_cast<double>(draw.below(1024)), -22), 4 - static_cast<int>(draw.below(16)));
  const ReadoutBound sums = toy.state().read(toy.q.phi.row(last), toy.q.error.row(last));
  const QuotientBound bound = quotient_bound(sums, eps, 0, 0, toy.units);
  if (!bound.determined) return;
  const auto errors = adverse_errors(toy.format, toy.points, [&]<class K>(const auto& steps) {
    const Run<K> run = scanned<K>(toy, steps);
    const Readout<K> row{Matrix<K>(1, 1, run.sums.numerator(last, 0)), {run.sums.denominator[last]}};
    return std::vector<K>{normalised(row, K(steps.output(K(eps))), steps)(0, 0)};
  });
  reached.note(errors[0], bound.deterministic[0], toy.shape());
}

/// B5, of one pair.
void attack_score(Draw& draw, Reached& reached) {
  const ToyCase toy(draw);
  const std::vector<TokenNorms> q = token_norms(toy.q, 1, 0), k = token_norms(toy.k, 1, 0);
  const ScoreBound bound = score_bound(dot<double>(toy.q.phi.row(0), toy.k.phi.row(0)), q[0], k[0],
                                       ScoreUnits(double(toy.head.d), toy.head.d, toy.units));
  const auto errors = adverse_errors(toy.format, toy.points, [&]<class K>(const auto& steps) {
    const Matrix<K> phi_q = rounded<K>(toy.head.phi_q, steps), phi_k = rounded<K>(toy.head.phi_k, steps);
    return std::vector<K>{dot<K>(phi_q.row(0), phi_k.row(0), steps)};
  });
  reached.note(errors[0], bound.deterministic, toy.shape());
}

/// (s / c)^p with one rounding for the division and one a product.
template <class K, class S>
K weight(const K& s, const K& scale, int power, const S& steps) {
  const K w = steps.product(s / scale);
  if (power == 1) return w;
  const K square = steps.product(w * w);
  return power == 2 ? square : steps.product(square * square);
}

/// B6, of the last row.
void attack_double_sum(Draw& draw, Reached& reached) {
  ToyCase toy(draw);
  toy.contract.score_height = static_cast<std::int64_t>(toy.head.d);
  constexpr int powers[] = {1, 2, 4};
  const int power = powers[draw.below(3)];
  const double scale = 1 + static_cast<double>(draw.below(7));
  const std::size_t last = toy.head.T - 1;
  const ReadoutBound bound =
      ParallelBound(toy.head, toy.q, toy.k, toy.contract, power, scale, toy.units).read({last, last + 1}, 0).front();
  // Weights round at the points of scores: products on their way into sums do not.
  RoundingPoints points = toy.points;
  points.product = true;
  const auto errors = adverse_errors(toy.format, points, [&]<class K>(const auto& steps) {
    const Matrix<K> phi_q = rounded<K>(toy.head.phi_q, steps), phi_k = rounded<K>(toy.head.phi_k, steps);
    K numerator(0), denominator(0);
    for (std::size_t j = 0; j <= last; ++j) {
      K s(0);
      for (std::size_t f = 0; f < toy.head.d; ++f) s = steps.accumulate(s + phi_q(last, f) * phi_k(j, f));
      const K w = weight<K>(s, K(scale), power, steps);
      numerator = steps.accumulate(numerator + w * K(toy.head.v(j, 0)));
      denominator = steps.accumulate(denominator + w);
    }
    return std::vector<K>{numerator, denominator};
  });
  for (std::size_t i = 0; i < errors.size(); ++i) reached.note(errors[i], bound.deterministic[i], toy.shape());
}

/// A chunk's sum Σ_j φ_k v, formed apart and added once.
template <class K, class S>
void add_chunk(State<K>& state, const Matrix<K>& phi_k, const Matrix<K>& v, std::size_t begin, std::size_t end,
               const S& steps) {
  for (std::size_t f = 0; f < phi_k.cols(); ++f) {
    K sum(0), count(0);
    for (std::size_t j = begin; j < end; ++j) {
      sum = steps.accumulate(sum + phi_k(j, f) * v(j, 0));
      count = steps.accumulate(count + phi_k(j, f));
    }
    state.S(f, 0) = steps.state(state.S(f, 0) + sum);
    state.z[f] = steps.state(state.z[f] + count);
  }
}

/// N of row t: the state before the chunk, and the chunk's own tokens, summed apart and added once.
template <class K, class S>
K read_chunk(const State<K>& state, const Matrix<K>& phi_q, const Matrix<K>& phi_k, const Matrix<K>& v,
             std::size_t begin, std::size_t t, const S& steps) {
  K read(0), own(0);
  for (std::size_t f = 0; f < phi_q.cols(); ++f) read = steps.accumulate(read + phi_q(t, f) * state.S(f, 0));
  for (std::size_t j = begin; j <= t; ++j)
    own = steps.accumulate(own + dot<K>(phi_q.row(t), phi_k.row(j), steps) * v(j, 0));
  return steps.accumulate(read + own);
}

/// B7: S after two chunks, and N of the last row of the second.
void attack_chunks(Draw& draw, Reached& reached) {
  ToyCase toy(draw);
  const std::size_t half = (toy.head.T + 1) / 2, last = toy.head.T - 1;
  toy.contract = {.algorithm = Algorithm::chunk,
                  .chunk = std::int64_t(half),
                  .score_height = std::int64_t(toy.head.d),
                  .value_height = std::int64_t(half) + 1,
                  .read_height = std::int64_t(toy.head.d) + 1,
                  .update_height = std::int64_t(half)};
  StateBound state(toy.head, toy.contract, toy.units);
  state.add_chunk(toy.k, toy.head.v, 0, half);
  ReadoutBound bound = state.read(toy.q.phi.row(last), toy.q.error.row(last));
  if (half <= last)
    bound.deterministic[0] += ParallelBound(toy.head, toy.q, toy.k, toy.contract, 1, 1, toy.units)
                                  .read({last, last + 1}, half)
                                  .front()
                                  .deterministic[0];
  state.add_chunk(toy.k, toy.head.v, half, toy.head.T);
  const auto errors = adverse_errors(toy.format, toy.points, [&]<class K>(const auto& steps) {
    const Matrix<K> phi_q = rounded<K>(toy.head.phi_q, steps), phi_k = rounded<K>(toy.head.phi_k, steps);
    const Matrix<K> v = in<K>(toy.head.v);
    State<K> running = before<K>(toy);
    add_chunk(running, phi_k, v, 0, half, steps);
    const K numerator = read_chunk(running, phi_q, phi_k, v, half, last, steps);
    add_chunk(running, phi_k, v, half, toy.head.T, steps);
    return std::vector<K>{numerator, running.S(0, 0), running.z[0]};
  });
  reached.note(errors[0], bound.deterministic[0], toy.shape());
  reached.note(errors[1], state.deterministic(0, 0), toy.shape());
  reached.note(errors[2], state.deterministic(0, 1), toy.shape());
}

/// The encoding of one number as kernels compute it, every operation a point that rounds.
template <class K, class S>
std::vector<K> encoded(const FloatFormat& format, double x, double omega, double turn, double gamma, const S& steps) {
  using std::cos, std::sin, std::tanh, std::abs;
  // The run that rounds has pi as a constant of its format.
  const K input(x), pi(std::is_same_v<K, double> ? round_to(format, std::numbers::pi) : std::numbers::pi);
  const K theta = steps.product(pi * steps.product(input / steps.accumulate(K(1) + abs(input))));
  const K anchored = steps.accumulate(theta + K(omega)), rotated = steps.accumulate(theta + K(turn));
  const K difference = steps.accumulate(K(steps.elementary(cos(anchored))) - K(steps.elementary(sin(anchored))));
  const K r = steps.elementary(tanh(K(steps.product(K(gamma) * difference))));
  const K c = steps.elementary(cos(rotated)), s = steps.elementary(sin(rotated));
  return {theta, c, s, r, steps.product(r * c), steps.product(r * s)};
}

/// B1.
void attack_features(Draw& draw, Reached& reached) {
  ToyCase toy(draw);
  const Mix mix{.format = toy.format, .one_sign = false, .flat = draw.below(2) == 0, .spread = 4};
  // An elementary function rounded to either side errs by one unit in the last place: half of 2 u.
  toy.contract.elementary_ulp = {{"sin", 0.5}, {"cos", 0.5}, {"tanh", 0.5}};
  toy.head.T = 1, toy.head.d = 1, toy.head.channels = 6, toy.head.t0 = 1;
  const double x = mix.number(draw), omega = mix.number(draw), turn = mix.number(draw);
  const double gamma = 1 + static_cast<double>(draw.below(10));
  toy.head.omega = {omega}, toy.head.lambda = {turn};
  const EncodingError bound = encoding_error(toy.head, Matrix<double>(1, 1, x), gamma, toy.contract, toy.units);
  const RoundingPoints points = {.elementary = true, .product = true, .accumulate = true};
  const auto errors = adverse_errors(toy.format, points, [&]<class K>(const auto& steps) {
    return encoded<K>(toy.format, x, omega, turn, gamma, steps);
  });
  reached.note(errors[0], bound.theta(0, 0), toy.shape());
  for (std::size_t n = 1; n < errors.size(); ++n) reached.note(errors[n], bound.phi.error(0, n), toy.shape());
}

}  // namespace

std::vector<Law> sanatan_adverse_rounding_laws() {
  constexpr int few = 10000, many = 200000;
  std::vector<Law> laws;
  for (const auto& [name, at_length, statement, attack] :
       std::initializer_list<std::tuple<std::string_view, std::string_view, std::string_view, Attack>>{
           {"sanatan.adversary_reaches_a_third_of_the_feature_bound",
            "sanatan.adversary_never_exceeds_the_feature_bound", "B1: theta, cos, sin, r, r cos, r sin",
            attack_features},
           {"sanatan.adversary_reaches_a_third_of_the_state_bound", "sanatan.adversary_never_exceeds_the_state_bound",
            "B2: S and z after a scan", attack_state},
           {"sanatan.adversary_reaches_a_third_of_the_readout_bound",
            "sanatan.adversary_never_exceeds_the_readout_bound", "B3: N and D after a scan", attack_readout},
           {"sanatan.adversary_reaches_a_third_of_the_quotient_bound",
            "sanatan.adversary_never_exceeds_the_quotient_bound", "B4: o after a scan", attack_quotient},
           {"sanatan.adversary_reaches_a_third_of_the_score_bound", "sanatan.adversary_never_exceeds_the_score_bound",
            "B5: one score", attack_score},
           {"sanatan.adversary_reaches_a_third_of_the_double_sum_bound",
            "sanatan.adversary_never_exceeds_the_double_sum_bound", "B6: N and D of the parallel form, p = 1, 2, 4",
            attack_double_sum},
           {"sanatan.adversary_reaches_a_third_of_the_chunk_bound", "sanatan.adversary_never_exceeds_the_chunk_bound",
            "B7: N, S and z of two chunks", attack_chunks}}) {
    laws.push_back(attack_on(name, statement, attack, few, false));
    laws.push_back(attack_on(at_length, statement, attack, many, true));
  }
  return laws;
}

}  // namespace assay
