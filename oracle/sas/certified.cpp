#include "oracle/sas/certified.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "arith/dd_elementary.hpp"
#include "arith/windowed_sums.hpp"
#include "oracle/certified_quotient.hpp"
#include "oracle/sas/head.hpp"

namespace assay::sas {
namespace {

constexpr double u2 = 0x1p-106;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t tile_keys = 128;
constexpr std::size_t chains = 8;
constexpr std::size_t queries_at_once = 32;  // they share a tile of keys and values while it is near

template <class F>
ScaledRows scaled_rows(std::size_t rows, std::size_t lanes, const F& f) {
  std::vector<double> entries(rows * lanes);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < lanes; ++j) entries[i * lanes + j] = f(i, j);
  return {rows, lanes, entries};
}

/// Keys begin ... begin + count - 1 and their values.
struct KeyTile {
  std::size_t begin, count;
  ScaledRows keys;            ///< [feature, key]
  ScaledRows values;          ///< [key, column]
  std::vector<double> scale;  ///< what a radius of a sum over the values is in units of, by column

  KeyTile(const Head<double>& x, std::size_t begin)
      : begin(begin),
        count(std::min(tile_keys, x.k.rows() - begin)),
        keys(scaled_rows(x.k.cols(), count, [&](std::size_t f, std::size_t j) { return x.k(begin + j, f); })),
        values(scaled_rows(count, x.v.cols(), [&](std::size_t j, std::size_t i) { return x.v(begin + j, i); })) {
    for (std::size_t i = 0; i < values.lanes(); ++i) {
      bool empty = true;
      for (std::size_t j = 0; j < count; ++j) empty = empty && values.row(j)[i] == 0;
      scale.push_back(empty ? 0 : values.scale(i));
    }
  }
};

/// One query: the tiles that it reads, and a row for each of logits, -inf where it does not read; then, in the same
/// place, of their weights.
struct Row {
  std::vector<std::size_t> place;  ///< of a tile; none: `nowhere`
  LaneArray q;                     ///< times `scale`
  LaneArray values;
  Matrix<double> radii;  ///< [place, key]
  double reference = -infinity;

  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  Row(std::vector<std::size_t> tiles, std::size_t count, LaneArray scaled_query)
      : place(std::move(tiles)), q(std::move(scaled_query)), values(count, tile_keys), radii(count, tile_keys) {
    std::fill_n(values.hi(), values.padded_size(), -infinity);
  }
  bool reads(std::size_t tile) const { return place[tile] != nowhere; }
  bool empty() const { return reference == -infinity; }
};

LaneArray row_of(const LaneArray& a, std::size_t row, std::size_t lanes) {
  LaneArray copy = LaneArray::unset(1, lanes);
  std::copy_n(a.hi(row), lanes, copy.hi());
  std::copy_n(a.lo(row), lanes, copy.lo());
  return copy;
}

class CertifiedHead {
 public:
  explicit CertifiedHead(const Head<double>& x) : x_(x) {
    for (std::size_t begin = 0; begin < x.k.rows(); begin += tile_keys) tiles_.emplace_back(x, begin);
  }

  void write(References& out) const {
    for (std::size_t first = 0; first < x_.queries(); first += queries_at_once) {
      const std::size_t end = std::min(first + queries_at_once, x_.queries());
      std::vector<Row> rows;
      for (std::size_t t = first; t < end; ++t) rows.push_back(row(t));
      for (std::size_t i = 0; i < tiles_.size(); ++i)
        for (std::size_t t = first; t < end; ++t) add_logits(t, i, rows[t - first]);
      for (std::size_t t = first; t < end; ++t) take_powers(rows[t - first]);
      std::vector<Sums> sums(end - first, Sums(x_.v.cols() + 1));
      for (std::size_t i = 0; i < tiles_.size(); ++i)
        for (std::size_t t = first; t < end; ++t) add_values(t, i, rows[t - first], sums[t - first]);
      for (std::size_t t = first; t < end; ++t) write_row(t, rows[t - first], sums[t - first], out);
    }
  }

 private:
  using Sums = std::vector<CertifiedValue>;

  /// Calls use(range, first, end) for the parts of a tile that a query reads, counted from the tile's first key.
  template <class Use>
  void for_each_part(std::size_t t, const KeyTile& tile, Use use) const {
    for (const KeyRange& range : x_.reads[t]) {
      const std::size_t begin = std::max(range.begin, tile.begin), end = std::min(range.end, tile.begin + tile.count);
      if (begin < end) use(range, begin - tile.begin, end - tile.begin);
    }
  }

  /// `scale` q is a double: both have 24 bits.
  Row row(std::size_t t) const {
    std::vector<std::size_t> place(tiles_.size(), Row::nowhere);
    std::size_t count = 0;
    for (std::size_t i = 0; i < tiles_.size(); ++i)
      for_each_part(t, tiles_[i], [&](const KeyRange&, std::size_t, std::size_t) {
        if (place[i] == Row::nowhere) place[i] = count++;
      });
    LaneArray q(1, x_.q.cols());
    for (std::size_t f = 0; f < x_.q.cols(); ++f) q.hi()[f] = x_.scale * x_.q(t, f);
    return {std::move(place), count, std::move(q)};
  }

