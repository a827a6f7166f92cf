#include "oracle/sfda/stack.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/inputs.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

Law overwrite() {
  return complex_identity("sfda.a_register_is_overwritten_by_one_tied_write",
                          "Lambda = I, beta = 1, k = e_i, v = a: row i becomes a*, read back as a; other rows stay",
                          "[SFDA] Thm 5.9; [SFDA-notes] s3.4; SFD-069", 2, 8, []<class K>(Source<K>& from) {
                            const std::size_t d = from.size("d", 1, 5), dv = from.size("dv", 1, 3), i = from.below(d);
                            const Matrix<K> S = from.values(d, dv);
                            const std::vector<K> a = from.values(dv), key = unit_vector<K>(d, i);
                            const Matrix<K> got = corrected<K>(S, Diagonal<K>::identity(d), key, a, RealOf<K>(1));
                            Matrix<K> want = S;
                            for (std::size_t j = 0; j < dv; ++j) want(i, j) = conj(a[j]);
                            return all_of({same("S", got, want), same("read", read<K>(got, key), a)});
                          });
}

/// The rows of a stack: v* of each value from the top, then zeros.
template <class K>
Matrix<K> rows_of(const std::deque<std::vector<K>>& values, std::size_t h, std::size_t dv) {
  Matrix<K> S(h, dv);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < dv; ++j) S(i, j) = conj(values[i][j]);
  return S;
}

/// All words of `length` letters: push a, push b, pop. A full stack loses its lowest value, an empty one stays empty.
Law simulation() {
  return settled<Cx<F61>>("sfda.shifts_and_tied_writes_are_a_bounded_stack",
                          "h = 1 ... 4, all 3^6 words of push a, push b, pop: the state is that of a stack; "
                          "overflow drops the lowest value",
                          "[SFDA] Thm 5.11; [SFDA-notes] s3.4; SFD-070, SFD-072, SFD-073", []<class K>(Source<K>&) {
                            using R = RealOf<K>;
                            const std::size_t length = 6, words = 729, dv = 2;
                            const std::vector<K> a{K(R(1), R(2)), K(3)}, b{K(-1), K(R(0), R(1))};
                            FirstFailure found;
                            for (std::size_t h = 1; h <= 4; ++h) {
                              const std::vector<K> top = unit_vector<K>(h, 0);
                              for (std::size_t word = 0; word < words; ++word) {
                                std::deque<std::vector<K>> stack;
                                Matrix<K> S(h, dv);
                                for (std::size_t t = 0, rest = word; t < length; ++t, rest /= 3) {
                                  const std::size_t letter = rest % 3;
                                  S = letter == 2 ? popped(S) : pushed<K>(S, letter == 0 ? a : b);
                                  if (letter < 2) stack.push_front(letter == 0 ? a : b);
                                  if (stack.size() > h) stack.pop_back();
                                  if (letter == 2 && !stack.empty()) stack.pop_front();
                                }
                                found.note(same("S", S, rows_of(stack, h, dv)));
                                if (!stack.empty()) found.note(same("top", read<K>(S, top), stack.front()));
                              }
                            }
                            return found.outcome();
                          });
}

Law tied_push() {
  return complex_identity(
      "sfda.push_is_a_tied_write_as_the_shift_frees_its_row",
      "e_1* Z = 0 for Z = shift down: (I - e_1 e_1*) Z = Z, so beta = 1, k = e_1 writes without erasing; no shift, no "
      "such luck",
      "[SFDA] Thm 5.11; [SFDA-notes] s3.4; SFD-071", 2, 8, []<class K>(Source<K>& from) {
        const std::size_t h = from.size("h", 1, 5), dv = from.size("dv", 1, 3);
        Matrix<K> S = from.values(h, dv);
        S(0, 0) = K(1);
        const std::vector<K> a = from.values(dv), top = unit_vector<K>(h, 0);
        const auto down = shift_down<K>(h);
        const Matrix<K> written = corrected<K>(S, down, top, a, RealOf<K>(1));
        const auto stay = PartialPermutation<K>::identity(h);
        return all_of({same("e_1* Z", adjoint(column<K>(top)) * dense<K>(down), Matrix<K>(1, h)),
                       same("(I - e_1 e_1*) Z", transition<K>(down, top, RealOf<K>(1)), dense<K>(down)),
                       same("push", written, pushed<K>(S, a)),
                       differs("push without a shift", corrected<K>(S, stay, top, a, RealOf<K>(1)),
                               S + write<K>(top, a, RealOf<K>(1)))});
      });
}

