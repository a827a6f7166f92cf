#include "oracle/sfda/support.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "oracle/sfda/head.hpp"

namespace assay::sfda {
namespace {

/// Columns, 0 or 1 each: bytes, so that loops over them vectorise.
using Columns = std::vector<std::uint8_t>;

void join(Columns& into, const Columns& other) {
  for (std::size_t j = 0; j < into.size(); ++j) into[j] |= other[j];
}

/// Which columns of a row of numbers are not 0.
template <class K>
Columns support_of(std::span<const K> row) {
  Columns columns(row.size());
  for (std::size_t j = 0; j < row.size(); ++j) columns[j] = !(row[j] == K(0));
  return columns;
}

/// Which entries of the state of one head may differ from 0, token after token.
template <class K>
class Support {
 public:
  /// `log_alpha` [T, decays] may have no rows.
  Support(const Head<K>& x, const Matrix<double>& log_alpha) : x_(x.tokens), log_alpha_(log_alpha) {
    for (std::size_t i = 0; i < x.S0.rows(); ++i) rows_.push_back(support_of<K>(x.S0.row(i)));
  }

  /// Takes token t; gives the columns of its output that may differ from 0.
  Columns take(std::size_t t) {
    Columns change = support_of<K>(x_.v.row(t)), output(change.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (forgets(t, i)) rows_[i].assign(change.size(), 0);
      if (!(x_.k(t, i) == K(0))) join(change, rows_[i]);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (x_.beta[t] != 0 && !(x_.k(t, i) == K(0))) join(rows_[i], change);
      if (!(x_.q(t, i) == K(0))) join(output, rows_[i]);
    }
    return output;
  }

  const Columns& row(std::size_t i) const { return rows_[i]; }

 private:
  /// e^-inf alone is 0.
  bool forgets(std::size_t t, std::size_t i) const {
    if (log_alpha_.rows() == 0) return false;
    return std::isinf(log_alpha_(t, log_alpha_.cols() == 1 ? 0 : i));
  }

  const Tokens<K>& x_;
  const Matrix<double>& log_alpha_;
  std::vector<Columns> rows_;
};

void clear(Reference& reference, std::size_t first, const Columns& support) {
  for (std::size_t j = 0; j < support.size(); ++j)
    if (!support[j]) reference.hi[first + j] = reference.lo[first + j] = reference.radius[first + j] = 0;
}

template <class K>
void certify_head(const Case& c, std::int64_t n, std::int64_t h, References& values) {
  const Head<K> x = head_of<K>(c, n, h);
  const Matrix<double> log_alpha =
      rows_of<double>(c, "log_alpha", n, h, 0, x.tokens.length(), std::max<std::size_t>(decays_of(c), 1));
  Support<K> support(x, log_alpha);
  const std::size_t d = x.S0.rows(), dv = x.S0.cols();
  const auto clear_planes = [&](std::string_view name, std::size_t first, const Columns& columns) {
    for (const std::string& plane : planes_of(c, name)) clear(values.at(plane), first, columns);
  };
  for (std::size_t t = 0; t < x.tokens.length(); ++t) clear_planes("o", row_offset(c, n, t, h, dv), support.take(t));
  for (std::size_t i = 0; i < d; ++i) clear_planes("S", (state_index(c, n, h) * d + i) * dv, support.row(i));
}

/// Whether a computed 0 has a radius: terms that all hold a 0 sum to 0 in double-double too.
bool has_doubtful_zeros(const References& values) {
  return std::ranges::any_of(values, [](const auto& output) {
    const Reference& x = output.second;
    for (std::size_t i = 0; i < x.hi.size(); ++i)
      if (x.hi[i] == 0 && x.radius[i] > 0) return true;
    return false;
  });
}

}  // namespace

void certify_zeros(const Case& c, References& values) {
  if (!has_doubtful_zeros(values)) return;
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h)
      is_complex(c) ? certify_head<Cx<double>>(c, n, h, values) : certify_head<double>(c, n, h, values);
}

}  // namespace assay::sfda
