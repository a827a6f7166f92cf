#include "oracle/sanatan/attention_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/rounding_deviation.hpp"
#include "oracle/sanatan/parallel_bound.hpp"
#include "oracle/sanatan/state_bound.hpp"

namespace assay::sanatan {
namespace {

Allowance empty_allowance(const Shape& shape) {
  const auto count = static_cast<std::size_t>(count_of(shape));
  const std::vector<double> zeros(count), unbounded(count, std::numeric_limits<double>::infinity());
  return {zeros, zeros, std::vector<bool>(count), unbounded, zeros};
}

/// Whether more than one token in eight has a label or angle of its predecessor in some dimension: roundings of
/// repeated inputs repeat, and are not independent (bounds.md).
bool keys_repeat(const Matrix<double>& phi_k) {
  for (std::size_t f = 0; f < phi_k.cols(); ++f) {
    std::size_t repeats = 0;
    const auto as_float = [&](std::size_t t) { return static_cast<float>(phi_k(t, f)); };
    for (std::size_t t = 1; t < phi_k.rows(); ++t)
      repeats += as_float(t) == as_float(t - 1) && std::abs(as_float(t)) != 1 && as_float(t) != 0;
    if (8 * repeats > phi_k.rows()) return true;
  }
  return false;
}

/// One head of a case, and where its bounds go.
class HeadBound {
 public:
  HeadBound(const Case& c, const Contract& contract, std::int64_t n, std::int64_t h, Allowances& out)
      : case_(c),
        contract_(contract),
        n_(n),
        h_(h),
        x_(head_of<double>(c, n, h)),
        q_(query_error(x_, c, contract)),
        k_(key_error(x_, c, contract)),
        power_(static_cast<int>(c.parameter("p"))),
        scale_(c.parameter("normaliser")),
        repeats_(keys_repeat(k_.phi)),
        out_(out) {}

  void write() {
    switch (contract_.algorithm) {
      case Algorithm::scan:
      case Algorithm::decode:
        return write_scan();
      case Algorithm::chunk:
        return write_chunks();
      case Algorithm::parallel:
        return write_parallel();
      default:
        throw std::logic_error("attention has no kernel of this algorithm");
    }
  }

 private:
  void write_scan() {
    StateBound state(x_, contract_);
    for (std::size_t t = 0; t < x_.T; ++t) {
      state.add_token(k_.phi.row(t), k_.error.row(t), x_.v.row(t));
      write_row(t, state.read(q_.phi.row(t), q_.error.row(t)), scale_ * case_.parameter("eps"));
    }
    write_state(state);
  }

  /// B7: the state before the chunk, and its own tokens by the double sum.
  void write_chunks() {
    StateBound state(x_, contract_);
    const ParallelBound inside(x_, q_, k_, contract_, 1, 1);
    const auto chunk = static_cast<std::size_t>(contract_.chunk);
    for (std::size_t begin = 0; begin < x_.T; begin += chunk) {
      const std::size_t end = std::min(begin + chunk, x_.T);
      const std::vector<ReadoutBound> own_sums = inside.read({begin, end}, begin);
      for (std::size_t t = begin; t < end; ++t) {
        ReadoutBound sums = state.read(q_.phi.row(t), q_.error.row(t));
        const ReadoutBound& own = own_sums[t - begin];
        for (std::size_t j = 0; j < sums.value.size(); ++j) {
          sums.value[j] += own.value[j];
          sums.deterministic[j] += own.deterministic[j];
          sums.statistical[j] += own.statistical[j];
        }
        write_row(t, sums, scale_ * case_.parameter("eps"));
      }
      state.add_chunk(k_, x_.v, begin, end);
    }
    write_state(state);
  }

  void write_parallel() {
    const ParallelBound all(x_, q_, k_, contract_, power_, scale_);
    constexpr std::size_t rows_at_once = 32;
    for (std::size_t first = 0; first < x_.T; first += rows_at_once) {
      const RowRange rows = {first, std::min(first + rows_at_once, x_.T)};
      const std::vector<ReadoutBound> sums = all.read(rows, 0);
      for (std::size_t t = first; t < rows.end; ++t) write_row(t, sums[t - first], case_.parameter("eps"));
    }
  }