  /// C1.
  void add_logits(std::size_t t, std::size_t i, Row& row) const {
    const KeyTile& tile = tiles_[i];
    if (!row.reads(i)) return;
    const std::size_t at = row.place[i];
    const RowSums scores = weighted_sum_of_rows(row.q, tile.keys, lanes_);
    for_each_part(t, tile, [&](const KeyRange& range, std::size_t first, std::size_t end) {
      const double log_gate = x_.outside ? 0 : x_.gate(t, range);
      if (log_gate == -infinity) return;
      for (std::size_t j = first; j < end; ++j) {
        DoubleDouble z = scores.sums.at(0, j);
        if (log_gate != 0) z = z + log_gate;
        row.values.set(at, j, z);
        row.radii(at, j) = scores.radius * tile.keys.scale(j) + 4 * u2 * std::abs(z.hi);
        row.reference = std::max(row.reference, z.hi);
      }
    });
  }

  /// C2: e^(x - m) with the largest logit as m.
  void take_powers(Row& row) const {
    if (row.empty()) return;
    const double m = row.reference;
    for (std::size_t i = 0; i < row.values.rows(); ++i)
      for (std::size_t j = 0; j < tile_keys; ++j)
        if (row.values.hi(i)[j] != -infinity) row.values.set(i, j, row.values.at(i, j) + -m);
    const LaneArray powers = lanes_.exp(row.values);
    for (std::size_t i = 0; i < row.values.rows(); ++i)
      for (std::size_t j = 0; j < tile_keys; ++j) {
        const double below = row.values.hi(i)[j];
        if (below == -infinity) continue;
        const double radius = row.radii(i, j) + 4 * u2 * std::abs(below), w = powers.hi(i)[j];
        const double moved = radius < 0x1p-20 ? w * radius * (1 + radius) : std::exp(std::min(below + radius, 709.0));
        row.radii(i, j) = moved * (1 + 0x1p-40) + double_double_bound::exp * w + 2 * double_double_bound::exp_absolute;
      }
    row.values = powers;
  }

  /// C3: N, and l as the last column.
  void add_values(std::size_t t, std::size_t i, const Row& row, Sums& sums) const {
    const KeyTile& tile = tiles_[i];
    if (row.empty() || !row.reads(i)) return;
    const std::size_t dv = x_.v.cols();
    const std::size_t at = row.place[i];
    LaneArray w = row_of(row.values, at, tile.count);
    double radius = 0;
    for (std::size_t j = 0; j < tile.count; ++j) radius += row.radii(at, j);
    const DoubleDouble l = sum_of(w);
    add(sums[dv], l, radius + 4 * u2 * (chains * chains * l.hi + sums[dv].value.hi));
    if (x_.outside) {
      radius = 0;
      for_each_part(t, tile, [&](const KeyRange& range, std::size_t first, std::size_t end) {
        const DoubleDouble gate = exp(DoubleDouble(x_.gate(t, range)));
        for (std::size_t j = first; j < end; ++j) {
          const double size = std::abs(w.at(0, j).hi);
          radius += row.radii(at, j) * (gate.hi + 0x1p-90) + (double_double_bound::exp + 4 * u2) * size * gate.hi +
                    size * 2 * double_double_bound::exp_absolute;
          w.set(0, j, w.at(0, j) * gate);
        }
      });
    }
    const RowSums part = weighted_sum_of_rows(w, tile.values, lanes_);
    for (std::size_t column = 0; column < dv; ++column)
      add(sums[column], part.sums.at(0, column),
          (part.radius + radius) * tile.scale[column] +
              4 * u2 * std::abs(sums[column].value.hi + part.sums.at(0, column).hi));
  }

  /// Σ w of a tile in 8 chains of at most 16, added one after another: at most 24 sums of 3u² each.
  static DoubleDouble sum_of(const LaneArray& w) {
    std::array<DoubleDouble, chains> sums{};
    for (std::size_t j = 0; j < w.stride(); ++j)
      sums[j % chains] = sums[j % chains] + DoubleDouble{w.hi()[j], w.lo()[j]};
    DoubleDouble all(0);
    for (const DoubleDouble& sum : sums) all = all + sum;
    return all;
  }

  static void add(CertifiedValue& sum, DoubleDouble x, double radius) {
    sum.value = sum.value + x;
    sum.radius += radius;
  }

  /// Whether a value other than 0 has a weight: only then does a computed 0 have a radius.
  bool has_support(std::size_t t, std::size_t column) const {
    for (const KeyRange& range : x_.reads[t]) {
      if (x_.gate(t, range) == -infinity) continue;
      for (std::size_t j = range.begin; j < range.end; ++j)
        if (x_.v(j, column) != 0) return true;
    }
    return false;
  }

  void write_row(std::size_t t, const Row& query, const Sums& sums, References& out) const {
    const std::size_t row = x_.index[t], dv = x_.v.cols();
    Reference &o = out.at("o"), &lse = out.at("lse");
    if (query.empty()) {
      lse.hi[row] = -infinity;
      return;
    }
    const CertifiedValue& l = sums[dv];
    for (std::size_t i = 0; i < dv; ++i)
      if (sums[i].value.hi != 0 || has_support(t, i)) set(o, row * dv + i, quotient(sums[i], l, DoubleDouble(0)));
    const DoubleDouble log_l = log(l.value), L = log_l + query.reference;
    const double least = l.value.hi - l.radius;
    const double of_log = double_double_bound::log * std::abs(log_l.hi) + double_double_bound::log_absolute;
    set(lse, row, {L, least > 0 ? l.radius / least + of_log + 4 * u2 * std::abs(L.hi) : infinity});
  }

  const Head<double>& x_;
  std::vector<KeyTile> tiles_;
  LaneArithmetic lanes_;
};

}  // namespace

References certified_attention(const Case& c) {
  References out = empty_references(c);
  for_each_head(c, [&](std::int64_t n, std::int64_t h, std::int64_t g) {
    const Head<double> x = head_of<double>(c, n, h, g);
    CertifiedHead(x).write(out);
  });
  return out;
}

}  // namespace assay::sas
