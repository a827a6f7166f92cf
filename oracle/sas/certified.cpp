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
      std::vector<Sums> sums(end - first, Sums(x_.v.cols()));
      for (std::size_t i = 0; i < tiles_.size(); ++i)
        for (std::size_t t = first; t < end; ++t) add_values(t, i, rows[t - first], sums[t - first]);
      for (std::size_t t = first; t < end; ++t) write_row(t, rows[t - first], sums[t - first], out);
    }
  }

 private:
  /// N [dv] and l, with their radii.
  struct Sums {
    std::vector<double> hi, lo, radius;
    CertifiedValue l;

    explicit Sums(std::size_t columns) : hi(columns), lo(columns), radius(columns) {}
  };

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

  /// C2: e^(x - m) with the largest logit as m. Loops without a branch, so that they vectorise.
  void take_powers(Row& row) const {
    if (row.empty()) return;
    const std::size_t count = row.values.padded_size();
    double *const hi = row.values.hi(), *const lo = row.values.lo(), *const radius = &row.radii(0, 0);
    const double m = row.reference;
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const DoubleDouble below = DoubleDouble{hi[i], lo[i]} + -m;
      const bool reads = hi[i] != -infinity;
      hi[i] = reads ? below.hi : -infinity;
      lo[i] = reads ? below.lo : 0;
      radius[i] += reads ? 4 * u2 * std::abs(below.hi) : 0;
      largest = std::max(largest, radius[i]);
    }
    LaneArray powers = lanes_.exp(row.values);
    const double* const w = powers.hi();
    for (std::size_t i = 0; i < count; ++i) {
      const double moved = w[i] * radius[i] * (1 + radius[i]) * (1 + 0x1p-40);
      const double of_exp = double_double_bound::exp * w[i] + 2 * double_double_bound::exp_absolute;
      radius[i] = largest < 0x1p-20    ? moved + of_exp
                  : hi[i] == -infinity ? 0
                                       : std::exp(std::min(hi[i] + radius[i], 709.0)) * (1 + 0x1p-40) + of_exp;
    }
    row.values = std::move(powers);
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
    sums.l.value = sums.l.value + l;
    sums.l.radius += radius + 4 * u2 * (chains * chains * l.hi + sums.l.value.hi);
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
    const double *const part_hi = part.sums.hi(), *const part_lo = part.sums.lo(), *const scale = tile.scale.data();
    double *const hi = sums.hi.data(), *const lo = sums.lo.data(), *const radii = sums.radius.data();
    for (std::size_t column = 0; column < dv; ++column) {
      const DoubleDouble sum = DoubleDouble{hi[column], lo[column]} + DoubleDouble{part_hi[column], part_lo[column]};
      hi[column] = sum.hi;
      lo[column] = sum.lo;
      radii[column] += (part.radius + radius) * scale[column] + 4 * u2 * std::abs(sum.hi);
    }
  }

  /// Σ w of a tile in 8 chains of at most 16, added one after another: at most 24 sums of 3u² each.
  static DoubleDouble sum_of(const LaneArray& w) {
    std::array<double, chains> hi{}, lo{};
    for (std::size_t begin = 0; begin < w.stride(); begin += chains)
      for (std::size_t j = 0; j < chains; ++j) {
        const DoubleDouble sum = DoubleDouble{hi[j], lo[j]} + DoubleDouble{w.hi()[begin + j], w.lo()[begin + j]};
        hi[j] = sum.hi;
        lo[j] = sum.lo;
      }
    DoubleDouble all(0);
    for (std::size_t j = 0; j < chains; ++j) all = all + DoubleDouble{hi[j], lo[j]};
    return all;
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
    const CertifiedValue& l = sums.l;
    for (std::size_t i = 0; i < dv; ++i)
      if (sums.hi[i] != 0 || has_support(t, i))
        set(o, row * dv + i, quotient({{sums.hi[i], sums.lo[i]}, sums.radius[i]}, l, DoubleDouble(0)));
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
