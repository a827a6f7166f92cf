#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "oracle/sfda/stack.hpp"
#include "oracle/sfda/wy.hpp"
#include "properties/identity.hpp"
#include "properties/rank.hpp"
#include "properties/same.hpp"
#include "properties/sfda/inputs.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

/// P_C − Γ_C from the product of transitions, no factors involved.
template <class K>
Matrix<K> correction_of(const Tokens<K>& x) {
  Diagonal<K> gamma = Diagonal<K>::identity(x.k.cols());
  for (const Diagonal<K>& lambda : x.lambda) gamma = lambda * gamma;
  return product_of_transitions(x, 0, x.length()) - dense<K>(gamma);
}

/// A minor of min(C, d) + 1 rows vanishes; that the rank found is attained needs no probability.
Law budget_of_a_chunk() {
  const std::int64_t longest = 9;
  const std::uint32_t degree = (6 + 1) * longest * token_degree;
  return complex_generic_identity(
      "sfda.correction_of_a_chunk_has_the_rank_of_its_tokens",
      "rank(P_C - Gamma_C) = min(C, d); tokens of beta = 0 or k = 0 do not count; 0 where Lambda_1 = 0",
      "[SFDA] Thm 5.3, Prop. 5.4; [SFDA-notes] s3.1; SFD-028, SFD-029", degree, 4, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 1, 6), C = from.size("C", 1, longest);
        Tokens<K> x = diagonal_tokens(from, C, d, 1);
        FirstFailure found;
        found.note(same("rank", rank(correction_of(x)), std::min(C, d)));
        std::size_t active = 0;
        for (std::size_t t = 0; t < C; ++t) {
          const std::uint64_t kind = from.below(3);
          if (kind == 0) x.beta[t] = RealOf<K>(0);
          if (kind == 1)
            for (K& entry : x.k.row(t)) entry = K(0);
          active += kind == 2;
        }
        found.note(same("rank of the rest", rank(correction_of(x)), std::min(active, d)));
        for (K& entry : x.lambda[0].lambda) entry = K(0);
        found.note(same("rank after Lambda_1 = 0", rank(correction_of(x)), std::size_t{0}));
        return found.outcome();
      });
}

/// Rank of a matrix over GF(p²) is at most that over C, and at most min(C, d): attained here, it is attained.
Law reported_sizes() {
  return settled<Cx<F61>>(
      "sfda.correction_rank_reaches_sixteen_to_128_tokens_at_width_128",
      "d = 128, random complex tokens: rank C for C = 16, 32, 64, 128; d = 16: 4, 16, and 16 at C = 24",
      "[SFDA] App. H.1; [SFDA-notes] s4.1; SFD-029", []<class K>(Source<K>& from) {
        const auto found = [&](std::size_t d, std::size_t C) {
          const Tokens<K> x = diagonal_tokens(from, C, d, 1);
          auto f = empty_factors<K, Diagonal<K>>(d);
          for (std::size_t t = 0; t < C; ++t) f = extended(f, x.lambda[t], tied<K>(x.lambda[t], x.k.row(t), x.beta[t]));
          return rank(f.Y * (f.M * adjoint(f.W)));
        };
        FirstFailure all;
        for (const std::size_t C : {16, 32, 64, 128})
          all.note(same("rank at C = " + std::to_string(C), found(128, C), C));
        for (const std::size_t C : {4, 16, 24})
          all.note(same("rank at d = 16", found(16, C), std::min(C, std::size_t{16})));
        return all.outcome();
      });
}

/// A_i = I − e_i e_i*: Λ = I, β = 1, k = e_i.
template <class K>
Tokens<K> erasures(std::size_t d, const std::vector<std::size_t>& coordinates) {
  const std::size_t C = coordinates.size();
  Tokens<K> x{Matrix<K>(C, d), Matrix<K>(C, d), Matrix<K>(C, 1), std::vector<RealOf<K>>(C, RealOf<K>(1)),
              std::vector<Diagonal<K>>(C, Diagonal<K>::identity(d))};
  for (std::size_t t = 0; t < C; ++t) x.k(t, coordinates[t]) = K(1);
  return x;
}

Law disjoint_erasures() {
  return settled<Rational>(
      "sfda.erasing_r_coordinates_has_correction_rank_r",
      "A_i = I - e_i e_i^T: product I - sum e_i e_i^T, rank r for r = 0 ... d; erasing again adds columns, no rank",
      "[SFDA] Thm 5.3, Prop. 5.4; [SFDA-notes] s3.1; SFD-030, SFD-031", []<class K>(Source<K>&) {
        FirstFailure found;
        for (std::size_t d = 1; d <= 6; ++d) {
          std::vector<std::size_t> coordinates;
          for (std::size_t t = 0; t <= 2 * d; ++t) {
            const Tokens<K> x = erasures<K>(d, coordinates);
            Matrix<K> want = identity_matrix<K>(d);
            for (const std::size_t i : coordinates) want(i, i) = K(0);
            auto f = empty_factors<K, Diagonal<K>>(d);
            for (std::size_t s = 0; s < t; ++s)
              f = extended(f, x.lambda[s], tied<K>(x.lambda[s], x.k.row(s), x.beta[s]));
            found.note(same("product", product_of_transitions(x, 0, t), want));
            found.note(same("by factors", transfer(f), want));
            found.note(same("rank", rank(correction_of(x)), std::min(t, d)));
            found.note(same("columns", f.Y.cols(), t));
            coordinates.push_back(t % d);
          }
        }
        return found.outcome();
      });
}