/// E = I − e_i e_i*.
template <class K>
Matrix<K> without(std::size_t h, std::size_t i) {
  Matrix<K> E = identity_matrix<K>(h);
  E(i, i) = K(0);
  return E;
}

Law shift_products() {
  return settled<Rational>(
      "sfda.shifts_undo_each_other_but_for_one_row",
      "Z_up Z_down = I - e_h e_h^T, Z_down Z_up = I - e_1 e_1^T, both nilpotent of order h, adjoint to each other",
      "own, on [SFDA] Thm 5.11; SFD-073", []<class K>(Source<K>&) {
        FirstFailure found;
        for (std::size_t h = 1; h <= 6; ++h) {
          const auto down = shift_down<K>(h), up = shift_up<K>(h);
          found.note(same("up down", dense<K>(up * down), without<K>(h, h - 1)));
          found.note(same("down up", dense<K>(down * up), without<K>(h, 0)));
          found.note(same("adjoint", adjoint(dense<K>(down)), dense<K>(up)));
          auto power = PartialPermutation<K>::identity(h);
          for (std::size_t n = 1; n <= h; ++n) {
            power = down * power;
            found.note(same("power is zero", dense<K>(power) == Matrix<K>(h, h), n == h));
          }
        }
        return found.outcome();
      });
}

Law pop_after_push() {
  return complex_identity(
      "sfda.pop_undoes_push_unless_the_stack_is_full",
      "pop(push(S, a)) = S iff the last row of S is 0; popping the empty stack gives 0; a pushed 0 looks like an empty "
      "top",
      "own, on [SFDA] Thm 5.11; SFD-072, SFD-073", 1, 8, []<class K>(Source<K>& from) {
        const std::size_t h = from.size("h", 1, 5), dv = from.size("dv", 1, 3);
        Matrix<K> S = from.values(h, dv), room = S;
        S(h - 1, 0) = K(1);
        for (K& entry : room.row(h - 1)) entry = K(0);
        const std::vector<K> a = from.values(dv), zero(dv, K(0));
        const Matrix<K> empty(h, dv);
        return all_of({same("with room", popped(pushed<K>(room, a)), room), differs("full", popped(pushed<K>(S, a)), S),
                       same("empty", popped(empty), empty), same("pushed zero", pushed<K>(empty, zero), empty)});
      });
}

/// Every product of n letters, and the index map that it must be.
Law words_of_shifts() {
  return settled<Rational>(
      "sfda.products_of_shifts_are_partial_injections",
      "all 2^8 words of Z_up, Z_down, h = 4: a product of index maps, at most one 1 in each row and column",
      "[SFDA] def. 5.1-5.2; [SFDA-notes] s2.3; SFD-074", []<class K>(Source<K>&) {
        const std::size_t h = 4, length = 8;
        FirstFailure found;
        for (std::size_t word = 0; word < std::size_t{1} << length; ++word) {
          auto product = PartialPermutation<K>::identity(h);
          Matrix<K> want = identity_matrix<K>(h);
          for (std::size_t t = 0; t < length; ++t) {
            const auto letter = (word >> t & 1) != 0 ? shift_up<K>(h) : shift_down<K>(h);
            product = letter * product;
            want = dense<K>(letter) * want;
          }
          found.note(same("product", dense<K>(product), want));
          for (std::size_t i = 0; i < h; ++i) {
            K row(0), col(0);
            for (std::size_t j = 0; j < h; ++j) row = row + want(i, j), col = col + want(j, i);
            found.note(holds_if((row == K(0) || row == K(1)) && (col == K(0) || col == K(1)), "two ones in a line"));
          }
        }
        PartialPermutation<K> twice = PartialPermutation<K>::identity(h);
        twice.source[1] = 0;
        found.note(refused("a row taken twice", [&] { dense<K>(twice); }));
        return found.outcome();
      });
}

}  // namespace

std::vector<Law> sfda_stack_laws() {
  return {overwrite(), simulation(), tied_push(), shift_products(), pop_after_push(), words_of_shifts()};
}

}  // namespace assay
