#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"

namespace assay::sfda {

/// Λ with at most one 1 in each row and column: row i of Λ S is row source[i] of S, or zero. Its product is a
/// composition of index maps.
/// Source: [SFDA] def. 5.1-5.2, Thm 5.11; [SFDA-notes] s2.3, s3.4.
/// Domain: sources below d, none twice; checked where it acts.
template <Scalar K>
struct PartialPermutation {
  std::vector<std::optional<std::size_t>> source;

  std::size_t width() const { return source.size(); }

  Matrix<K> times(const Matrix<K>& S) const {
    require_length(S.rows(), width(), "a column");
    require_injective();
    Matrix<K> result(S.rows(), S.cols());
    for (std::size_t i = 0; i < width(); ++i)
      if (source[i]) std::ranges::copy(S.row(*source[i]), result.row(i).begin());
    return result;
  }
  Matrix<K> adjoint_times(const Matrix<K>& S) const {
    require_length(S.rows(), width(), "a column");
    require_injective();
    Matrix<K> result(S.rows(), S.cols());
    for (std::size_t i = 0; i < width(); ++i)
      if (source[i]) std::ranges::copy(S.row(i), result.row(*source[i]).begin());
    return result;
  }

  friend PartialPermutation operator*(const PartialPermutation& a, const PartialPermutation& b) {
    require_length(b.width(), a.width(), "right factor");
    PartialPermutation result = a;
    for (auto& from : result.source) from = from ? b.source[*from] : std::nullopt;
    return result;
  }
  static PartialPermutation identity(std::size_t d) {
    PartialPermutation result{std::vector<std::optional<std::size_t>>(d)};
    for (std::size_t i = 0; i < d; ++i) result.source[i] = i;
    return result;
  }
  friend bool operator==(const PartialPermutation&, const PartialPermutation&) = default;

 private:
  void require_injective() const {
    std::vector<bool> taken(width(), false);
    for (const auto& from : source) {
      if (!from) continue;
      if (*from >= width() || taken[*from])
        throw OutsideDomain("source row " + std::to_string(*from) + " of " + std::to_string(width()) +
                            ": a partial permutation takes each row below its width at most once");
      taken[*from] = true;
    }
  }
};

}  // namespace assay::sfda
