#include "arith/rational.hpp"
// The traits of Boost's numbers come before Eigen's decompositions see them.
#include <Eigen/LU>
#include <vector>

#include <fmt/format.h>

#include "arith/eigen_multiprecision.hpp"
#include "properties/arith/laws.hpp"

namespace assay {
namespace {

template <class K>
using Matrix = Eigen::Matrix<K, Eigen::Dynamic, Eigen::Dynamic>;

template <class K>
Matrix<K> random_matrix(Draw& draw, Eigen::Index rows, Eigen::Index columns) {
  Matrix<K> a(rows, columns);
  for (Eigen::Index i = 0; i < a.size(); ++i) a.data()[i] = draw.element<K>();
  return a;
}

/// The first pivot is zero, so that the search for one is needed.
template <class K>
Outcome inverse_is_exact(Draw& draw) {
  const auto n = static_cast<Eigen::Index>(draw.size("n", 2, 6));
  Matrix<K> a = random_matrix<K>(draw, n, n);
  a(0, 0) = K(0);
  if (a.determinant() == K(0)) return Outcome::rejected("a singular matrix");
  return a * a.inverse() == Matrix<K>::Identity(n, n) ? Outcome::holds() : Outcome::fails("A inv(A) <> 1");
}

template <class K>
Outcome rank_of_product_is_inner_size(Draw& draw) {
  const auto n = static_cast<Eigen::Index>(draw.size("n", 2, 6));
  const auto inner = static_cast<Eigen::Index>(draw.size("inner", 1, n));
  const Matrix<K> a = random_matrix<K>(draw, n, inner) * random_matrix<K>(draw, inner, n);
  const auto rank = Eigen::FullPivLU<Matrix<K>>(a).rank();
  return rank == inner ? Outcome::holds() : Outcome::fails(fmt::format("rank {}, not {}", rank, inner));
}

template <class K>
Outcome adjoint_conjugates(Draw& draw) {
  const Matrix<K> a = random_matrix<K>(draw, 3, 2), gram = a.adjoint() * a;
  return gram(0, 1) == conj(gram(1, 0)) && gram(0, 0) == conj(gram(0, 0)) ? Outcome::holds()
                                                                          : Outcome::fails("A* A is not Hermitian");
}

template <class K>
Check over(Outcome (*run)(Draw&)) {
  return {arithmetic_name<K>(), log2_order<K>(), run};
}

}  // namespace

std::vector<Law> arith_eigen_laws() {
  return {{.name = "arith.matrix_inverse_is_exact",
           .statement = "A inv(A) = 1 through Eigen's LU with pivots, over fields",
           .trials = 16,
           .checks = {over<F61>(inverse_is_exact<F61>), over<Cx<F31>>(inverse_is_exact<Cx<F31>>),
                      over<GaussianRational>(inverse_is_exact<GaussianRational>)}},
          {.name = "arith.matrix_rank_is_exact",
           .statement = "the product of n x m and m x n random matrices has rank m, over large fields",
           .trials = 16,
           .checks = {over<F61>(rank_of_product_is_inner_size<F61>), over<F31>(rank_of_product_is_inner_size<F31>)}},
          {.name = "arith.matrix_adjoint_conjugates",
           .statement = "(A* A)* = A* A through Eigen's adjoint",
           .trials = 16,
           .checks = {over<Cx<F61>>(adjoint_conjugates<Cx<F61>>),
                      over<GaussianRational>(adjoint_conjugates<GaussianRational>)}}};
}

}  // namespace assay
