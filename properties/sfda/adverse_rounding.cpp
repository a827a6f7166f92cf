#include <algorithm>
#include <tuple>

#include "oracle/sfda/chunk_bound.hpp"
#include "oracle/sfda/token_bound.hpp"
#include "properties/sfda/laws.hpp"
#include "properties/toy_attack.hpp"

// The bounds D2 to D4 (oracle/sfda/bounds.md) in formats of 8 and 11 bits, with every rounding turned against them.

namespace assay {
namespace {

using namespace sfda;

constexpr RoundingPoints points = {.product = true, .accumulate = true};

/// Tokens of one head with one column, exact in the format.
struct ToyHead {
  const FloatFormat& format;
  Tokens<double> x;
  Matrix<double> S0;
  Contract contract;

  explicit ToyHead(Draw& draw) : format(draw_toy_format(draw, 8)) {
    const Mix mix = Mix::drawn(format, draw);
    const std::size_t T = 1 + draw.below(draw.below(2) == 0 ? 2 : 6), d = 1 + draw.below(draw.below(2) == 0 ? 1 : 4);
    x = {mix.matrix(T, d, draw), mix.matrix(T, d, draw), mix.matrix(T, 1, draw), {}, {}};
    // So that no key is longer than 1 and no step expands: terms of second order stay small.
    for (std::size_t t = 0; t < T; ++t)
      for (double& k : x.k.row(t)) k /= 4;
    const bool decays = draw.below(2) == 0, writes = draw.below(8) != 0;
    for (std::size_t t = 0; t < T; ++t) {
      x.beta.push_back(writes ? std::abs(mix.number(draw)) : 0);
      x.lambda.push_back(Diagonal<double>::identity(d));
      for (double& lambda : x.lambda[t].lambda)
        if (decays) lambda = std::abs(mix.number(draw)) / 2;
    }
    S0 = draw.below(2) == 0 ? mix.matrix(d, 1, draw) : Matrix<double>(d, 1);
  }

  std::size_t tokens() const { return x.length(); }
  std::size_t width() const { return S0.rows(); }
  AttackedShape shape() const { return {format, tokens(), width()}; }

  DeltaUnits<double> units() const {
    DeltaUnits<double> units(contract, static_cast<double>(width()));
    const RoundingUnits directed = directed_units(format);
    units.u = directed.u, units.tiny = directed.eta / directed.u;
    return units;
  }

  std::vector<double> unit_vector(std::size_t i) const {
    std::vector<double> unit(width(), 0.0);
    unit[i] = 1;
    return unit;
  }
};

/// Σ_i a_i b_i by fused multiply-adds.
template <class K, class S, class A, class B>
K chain(std::size_t terms, const S& steps, A a, B b, K sum = K(0)) {
  for (std::size_t i = 0; i < terms; ++i) sum = steps.accumulate(sum + a(i) * b(i));
  return sum;
}

/// λ x, where λ = 1 takes no product.
template <class K, class S>
K decayed(double lambda, const K& x, const S& steps) {
  return lambda == 1 ? x : K(steps.product(K(lambda) * x));
}

/// Outputs, and the state after the last token.
template <class K>
struct Answer {
  std::vector<K> o, S;

  std::vector<K> last_row() const {
    std::vector<K> all = S;
    all.insert(all.begin(), o.back());
    return all;
  }
};

template <class K>
std::vector<K> initial_column(const ToyHead& toy) {
  std::vector<K> S;
  for (std::size_t i = 0; i < toy.width(); ++i) S.emplace_back(toy.S0(i, 0));
  return S;
}

/// Token by token, as `scan` and `decode` compute.
template <class K, class St>
Answer<K> by_tokens(const ToyHead& toy, const St& steps) {
  const Tokens<double>& x = toy.x;
  Answer<K> y{{}, initial_column<K>(toy)};
  for (std::size_t t = 0; t < toy.tokens(); ++t) {
    const auto k = [&](std::size_t i) { return K(x.k(t, i)); };
    const auto S = [&](std::size_t i) { return y.S[i]; };
    for (std::size_t i = 0; i < toy.width(); ++i) y.S[i] = decayed(x.lambda[t].lambda[i], y.S[i], steps);
    const K p = chain<K>(toy.width(), steps, S, k);
    const K u = steps.product(K(x.beta[t]) * K(steps.accumulate(K(x.v(t, 0)) - p)));
    for (std::size_t i = 0; i < toy.width(); ++i) y.S[i] = steps.accumulate(y.S[i] + k(i) * u);
    y.o.push_back(chain<K>(toy.width(), steps, S, [&](std::size_t i) { return K(x.q(t, i)); }));
  }
  return y;
}

/// One chunk of `chunk_wy`, of at most 16 tokens: no scores between blocks.
template <class K, class St>
class ToyChunk {
 public:
  ToyChunk(const ToyHead& toy, std::size_t begin, std::size_t end, const St& steps)
      : x_(toy.x), begin_(begin), n_(end - begin), d_(toy.width()), steps_(steps) {}

