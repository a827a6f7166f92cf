#include "oracle/sfda/automaton.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "arith/integer_power.hpp"
#include "oracle/sfda/homogeneous_lift.hpp"
#include "oracle/sfda/recurrence.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/inputs.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

using Transitions = std::vector<std::size_t>;  // [state] -> state, of one symbol

/// One-hot states after each symbol of a word, through the recurrence at β = 0 with keys and values that must not
/// count.
template <class K>
Matrix<K> final_state(const std::vector<Transitions>& symbols, const std::vector<std::size_t>& word,
                      std::size_t start) {
  const std::size_t T = word.size(), N = symbols.front().size();
  Tokens<K, Dense<K>> x{Matrix<K>(T, N), Matrix<K>(T, N, K(1)), Matrix<K>(T, 1, K(1)), std::vector<K>(T, K(0)), {}};
  for (const std::size_t symbol : word) x.lambda.push_back(symbol_control<K>(symbols[symbol]));
  Matrix<K> S(N, 1);
  S(start, 0) = K(1);
  return recurrence(x, S).S;
}

std::size_t followed(const std::vector<Transitions>& symbols, const std::vector<std::size_t>& word, std::size_t state) {
  for (const std::size_t symbol : word) state = symbols[symbol][state];
  return state;
}

/// The digits of n in base `base`, `count` of them.
std::vector<std::size_t> digits(std::size_t n, std::size_t base, std::size_t count) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < count; ++i, n /= base) result.push_back(n % base);
  return result;
}

Law all_automata() {
  return settled<F61>(
      "sfda.one_hot_states_follow_every_automaton",
      "all 729 automata of 3 states and 2 letters, all 16 words of length 4: z_T = e_(delta*), residual 0",
      "[SFDA] Thm 4.7, App. D.2; [SFDA-notes] s2.3, s4.1; SFD-075, SFD-077, SFD-099", []<class K>(Source<K>&) {
        FirstFailure found;
        for (std::size_t machine = 0; machine < 729; ++machine) {
          const std::vector<Transitions> symbols{digits(machine % 27, 3, 3), digits(machine / 27, 3, 3)};
          for (std::size_t number = 0; number < 16; ++number) {
            const std::vector<std::size_t> word = digits(number, 2, 4);
            Matrix<K> want(3, 1);
            want(followed(symbols, word, 0), 0) = K(1);
            found.note(same("z", final_state<K>(symbols, word, 0), want));
          }
        }
        return found.outcome();
      });
}

/// z_t = P z_{t−1} for every state and symbol is one step; the induction is the recurrence itself.
Law one_step() {
  return settled<F61>(
      "sfda.a_symbol_takes_each_one_hot_state_to_its_successor",
      "all functions on N = 1 ... 4 states, from every state: P e_i = e_(delta(i)); out of range is refused",
      "[SFDA] Thm 4.7; [SFDA-notes] s2.3; SFD-075", []<class K>(Source<K>&) {
        FirstFailure found;
        for (std::size_t N = 1; N <= 4; ++N)
          for (std::size_t number = 0; number < integer_power(N, static_cast<std::int64_t>(N)); ++number)
            for (std::size_t i = 0; i < N; ++i) {
              const Transitions next = digits(number, N, N);
              Matrix<K> want(N, 1);
              want(next[i], 0) = K(1);
              found.note(same("z", final_state<K>({next}, {0}, i), want));
            }
        const std::vector<std::size_t> outside{0, 2};
        found.note(refused("state 2 of 2", [&] { symbol_control<K>(outside); }));
        return found.outcome();
      });
}

/// P Pᵀ is diagonal with the numbers of preimages, so ‖P‖₂ is the root of the largest.
Law norms() {
  return settled<Rational>(
      "sfda.norm_of_a_symbol_is_the_root_of_its_most_preimages",
      "each column of P has one 1, P P^T = diag(preimages): a reset has norm sqrt(N), only permutations have norm 1",
      "own, on [SFDA] Thm 4.7, Prop. 6.3; [SFDA-notes] s2.3; SFD-076, SFD-078", []<class K>(Source<K>&) {
        FirstFailure found;
        for (std::size_t number = 0; number < 256; ++number) {
          const Transitions next = digits(number, 4, 4);
          const Matrix<K> P = symbol_control<K>(next).matrix;
          Matrix<K> want(4, 4);
          K most(0);
          for (std::size_t i = 0; i < 4; ++i) {
            K column(0);
            for (std::size_t j = 0; j < 4; ++j) column = column + P(j, i);
            found.note(same("column sum", column, K(1)));
            want(next[i], next[i]) = want(next[i], next[i]) + K(1);
          }
          for (std::size_t i = 0; i < 4; ++i) most = std::max(most, want(i, i));
          found.note(same("P P^T", P * transpose(P), want));
          found.note(same("is a permutation", most == K(1), transpose(P) * P == identity_matrix<K>(4)));
          if (number % 85 == 0) found.note(same("preimages of a reset", most, K(4)));
        }
        return found.outcome();
      });
}

Law lift() {
  return complex_identity(
      "sfda.one_more_coordinate_makes_an_affine_step_linear",
      "[[A, b], [0, 1]] (x, 1) = (A x + b, 1); T steps through the recurrence at beta = 0 are T affine steps; D = d + "
      "1",
      "[SFDA-notes] s3.6, on [SFDA] problems D.1, D.5; SFD-079, SFD-080", 8, 8, []<class K>(Source<K>& from) {
        const std::size_t T = from.size("T", 1, 4), d = from.size("d", 1, 4);
        Tokens<K, Dense<K>> x{
            Matrix<K>(T, d + 1), from.values(T, d + 1), from.values(T, 1), std::vector<RealOf<K>>(T, RealOf<K>(0)), {}};
        const Matrix<K> start = from.values(d, 1);
        Matrix<K> state = start;
        for (std::size_t t = 0; t < T; ++t) {
          const Matrix<K> A = from.values(d, d), b = from.values(d, 1);
          x.lambda.push_back(lifted_control(A, b));
          state = A * state + b;
        }
        return all_of(
            {same("state", recurrence(x, lifted(start)).S, lifted(state)), same("width", x.lambda[0].width(), d + 1)});
      });
}

Law expansive_lift() {
  return settled<Rational>(
      "sfda.a_lift_may_expand",
      "A = 1, b = 1: |(1, 1)|^2 = 2 goes to |(2, 1)|^2 = 5: the lifted control is not of norm <= 1",
      "own, on [SFDA-notes] s3.6; SFD-080", []<class K>(Source<K>&) {
        const Matrix<K> one(1, 1, K(1)), next = lifted_control(one, one).times(lifted(one));
        return all_of({same("x", next(0, 0), K(2)), same("1", next(1, 0), K(1)),
                       holds_if(K(2) < next(0, 0) * next(0, 0) + next(1, 0) * next(1, 0), "shrinks")});
      });
}

}  // namespace

std::vector<Law> sfda_automaton_laws() { return {all_automata(), one_step(), norms(), lift(), expansive_lift()}; }

}  // namespace assay
