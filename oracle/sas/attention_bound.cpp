#include "oracle/sas/attention_bound.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/columns.hpp"
#include "oracle/rounding_deviation.hpp"
#include "oracle/sas/weight_bound.hpp"

namespace assay::sas {
namespace {

/// Covers the double arithmetic of a bound over so many terms.
double enlarged(double terms) { return 1 + (terms + 64) * 0x1p-50; }

/// Sums over the keys of one row, for four columns.
struct KeySums {
  Columns worst{}, squares{}, one_sided{};  ///< of shares times |y - o|, y the value times its factor
  Columns size{}, operands{};               ///< of shares times |y|; of what factors of the product lose, squared
  Columns of_factor{};                      ///< of that times the error of the factor
  Columns narrowed{}, narrowed_squares{};   ///< of that times what the weight loses as a factor
  Columns farthest{}, largest{};            ///< of |y - o| and |y|
};

/// Neighbours with one logit have one rounding: what they err by adds up before it is squared. The weight that meets a
/// value has one in each tile, by the tile's reference, and for each factor.
KeySums sums_of(const RowBound& row, std::span<const Columns> v, Columns o) {
  KeySums s;
  Columns alike{}, together{}, narrowed{};
  for (std::size_t i = 0; i < row.keys.size(); ++i) {
    const KeyBound& key = row.keys[i];
    const Columns y = key.factor * v[key.key], distance = absolute(y - o), size = absolute(y);
    s.farthest = larger(s.farthest, distance);
    s.largest = larger(s.largest, size);
    s.worst = multiply_add(key.share * key.worst, distance, s.worst);
    s.one_sided = multiply_add(key.share * key.one_sided, distance, s.one_sided);
    s.size = multiply_add(key.share, size, s.size);
    s.of_factor = multiply_add(key.share * key.of_factor, size, s.of_factor);
    s.narrowed = multiply_add(key.share * key.narrowed, size, s.narrowed);
    alike = multiply_add(key.share * key.deviation, distance, alike);
    together = multiply_add(key.share, y, together);
    narrowed = multiply_add(key.share * key.narrowed, y, narrowed);
    s.operands += key.share * key.share * (size * size);
    const KeyBound* const next = i + 1 < row.keys.size() ? &row.keys[i + 1] : nullptr;
    const bool same_logit = next && next->logit == key.logit;
    if (!same_logit || next->tile != key.tile || next->factor != key.factor) {
      s.operands = multiply_add(together, together, s.operands);
      s.narrowed_squares = multiply_add(narrowed, narrowed, s.narrowed_squares);
      together = narrowed = Columns{};
    }
    if (same_logit) continue;
    s.squares = multiply_add(alike, alike, s.squares);
    alike = Columns{};
  }
  return s;
}

/// One head.
class HeadBound {
 public:
  HeadBound(const Head<double>& x, const Contract& contract, const RoundingUnits& units)
      : x_(x), contract_(contract), weights_(x, contract, units), v_(column_blocks(x.v.cols())) {
    for (std::size_t j = 0; j < x.v.rows(); ++j) {
      const std::vector<Columns> row = in_blocks(x.v.row(j));
      for (std::size_t block = 0; block < v_.size(); ++block) v_[block].push_back(row[block]);
    }
  }

  void write(const References& truth, Allowances& out) const {
    const std::size_t dv = x_.v.cols();
    for (std::size_t t = 0; t < x_.queries(); ++t) {
      const std::size_t at = x_.index[t];
      const RowBound row = weights_.of(t, truth.at("lse").hi[at]);
      if (row.keys.empty()) continue;
      set_lse(out.at("lse"), at, row, truth.at("lse").hi[at]);
      const std::span<const double> o = std::span(truth.at("o").hi).subspan(at * dv, dv);
      const std::vector<Columns> o_blocks = in_blocks(o);
      for (std::size_t block = 0; block < v_.size(); ++block) {
        const KeySums s = sums_of(row, v_[block], o_blocks[block]);
        for (std::size_t i = 0; i < columns_a_block && block * columns_a_block + i < dv; ++i)
          set_o(out.at("o"), at * dv + block * columns_a_block + i, row, s, i, o[block * columns_a_block + i]);
      }
    }
  }

 private:
  /// Σ share |ε|, and the relative error of the sum of weights.
  static double moved(const RowBound& row, double sum) {
    double all = sum;
    for (const KeyBound& key : row.keys) all += key.share * key.worst;
    return all;
  }

  double sum_unit(const RowBound& row) const {
    return row.height * weights_.units().u * (1 + row.height * weights_.units().u);
  }