  void take(Answer<K>& y) const {
    const Matrix<K> L = scores(x_.k, false), A = scores(x_.q, true), K_start = from_start(x_.k),
                    Q_start = from_start(x_.q), K_end = to_end();
    const auto S = [&](std::size_t i) { return y.S[i]; };
    std::vector<K> R, U;
    for (std::size_t t = 0; t < n_; ++t) {
      const K p = chain<K>(
          d_, steps_, [&](std::size_t i) { return K_start(t, i); }, S);
      R.push_back(of_beta(t, steps_.accumulate(K(x_.v(begin_ + t, 0)) - p)));
    }
    const Matrix<K> M = inverse(L);
    for (std::size_t t = 0; t < n_; ++t)
      U.push_back(over_tokens(
          t + 1, [&](auto s) { return M(t, s); }, R));
    for (std::size_t t = 0; t < n_; ++t) {
      const K read = chain<K>(
          d_, steps_, [&](std::size_t i) { return Q_start(t, i); }, S);
      y.o.push_back(steps_.accumulate(read + over_tokens(
                                                 t + 1, [&](auto s) { return A(t, s); }, U)));
    }
    for (std::size_t i = 0; i < d_; ++i) {
      K G(1);
      for (std::size_t t = 0; t < n_; ++t) G = decayed(lambda(t, i), G, steps_);
      const K kept = steps_.product(G * y.S[i]);
      y.S[i] = steps_.accumulate(kept + over_tokens(
                                            n_, [&](auto s) { return K_end(s, i); }, U));
    }
  }

 private:
  double lambda(std::size_t t, std::size_t i) const { return x_.lambda[begin_ + t].lambda[i]; }
  K of_beta(std::size_t t, const K& number) const { return steps_.product(K(x_.beta[begin_ + t]) * number); }

  template <class Weight>
  K over_tokens(std::size_t count, Weight weight, const std::vector<K>& values) const {
    return chain<K>(count, steps_, weight, [&](std::size_t s) { return values[s]; });
  }

  /// β k_t* Γ_ts k_s for s < t, or q_t* Γ_ts k_s for s ≤ t.
  Matrix<K> scores(const Matrix<double>& of, bool own) const {
    Matrix<K> result(n_, n_);
    for (std::size_t t = 0; t < n_; ++t) {
      std::vector<K> w;
      for (std::size_t i = 0; i < d_; ++i) w.emplace_back(of(begin_ + t, i));
      for (std::size_t s = t + 1; s-- > 0;) {
        for (std::size_t i = 0; s < t && i < d_; ++i) w[i] = decayed(lambda(s + 1, i), w[i], steps_);
        if (s == t && !own) continue;
        const K score = chain<K>(
            d_, steps_, [&](std::size_t i) { return w[i]; }, [&](std::size_t i) { return K(x_.k(begin_ + s, i)); });
        result(t, s) = own ? score : of_beta(t, score);
      }
    }
    return result;
  }

  /// Γ_t* x_t from the start of the chunk.
  Matrix<K> from_start(const Matrix<double>& of) const {
    Matrix<K> result(n_, d_);
    for (std::size_t i = 0; i < d_; ++i) {
      K decay(1);
      for (std::size_t t = 0; t < n_; ++t) {
        decay = decayed(lambda(t, i), decay, steps_);
        result(t, i) = steps_.product(decay * K(of(begin_ + t, i)));
      }
    }
    return result;
  }

  /// Γ_Cs k_s.
  Matrix<K> to_end() const {
    Matrix<K> result(n_, d_);
    for (std::size_t i = 0; i < d_; ++i) {
      K decay(1);
      for (std::size_t s = n_; s-- > 0;) {
        result(s, i) = steps_.product(decay * K(x_.k(begin_ + s, i)));
        decay = decayed(lambda(s, i), decay, steps_);
      }
    }
    return result;
  }

  /// (I + L)^-1 by columns.
  Matrix<K> inverse(const Matrix<K>& L) const {
    Matrix<K> M(n_, n_);
    for (std::size_t c = 0; c < n_; ++c) {
      M(c, c) = K(1);
      for (std::size_t t = c + 1; t < n_; ++t)
        M(t, c) = chain<K>(
            t - c - 1, steps_, [&](std::size_t s) { return -L(t, c + 1 + s); },
            [&](std::size_t s) { return M(c + 1 + s, c); }, -L(t, c));
    }
    return M;
  }

