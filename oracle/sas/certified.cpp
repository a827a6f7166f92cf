#include "oracle/sas/certified.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

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
  ScaledRows keys;                ///< [feature, key]
  ScaledRows values;              ///< [key, column]
  std::vector<double> key_scale;  ///< of the keys
  std::vector<double> scale;      ///< what a radius of a sum over the values is in units of, by column

  KeyTile(const Head<double>& x, std::size_t begin)
      : begin(begin),
        count(std::min(tile_keys, x.k.rows() - begin)),
        keys(scaled_rows(x.k.cols(), count, [&](std::size_t f, std::size_t j) { return x.k(begin + j, f); })),
        values(scaled_rows(count, x.v.cols(), [&](std::size_t j, std::size_t i) { return x.v(begin + j, i); })) {
    for (std::size_t j = 0; j < count; ++j) key_scale.push_back(keys.scale(j));
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
  LaneArray values;
  Matrix<double> radii;  ///< [place, key]
  double reference = -infinity;

  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

  Row(std::vector<std::size_t> tiles, std::size_t count)
      : place(std::move(tiles)), values(count, tile_keys), radii(count, tile_keys) {
    std::fill_n(values.hi(), values.padded_size(), -infinity);
  }
  bool reads(std::size_t tile) const { return place[tile] != nowhere; }
  bool empty() const { return reference == -infinity; }
};