/// For C = 1, Λ = I the correction is −β k k*, its own adjoint. e_1 e_2* is not, so no tied token makes I + e_1 e_2*.
Law no_converse() {
  return settled<GaussianRational>(
      "sfda.not_every_correction_of_rank_one_is_a_tied_token",
      "P = I + e_1 e_2* has rank 1 over Gamma = I but is not Hermitian, as -beta k k* is; the untied form gives it",
      "[SFDA] Thm 5.3, Prop. 5.4; [SFDA-notes] s3.1; SFD-032", []<class K>(Source<K>& from) {
        const std::size_t d = 3;
        const Matrix<K> e1 = column<K>(unit_vector<K>(d, 0)), e2 = column<K>(unit_vector<K>(d, 1));
        const Matrix<K> I = identity_matrix<K>(d), P = I + e1 * adjoint(e2);
        FirstFailure found;
        for (int trial = 0; trial < 16; ++trial) {
          const Matrix<K> tied = transition<K>(Diagonal<K>::identity(d), from.values(d), from.real()) - I;
          found.note(same("a tied correction", adjoint(tied), tied));
        }
        found.note(same("rank", rank(Matrix<K>(P - I)), std::size_t{1}));
        found.note(differs("P - I is Hermitian", Matrix<K>(adjoint(P - I)), Matrix<K>(P - I)));
        found.note(same("untied", transition(Diagonal<K>::identity(d), Correction<K>{K(-1) * e1, e2}), P));
        return found.outcome();
      });
}

/// A vector y ≠ 0 with V y = 0, for V of fewer rows than columns.
std::vector<Rational> kernel_vector(Matrix<Rational> V) {
  const std::size_t n = V.cols();
  std::vector<std::size_t> pivot_of_row;
  std::vector<bool> is_pivot(n, false);
  for (std::size_t c = 0; c < n && pivot_of_row.size() < V.rows(); ++c) {
    const std::size_t r = pivot_of_row.size();
    std::size_t p = r;
    while (p < V.rows() && V(p, c) == 0) ++p;
    if (p == V.rows()) continue;
    for (std::size_t j = 0; j < n; ++j) std::swap(V(p, j), V(r, j));
    for (std::size_t i = 0; i < V.rows(); ++i) {
      if (i == r) continue;
      const Rational factor = V(i, c) / V(r, c);
      for (std::size_t j = 0; j < n; ++j) V(i, j) = V(i, j) - factor * V(r, j);
    }
    pivot_of_row.push_back(c);
    is_pivot[c] = true;
  }
  const std::size_t free =
      static_cast<std::size_t>(std::find(is_pivot.begin(), is_pivot.end(), false) - is_pivot.begin());
  std::vector<Rational> y(n, Rational(0));
  y[free] = 1;
  for (std::size_t r = 0; r < pivot_of_row.size(); ++r) y[pivot_of_row[r]] = -V(r, free) / V(r, pivot_of_row[r]);
  return y;
}

/// E = Σ_{i<r} e_i e_i* keeps y in the span of e_1 … e_r. An X = U V of rank r − 1 kills some such y ≠ 0, so
/// ‖(E − X) y‖ = ‖y‖: no X of smaller rank comes nearer than 1, and X = E − e_r e_r* comes as near.
Law no_smaller_rank() {
  return inequality(
      "sfda.a_compressed_correction_is_off_by_a_singular_value",
      "r erasures against any correction of rank r - 1: an error of norm at least 1, and 1 is reached",
      "[SFDA] Thm 5.3, Prop. 5.4; [SFDA-notes] s3.1; SFD-033", 8, []<class K>(Source<K>& from) {
        const std::size_t r = from.size("r", 1, 4), d = r + from.size("d - r", 0, 2);
        const Matrix<K> V = from.values(r - 1, d), U = from.values(d, r - 1);
        Matrix<K> narrow(r - 1, r), E(d, d);
        for (std::size_t i = 0; i + 1 < r; ++i)
          for (std::size_t j = 0; j < r; ++j) narrow(i, j) = V(i, j);
        for (std::size_t i = 0; i < r; ++i) E(i, i) = K(1);
        Matrix<K> y(d, 1);
        const std::vector<K> kernel = kernel_vector(narrow);
        for (std::size_t i = 0; i < r; ++i) y(i, 0) = kernel[i];
        const auto square = [](const Matrix<K>& x) { return (transpose(x) * x)(0, 0); };
        const Matrix<K> error = (E - U * V) * y;
        Matrix<K> nearest = E;
        nearest(r - 1, r - 1) = K(0);
        return all_of({holds_if(K(0) < square(y), "kernel vector 0"), same("|(E - X) y|^2", square(error), square(y)),
                       same("rank of the nearest", rank(nearest), r - 1),
                       same("its error", rank(Matrix<K>(E - nearest)), std::size_t{1}),
                       same("entry of its error", Matrix<K>(E - nearest)(r - 1, r - 1), K(1))});
      });
}

}  // namespace

std::vector<Law> sfda_ranks_laws() {
  return {budget_of_a_chunk(), reported_sizes(), disjoint_erasures(), no_converse(), no_smaller_rank()};
}

}  // namespace assay