  const Tokens<double>& x_;
  std::size_t begin_, n_, d_;
  const St& steps_;
};

/// Of outputs and states alike: the value's error beside what the row may have.
void note_rows(const std::vector<AdverseError>& errors, const std::vector<double>& bounds, const ToyHead& toy,
               Reached& reached) {
  for (std::size_t i = 0; i < errors.size(); ++i) reached.note(errors[i], bounds[i], toy.shape());
}

/// D2 and D4: the last output and the state after a few tokens.
void attack_tokens(Draw& draw, Reached& reached) {
  ToyHead toy(draw);
  toy.contract = {.algorithm = Algorithm::scan, .read_height = std::int64_t(toy.width())};
  const DeltaUnits<double> units = toy.units();
  Matrix<double> S = toy.S0;
  RowError state(1);
  std::vector<double> bounds;
  for (std::size_t t = 0; t < toy.tokens(); ++t) {
    TokenBound<double> token(toy.x, t, S, std::vector<double>{state.worst[0]}, units);
    const auto note = [&](const TokenRow<double>& row) {
      bounds.push_back(row.error.worst[0] + row.before * state.worst[0]);
    };
    bounds.clear();
    note(token.output());
    for (std::size_t i = 0; i < toy.width(); ++i) note(token.carry(toy.unit_vector(i)));
    RowError added = token.column_error();
    added.add(state, erasure_norm<double>(toy.x.k.row(t), toy.x.beta[t]) * largest_decay(toy.x.lambda[t]));
    state = added;
    S = token.take_state();
  }
  note_rows(adverse_errors(toy.format, points,
                           [&]<class K>(const auto& steps) { return by_tokens<K>(toy, steps).last_row(); }),
            bounds, toy, reached);
}

/// D3 and D4: the last output and the state after two chunks.
void attack_chunks(Draw& draw, Reached& reached) {
  ToyHead toy(draw);
  const std::size_t T = toy.tokens(), half = T / 2;
  toy.contract = {.algorithm = Algorithm::chunk,
                  .chunk = std::int64_t(T),
                  .score_height = std::int64_t(toy.width()),
                  .value_height = std::int64_t(T - half),
                  .read_height = std::int64_t(toy.width()),
                  .update_height = std::int64_t(T - half)};
  const DeltaUnits<double> units = toy.units();
  std::vector<ChunkBound<double>> chunks;
  std::vector<double> likely(1);
  Matrix<double> S = toy.S0;
  for (const auto& [begin, end] : {std::pair{std::size_t(0), half}, {half, T}}) {
    if (begin == end) continue;
    chunks.emplace_back(chunk_factors(toy.x, begin, end, S), likely, units);
    S = chunks.back().factors().S_after;
    double square = 0;
    for (std::size_t i = 0; i < toy.width(); ++i)
      square += std::pow(chunks.back().carry(toy.unit_vector(i)).error.worst[0], 2);
    likely[0] = std::sqrt(square);
  }
  std::vector<double> bounds;
  const auto note = [&](const ChunkRow<double>& row) {
    bounds.push_back(row.error.worst[0]);
    if (chunks.size() > 1) bounds.back() += chunks.front().carry(row.before).error.worst[0];
  };
  note(chunks.back().output(chunks.back().factors().tokens() - 1));
  for (std::size_t i = 0; i < toy.width(); ++i) note(chunks.back().carry(toy.unit_vector(i)));
  const auto by_chunks = [&]<class K>(const auto& steps) {
    Answer<K> y{{}, initial_column<K>(toy)};
    if (half > 0) ToyChunk<K, std::decay_t<decltype(steps)>>(toy, 0, half, steps).take(y);
    ToyChunk<K, std::decay_t<decltype(steps)>>(toy, half, T, steps).take(y);
    return y.last_row();
  };
  note_rows(adverse_errors(toy.format, points, by_chunks), bounds, toy, reached);
}

}  // namespace

std::vector<Law> sfda_adverse_rounding_laws() {
  constexpr int few = 5000, many = 200000;
  std::vector<Law> laws;
  for (const auto& [name, at_length, statement, attack] :
       std::initializer_list<std::tuple<std::string_view, std::string_view, std::string_view, Attack>>{
           {"sfda.adversary_reaches_a_third_of_the_token_bound", "sfda.adversary_never_exceeds_the_token_bound",
            "D2, D4: the last o and S token by token", attack_tokens},
           {"sfda.adversary_reaches_a_third_of_the_chunk_bound", "sfda.adversary_never_exceeds_the_chunk_bound",
            "D3, D4: the last o and S of two chunks", attack_chunks}}) {
    laws.push_back(attack_on(name, statement, attack, few, false));
    laws.push_back(attack_on(at_length, statement, attack, many, true));
  }
  return laws;
}

}  // namespace assay