  /// B4.
  void set_lse(Allowance& out, std::size_t at, const RowBound& row, double L) const {
    const double u = weights_.units().u, sum = sum_unit(row), all = moved(row, sum);
    const double shifted = all < 0.5 ? std::min(-std::log1p(-all), row.worst + 2 * sum) : row.worst + 2 * sum;
    const double of_log = elementary_unit(contract_, weights_.units(), "log") *
                          (std::abs(L - row.largest_logit) + row.logit_error + shifted);
    const double of_base = contract_.base_two ? 3 * u * (std::abs(L) + std::abs(row.largest_logit)) : 0;
    const double last = of_base + u * (std::abs(L) + shifted + of_log) + absolute_floor(row);
    out.deterministic[at] = out.statistical[at] =
        (shifted + of_log + last) * enlarged(static_cast<double>(row.keys.size()));
  }

  /// Weights below the normal numbers, each rounded a few times to a multiple of the least.
  double absolute_floor(const RowBound& row) const {
    const double least = 0x1p5 * weights_.units().eta;
    return static_cast<double>(row.keys.size() + 1) * (least * (row.height + 1) + 4 * weights_.units().small);
  }

  /// B3.
  void set_o(Allowance& out, std::size_t at, const RowBound& row, const KeySums& s, std::size_t i, double o) const {
    const RoundingUnits& units = weights_.units();
    const double u = units.u, sum = sum_unit(row), all = moved(row, sum), size = std::abs(o);
    const double floor = absolute_floor(row) * (s.largest[i] + size) +
                         static_cast<double>(row.keys.size()) * units.eta + 2 * units.small;
    const double one_sided = s.one_sided[i] + units.truncation * s.size[i] + s.of_factor[i] + floor;
    const double operand = units.operand, operands = 2 * operand * (1 + operand);
    const double worst = s.worst[i] + s.of_factor[i] + s.narrowed[i] + (sum + units.truncation + operands) * s.size[i] +
                         sum * size + floor;
    const double h = row.height * u * u;
    const double squares = s.squares[i] + s.narrowed_squares[i] + operand * operand * s.operands[i] +
                           h * (s.size[i] * s.size[i] + size * size);
    const double likely = one_sided + 2 * operand * operand * s.size[i] + 8 * std::sqrt(squares);
    // Weights are not negative and sum to one: o stays among the values.
    const double cap =
        s.farthest[i] + (2 * sum + units.truncation + operands + largest_factor_error(row)) * s.largest[i] + floor;
    const double D = all < 0.5 ? std::min(worst / (1 - all), cap) : cap;
    const double P = all < 0.5 ? std::min({likely / (1 - all), D}) : D;
    const FloatFormat& format = float_format(contract_.output);
    const bool narrow = contract_.output != Format::f32;
    const double u_out = narrow ? format.unit_roundoff() : 0, eta_out = narrow ? format.eta() : 0;
    const auto rounded = [&](double error) {
      return (error + (u + u_out + u * u_out) * (size + error) + units.eta + eta_out) *
             enlarged(static_cast<double>(row.keys.size()));
    };
    out.deterministic[at] = rounded(D);
    out.statistical[at] = rounded(P);
    if (narrow && D <= u_out * size / 16 && row.largest_share() < 0x1p-3)
      out.deviation[at] = rounding_deviation(format, o);
  }

  static double largest_factor_error(const RowBound& row) {
    double largest = 0;
    for (const KeyBound& key : row.keys) largest = std::max(largest, key.of_factor + key.narrowed);
    return largest;
  }

  const Head<double>& x_;
  const Contract& contract_;
  WeightBounds weights_;
  std::vector<std::vector<Columns>> v_;  ///< [block of columns][key]
};

}  // namespace

void set_attention_bound(const Head<double>& x, const Contract& contract, const RoundingUnits& units,
                         const References& truth, Allowances& out) {
  HeadBound(x, contract, units).write(truth, out);
}

Allowances attention_bound(const Case& c, const Contract& contract, const References& truth) {
  Allowances out;
  for (const auto& [name, reference] : truth) {
    const std::vector<double> zeros(reference.hi.size());
    out.emplace(name, Allowance{.deterministic = zeros, .statistical = zeros, .deviation = zeros});
  }
  for_each_head(c, [&](std::int64_t n, std::int64_t h, std::int64_t g) {
    set_attention_bound(head_of<double>(c, n, h, g), contract, rounding_units(contract), truth, out);
  });
  return out;
}

}  // namespace assay::sas
