#include "properties/rank.hpp"

#include "properties/identity.hpp"
#include "properties/oracle/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

Law rank_counts_factors() {
  const std::uint32_t degree = 16;  // a minor of 8 products
  return generic_identity("oracle.rank_of_a_product_is_its_inner_dimension",
                          "rank(A B) = r for generic A [n, r], B [r, m], r <= n, m", "", degree, 8,
                          []<class K>(Source<K>& from) {
                            const std::size_t r = from.size("r", 0, 7), n = r + from.size("n - r", 0, 4);
                            const std::size_t m = r + from.size("m - r", 0, 4);
                            const Matrix<K> a = from.values(n, r), b = from.values(r, m);
                            return all_of({same("rank", rank(a * b), r), same("rank", rank(identity_matrix<K>(n)), n)});
                          });
}

}  // namespace

std::vector<Law> oracle_rank_laws() { return {rank_counts_factors()}; }

}  // namespace assay
