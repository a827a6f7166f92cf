#include "oracle/sfda/dihedral.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <sstream>
#include <vector>

#include "oracle/sfda/recurrence.hpp"
#include "properties/same.hpp"
#include "properties/sfda/inputs.hpp"
#include "properties/sfda/laws.hpp"
#include "properties/sfda/rings.hpp"

namespace assay {
namespace {

using namespace sfda;

template <class K>
std::string text_of_block(const PairBlock<K>& x) {
  std::ostringstream out;
  out << x.a << ';' << x.b << ';' << x.c << ';' << x.d;
  return out.str();
}

std::vector<DihedralElement> elements(std::int64_t m) {
  std::vector<DihedralElement> all;
  for (std::int64_t turn = 0; turn < m; ++turn)
    for (const bool flip : {false, true}) all.push_back({turn, flip});
  return all;
}

template <class K>
Matrix<K> matrix_of(const PairBlock<K>& x) {
  return PairBlocks<K>{{x}}.times(identity_matrix<K>(2));
}

Law representation() {
  return over_roots_of_unity<1, 2, 3, 4, 5, 6, 7, 12>(
      "sfda.matrix_state_of_two_by_two_holds_the_dihedral_group",
      "rho(g h) = rho(g) rho(h) for all g, h; r^m = s^2 = 1, s r s = r^-1; 2m matrices, no two alike; S_t = rho(g_t "
      "... g_1)",
      "[SFDA] Thm 5.7; [SFDA-notes] s3.4; SFD-066", []<class K>(Source<K>& from) {
        const std::int64_t m = K::order;
        const K root = K::root(1);
        const auto rho = [&](const DihedralElement& g) { return represented(g, root); };
        const PairBlock<K> one{}, r = rho({1, false}), s = rho({0, true});
        PairBlock<K> power{};
        for (std::int64_t i = 0; i < m; ++i) power = r * power;
        FirstFailure found;
        found.note(holds_if(power == one, "r^m is not 1"));
        found.note(holds_if(s * s == one, "s^2 is not 1"));
        found.note(holds_if(s * r * s == rho({-1, false}), "s r s is not r^-1"));
        std::set<std::string> seen;
        for (const DihedralElement& g : elements(m)) {
          seen.insert(text_of_block(rho(g)));
          found.note(same("determinant", determinant(rho(g)), K(g.flip ? -1 : 1)));
          for (const DihedralElement& h : elements(m))
            found.note(holds_if(rho(multiplied(g, h, m)) == rho(g) * rho(h), "rho(g h) is not rho(g) rho(h)"));
        }
        found.note(refused("m = 0", [] { multiplied({}, {}, 0); }));
        found.note(same("matrices", seen.size(), static_cast<std::size_t>(2 * m)));
        const std::size_t T = 24;
        Tokens<K, PairBlocks<K>> x{
            Matrix<K>(T, 2), Matrix<K>(T, 2, K(1)), Matrix<K>(T, 2, K(1)), std::vector<K>(T, K(0)), {}};
        DihedralElement product;
        for (std::size_t t = 0; t < T; ++t) {
          const DihedralElement g{static_cast<std::int64_t>(from.below(K::order)), from.below(2) == 0};
          x.lambda.push_back({{rho(g)}});
          product = multiplied(g, product, m);
        }
        found.note(same("S_T", recurrence(x, identity_matrix<K>(2)).S, matrix_of(rho(product))));
        return found.outcome();
      });
}

/// U = [[1, i], [1, −i]] takes (x, y) to (x + iy, x − iy).
Law real_basis() {
  return complex_identity("sfda.dihedral_matrices_are_real_rotations_and_reflections",
                          "U R(t) = diag(e^{it}, e^{-it}) U and U F(t) = [[0, e^{it}], [e^{-it}, 0]] U, det U != 0",
                          "[SFDA] Thm 5.7; [SFDA-notes] s3.4; SFD-066", 6, 8, []<class K>(Source<K>& from) {
                            using R = RealOf<K>;
                            const CircleAngle<R> t = from.angle();
                            const K i(R(0), R(1)), e(cos(t), sin(t));
                            const PairBlock<K> U{K(1), i, K(1), -i};
                            const auto complex = [](const PairBlock<R>& x) {
                              return PairBlock<K>{K(x.a), K(x.b), K(x.c), K(x.d)};
                            };
                            const PairBlock<K> turn{e, K(0), K(0), conj(e)}, flip{K(0), e, conj(e), K(0)};
                            return all_of({holds_if(U * complex(rotation(t)) == turn * U, "rotation"),
                                           holds_if(U * complex(reflection(t)) == flip * U, "reflection"),
                                           differs("U is singular", determinant(U), K(0))});
                          });
}

Law rotations_only() {
  return certified_inequality("sfda.default_phases_give_rotations_only",
                              "det of a product of alpha R(theta) is the square of the product of alpha, never -1, the "
                              "determinant of a reflection",
                              "[SFDA-notes] s3.4; SFD-067", 4 * 6, 8, []<class K>(Source<K>& from) {
                                PairBlock<K> product{};
                                K scale(1);
                                const std::size_t n = from.size("n", 0, 4);
                                for (std::size_t t = 0; t < n; ++t) {
                                  const K alpha = from.value();
                                  product = rotation(from.angle(), alpha) * product;
                                  scale = scale * alpha;
                                }
                                FirstFailure found;
                                found.note(same("determinant", determinant(product), K(scale * scale)));
                                found.note(same("of a reflection", determinant(reflection(from.angle())), K(-1)));
                                if constexpr (OrderedScalar<K>)
                                  found.note(holds_if(!(determinant(product) < K(0)), "negative determinant"));
                                return found.outcome();
                              });
}

/// A point z of the plane under z ↦ ζ^j z and z ↦ ζ^j conj(z), ζ = x^4 of order m in a ring of order 4m.
template <class K>
std::size_t orbit(const K& z) {
  std::set<std::string> seen;
  for (std::int64_t j = 0; j < K::order / 4; ++j)
    for (const K& image : {K(K::root(4 * j) * z), K(K::root(4 * j) * conj(z))}) seen.insert(text_of(image));
  return seen.size();
}

Law free_orbit() {
  return over_roots_of_unity<4, 8, 12, 16, 20, 24, 28, 32>(
      "sfda.a_vector_off_the_mirrors_tells_all_dihedral_elements_apart",
      "m = 1 ... 8: the orbit of the angle pi/(2m) has 2m points, that of e_1 only m: two reals suffice, from a good "
      "start",
      "own, refines [SFDA] Thm 5.7; SFD-068", []<class K>(Source<K>&) {
        const std::size_t m = K::order / 4;
        return all_of({same("orbit of pi/(2m)", orbit(K::root(1)), 2 * m), same("orbit of e_1", orbit(K(1)), m)});
      });
}

Law delta_reflection() {
  return certified_inequality(
      "sfda.erasure_with_twice_the_unit_strength_is_a_reflection",
      "H = I - beta k k^T, beta k.k = 2: H^2 = I, det H = -1, H k = -k; det = 1 - beta k.k >= 0 where beta k.k <= 1",
      "own, refines [SFDA] Thm 5.7; SFD-053, SFD-068", 6, 8, []<class K>(Source<K>& from) {
        const std::vector<K> k = from.values(2);
        const K norm = k[0] * k[0] + k[1] * k[1], beta = from.bounded();
        if (has_no_inverse(norm)) throw ZeroDenominator("k.k = 0");
        const auto determinant_of = [](const Matrix<K>& m) { return K(m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0)); };
        const Matrix<K> H = erasure<K>(k, K(K(2) / norm)), weak = erasure<K>(k, K(beta / norm));
        FirstFailure found;
        found.note(same("H^2", H * H, identity_matrix<K>(2)));
        found.note(same("det H", determinant_of(H), K(-1)));
        found.note(same("H k", H * column<K>(k), K(-1) * column<K>(k)));
        found.note(same("det", determinant_of(weak), K(K(1) - beta)));
        if constexpr (OrderedScalar<K>) found.note(holds_if(!(determinant_of(weak) < K(0)), "negative determinant"));
        return found.outcome();
      });
}

}  // namespace

std::vector<Law> sfda_dihedral_laws() {
  return {representation(), real_basis(), rotations_only(), free_orbit(), delta_reflection()};
}

}  // namespace assay