double sum_of_chains(const double* x, std::size_t count) {
  std::array<double, chains> sums{};
  std::size_t i = 0;
  for (; i + chains <= count; i += chains)
    for (std::size_t j = 0; j < chains; ++j) sums[j] += x[i + j];
  for (; i < count; ++i) sums[0] += x[i];
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// In chains that do not wait for each other; -inf of nothing.
double largest_of(const double* x, std::size_t count) {
  std::array<double, chains> largest;
  largest.fill(-infinity);
  std::size_t i = 0;
  for (; i + chains <= count; i += chains)
    for (std::size_t j = 0; j < chains; ++j) largest[j] = largest[j] > x[i + j] ? largest[j] : x[i + j];
  for (; i < count; ++i) largest[0] = std::max(largest[0], x[i]);
  return *std::ranges::max_element(largest);
}

class CertifiedHead {
 public:
  explicit CertifiedHead(const Head<double>& x) : x_(x) {
    for (std::size_t begin = 0; begin < x.k.rows(); begin += tile_keys) tiles_.emplace_back(x, begin);
  }

  void write(References& out) const {
    for (std::size_t first = 0; first < x_.queries(); first += queries_at_once) {
      std::vector<Query> queries;
      queries.reserve(queries_at_once);
      for (std::size_t t = first; t < std::min(first + queries_at_once, x_.queries()); ++t)
        queries.push_back({t, row(t), Sums(x_.v.cols())});
      for (std::size_t i = 0; i < tiles_.size(); ++i) add_logits(i, queries);
      for (Query& query : queries) take_powers(query.row);
      for (std::size_t i = 0; i < tiles_.size(); ++i) add_values(i, queries);
      for (const Query& query : queries) write_row(query, out);
    }
  }

 private:
  /// N [dv] and l, with their radii.
  struct Sums {
    std::vector<double> hi, lo, radius;
    CertifiedValue l;

    explicit Sums(std::size_t columns) : hi(columns), lo(columns), radius(columns) {}
  };

  struct Query {
    std::size_t t;
    Row row;
    Sums sums;
  };

  /// The queries with a key in the tile.
  static std::vector<Query*> readers_of(std::size_t tile, std::vector<Query>& queries) {
    std::vector<Query*> readers;
    for (Query& query : queries)
      if (query.row.reads(tile)) readers.push_back(&query);
    return readers;
  }

  /// Calls use(range, first, end) for the parts of a tile that a query reads, counted from the tile's first key.
  template <class Use>
  void for_each_part(std::size_t t, const KeyTile& tile, Use use) const {
    for (const KeyRange& range : x_.reads[t]) {
      const std::size_t begin = std::max(range.begin, tile.begin), end = std::min(range.end, tile.begin + tile.count);
      if (begin < end) use(range, begin - tile.begin, end - tile.begin);
    }
  }

  Row row(std::size_t t) const {
    std::vector<std::size_t> place(tiles_.size(), Row::nowhere);
    std::size_t count = 0;
    for (std::size_t i = 0; i < tiles_.size(); ++i)
      for_each_part(t, tiles_[i], [&](const KeyRange&, std::size_t, std::size_t) {
        if (place[i] == Row::nowhere) place[i] = count++;
      });
    return {std::move(place), count};
  }

  /// C1. `scale` q is a double: both have 24 bits.
  void add_logits(std::size_t i, std::vector<Query>& queries) const {
    const std::vector<Query*> readers = readers_of(i, queries);
    std::vector<double> q;
    for (const Query* reader : readers)
      for (const double x : x_.q.row(reader->t)) q.push_back(x_.scale * x);
    const RowSums scores = weighted_sums_of_rows({readers.size(), x_.q.cols(), q.data()}, tiles_[i].keys, lanes_);
    for (std::size_t r = 0; r < readers.size(); ++r) take_logits(i, scores, r, *readers[r]);
  }

  void take_logits(std::size_t i, const RowSums& scores, std::size_t r, Query& query) const {
    const KeyTile& tile = tiles_[i];
    Row& row = query.row;
    const std::size_t at = row.place[i];
    const double *const s_hi = scores.sums.hi(r), *const s_lo = scores.sums.lo(r), *const scale = &tile.key_scale[0];
    double *const hi = row.values.hi(at), *const lo = row.values.lo(at), *const radius = &row.radii(at, 0);
    for_each_part(query.t, tile, [&](const KeyRange& range, std::size_t first, std::size_t end) {
      const double log_gate = x_.outside ? 0 : x_.gate(query.t, range), of_score = scores.radius[r];
      if (log_gate == -infinity) return;
#pragma GCC ivdep
      for (std::size_t j = first; j < end; ++j) {
        const DoubleDouble z = DoubleDouble{s_hi[j], s_lo[j]} + log_gate;
        hi[j] = z.hi;
        lo[j] = z.lo;
        radius[j] = of_score * scale[j] + 4 * u2 * std::abs(z.hi);
      }
      row.reference = std::max(row.reference, largest_of(hi + first, end - first));
    });
  }

  /// C2: e^(x - m) with the largest logit as m. Loops without a branch, so that they vectorise.
  void take_powers(Row& row) const {
    if (row.empty()) return;
    const std::size_t count = row.values.padded_size();
    double *const hi = row.values.hi(), *const lo = row.values.lo(), *const radius = &row.radii(0, 0);
    const double m = row.reference;
#pragma GCC ivdep
    for (std::size_t i = 0; i < count; ++i) {
      const DoubleDouble below = DoubleDouble{hi[i], lo[i]} + -m;
      const bool reads = hi[i] != -infinity;
      hi[i] = reads ? below.hi : -infinity;
      lo[i] = reads ? below.lo : 0;
      radius[i] += reads ? 4 * u2 * std::abs(below.hi) : 0;
    }
    LaneArray powers = lanes_.exp(row.values);
    const double* const w = powers.hi();
    const double largest = largest_of(radius, count);
    if (largest < 0x1p-20)
#pragma GCC ivdep
      for (std::size_t i = 0; i < count; ++i)
        radius[i] = w[i] * radius[i] * (1 + radius[i]) * (1 + 0x1p-40) + radius_of_exp(w[i]);
    else
      for (std::size_t i = 0; i < count; ++i)
        radius[i] =
            hi[i] == -infinity ? 0 : std::exp(std::min(hi[i] + radius[i], 709.0)) * (1 + 0x1p-40) + radius_of_exp(w[i]);
    row.values = std::move(powers);
  }

  static double radius_of_exp(double w) { return double_double_bound::exp * w + 2 * double_double_bound::exp_absolute; }

  /// C3: N, and l.
  void add_values(std::size_t i, std::vector<Query>& queries) const {
    const KeyTile& tile = tiles_[i];
    std::vector<Query*> readers = readers_of(i, queries);
    std::erase_if(readers, [](const Query* query) { return query->row.empty(); });
    LaneArray weights(readers.size(), tile.count);
    std::vector<double> radii(readers.size());
    for (std::size_t r = 0; r < readers.size(); ++r) radii[r] = take_weights(i, *readers[r], weights, r);
    const RowSums parts = weighted_sums_of_rows(weights, tile.values, lanes_);
    for (std::size_t r = 0; r < readers.size(); ++r) {
      Sums& sums = readers[r]->sums;
      const double *const part_hi = parts.sums.hi(r), *const part_lo = parts.sums.lo(r), *const scale = &tile.scale[0];
      double *const hi = sums.hi.data(), *const lo = sums.lo.data(), *const radius = sums.radius.data();
      const double of_part = parts.radius[r] + radii[r];
#pragma GCC ivdep
      for (std::size_t column = 0; column < x_.v.cols(); ++column) {
        const DoubleDouble sum = DoubleDouble{hi[column], lo[column]} + DoubleDouble{part_hi[column], part_lo[column]};
        hi[column] = sum.hi;
        lo[column] = sum.lo;
        radius[column] += of_part * scale[column] + 4 * u2 * std::abs(sum.hi);
      }
    }
  }

  /// Adds a query's weights of a tile to its l and writes them, times their gates if those stand outside, to row r of
  /// `weights`; returns the sum of their radii.
  double take_weights(std::size_t i, Query& query, LaneArray& weights, std::size_t r) const {
    const KeyTile& tile = tiles_[i];
    const std::size_t at = query.row.place[i];
    std::copy_n(query.row.values.hi(at), tile.count, weights.hi(r));
    std::copy_n(query.row.values.lo(at), tile.count, weights.lo(r));
    double radius = sum_of_chains(&query.row.radii(at, 0), tile.count);
    const DoubleDouble sum = sum_of(weights, r);
    CertifiedValue& l = query.sums.l;
    l.value = l.value + sum;
    l.radius += radius + 4 * u2 * (chains * chains * sum.hi + l.value.hi);
    if (!x_.outside) return radius;
    radius = 0;
    for_each_part(query.t, tile, [&](const KeyRange& range, std::size_t first, std::size_t end) {
      const DoubleDouble gate = exp(DoubleDouble(x_.gate(query.t, range)));
      for (std::size_t j = first; j < end; ++j) {
        const double size = std::abs(weights.at(r, j).hi);
        radius += query.row.radii(at, j) * (gate.hi + 0x1p-90) + (double_double_bound::exp + 4 * u2) * size * gate.hi +
                  size * 2 * double_double_bound::exp_absolute;
        weights.set(r, j, weights.at(r, j) * gate);
      }
    });
    return radius;
  }

  /// Σ w of a tile in 8 chains of at most 16, added one after another: at most 24 sums of 3u² each.
  static DoubleDouble sum_of(const LaneArray& w, std::size_t row) {
    const double *const w_hi = w.hi(row), *const w_lo = w.lo(row);
    std::array<double, chains> hi{}, lo{};
    for (std::size_t begin = 0; begin < w.stride(); begin += chains)
      for (std::size_t j = 0; j < chains; ++j) {
        const DoubleDouble sum = DoubleDouble{hi[j], lo[j]} + DoubleDouble{w_hi[begin + j], w_lo[begin + j]};
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

  void write_row(const Query& query, References& out) const {
    const std::size_t t = query.t, row = x_.index[t], dv = x_.v.cols();
    Reference &o = out.at("o"), &lse = out.at("lse");
    const Sums& sums = query.sums;
    if (query.row.empty()) {
      lse.hi[row] = -infinity;
      return;
    }
    const CertifiedValue& l = sums.l;
    for (std::size_t i = 0; i < dv; ++i)
      if (sums.hi[i] != 0 || has_support(t, i))
        set(o, row * dv + i, quotient({{sums.hi[i], sums.lo[i]}, sums.radius[i]}, l, DoubleDouble(0)));
    const DoubleDouble log_l = log(l.value), L = log_l + query.row.reference;
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