  void write_row(std::size_t t, const ReadoutBound& sums, double eps) {
    const bool narrow = contract_.output != Format::f32;
    const FloatFormat& format = float_format(contract_.output);
    const double u_out = narrow ? format.unit_roundoff() : 0, eta_out = narrow ? format.eta() : 0;
    const QuotientBound row = quotient_bound(sums, eps, u_out, eta_out);
    Allowance& o = out_.at("o");
    const std::size_t at = row_offset(case_, n_, t, h_, x_.dv);
    for (std::size_t j = 0; j < x_.dv; ++j) {
      o.deterministic[at + j] = row.deterministic[j];
      o.statistical[at + j] = repeats_ ? row.deterministic[j] : row.statistical[j];
      o.degenerate[at + j] = !row.determined;
      if (row.determined && narrow) o.deviation[at + j] = deviation_of_output(sums, j, eps, row.statistical[j]);
    }
    if (!row.determined && contract_.clamps_normaliser)
      std::ranges::copy(clamped_quotient_limit(sums, eps, u_out, eta_out),
                        o.largest.begin() + static_cast<std::ptrdiff_t>(at));
    if (contract_.algorithm != Algorithm::parallel) write_sums(t, sums);
  }

  /// The last rounding decides o's error where all before it are small; then it is even within half a unit (B9).
  double deviation_of_output(const ReadoutBound& sums, std::size_t j, double eps, double statistical) const {
    const FloatFormat& format = float_format(contract_.output);
    const double o = std::abs(sums.value[j]) / (sums.value[x_.dv] + eps), half = format.unit_roundoff() * o;
    return statistical - half > half / 16 ? 0 : rounding_deviation(format, o);
  }

  void write_sums(std::size_t t, const ReadoutBound& sums) {
    const std::size_t row = row_offset(case_, n_, t, h_, 1);
    for (std::size_t j = 0; j <= x_.dv; ++j) {
      Allowance& sum = out_.at(j < x_.dv ? "N" : "D");
      const std::size_t at = j < x_.dv ? row * x_.dv + j : row;
      sum.deterministic[at] = sums.deterministic[j];
      sum.statistical[at] = repeats_ ? sums.deterministic[j] : sums.statistical[j];
    }
  }

  void write_state(const StateBound& state) {
    const auto index = state_index(case_, n_, h_);
    for (std::size_t f = 0; f < x_.width(); ++f) {
      const std::size_t row = index * x_.width() + f;
      out_.at("z").deterministic[row] = state.deterministic(f, x_.dv);
      out_.at("z").statistical[row] = repeats_ ? state.deterministic(f, x_.dv) : state.statistical(f, x_.dv);
      for (std::size_t j = 0; j < x_.dv; ++j) {
        out_.at("S").deterministic[row * x_.dv + j] = state.deterministic(f, j);
        out_.at("S").statistical[row * x_.dv + j] = repeats_ ? state.deterministic(f, j) : state.statistical(f, j);
        if (rounds_evenly(f)) out_.at("S").deviation[row * x_.dv + j] = state.deviation(f, j);
      }
    }
  }

  /// Whether the entries of a row of S are sums whose roundings alone make their errors: token by token, of features
  /// that are given and not constant.
  bool rounds_evenly(std::size_t f) const {
    const bool by_token = contract_.algorithm == Algorithm::scan || contract_.algorithm == Algorithm::decode;
    return by_token && case_.has("phi_k") && f >= x_.d && !repeats_;
  }

  const Case& case_;
  const Contract& contract_;
  std::int64_t n_, h_;
  Head<double> x_;
  FeatureError q_, k_;
  int power_;
  double scale_;
  bool repeats_;
  Allowances& out_;
};

}  // namespace

std::pair<References, Allowances> quotient_of_sums(const Case& c, const Contract& contract, const Tensors& sums) {
  const Tensor &N = sums.at("N"), &D = sums.at("D");
  const FloatFormat& format = float_format(contract.output);
  const bool narrow = contract.output != Format::f32;
  const double eps_raw = c.parameter("normaliser") * c.parameter("eps");
  const auto count = static_cast<std::size_t>(N.count());
  Allowance allowed = empty_allowance(N.shape());
  std::vector<double> quotients(count), zeros(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double n = N.value(static_cast<std::int64_t>(i));
    double d = D.value(static_cast<std::int64_t>(i) / c.sizes[Axis::value]);
    if (contract.clamps_normaliser && d < 0) d = 0;
    const RoundedQuotient q =
        rounded_quotient(n, d, eps_raw, narrow ? format.unit_roundoff() : 0, narrow ? format.eta() : 0);
    quotients[i] = q.value;
    allowed.deterministic[i] = allowed.statistical[i] = q.error;
    allowed.degenerate[i] = !q.determined;
  }
  References want;
  want.emplace("o", Reference{N.shape(), quotients, zeros, zeros});
  Allowances all;
  all.emplace("o", std::move(allowed));
  return {std::move(want), std::move(all)};
}

Allowances attention_bound(const Case& c, const Contract& contract, const References&) {
  Allowances out;
  for (const TensorSpec& spec : c.op->tensors)
    if (is_output(spec.role)) out.emplace(spec.name, empty_allowance(spec.shape(c.sizes)));
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) HeadBound(c, contract, n, h, out).write();
  return out;
}

}  // namespace assay::sanatan
