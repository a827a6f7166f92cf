#include "oracle/sfda/attention_bound.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "oracle/rounding_deviation.hpp"
#include "oracle/sfda/chunk_bound.hpp"
#include "oracle/sfda/head.hpp"
#include "oracle/sfda/token_bound.hpp"

namespace assay::sfda {
namespace {

/// Rows a head, beside the last, whose errors are followed back to the first chunk. Others are followed as far as this
/// many operations a head allow, more where factors are rounded and the norm alone would say little, and meet the norm
/// of the error of the state there.
constexpr std::size_t followed_rows = 8;
constexpr double operations = 2e7, operations_of_narrow = 4e8;

/// Of one token: n > 8 sqrt(n) beyond it.
constexpr std::size_t most_repeats = 64;

/// One head of a case, from a state that is wrong by `start`, and where its bounds go: nowhere if only the errors of
/// the state are asked for.
template <class K>
class HeadBound {
 public:
  HeadBound(const Case& c, const Contract& contract, std::int64_t n, std::int64_t h, RowError start, Allowances* out)
      : case_(c),
        contract_(contract),
        n_(n),
        h_(h),
        x_(head_of<K>(c, n, h)),
        units_(contract, static_cast<double>(x_.S0.rows())),
        state_(std::move(start)),
        since_start_(x_.S0.cols()),
        out_(out),
        repeats_(repeats()) {}

  /// Writes the bounds. The errors of the state after the last token.
  RowError write() && {
    take_all();
    return std::move(state_);
  }

 private:
  void take_all() {
    switch (contract_.algorithm) {
      case Algorithm::scan:
      case Algorithm::decode:
        return write_tokens();
      case Algorithm::chunk:
        return write_chunks();
      default:
        throw std::logic_error("the delta rule has no kernel of this algorithm");
    }
  }

  std::size_t tokens() const { return x_.tokens.length(); }

  /// Whether one token comes more often than n > 8 sqrt(n) allows: once the state stands still the token's
  /// roundings are the same each time, and add up.
  bool repeats() const {
    if (tokens() <= most_repeats) return false;
    std::map<std::vector<double>, std::size_t> met;
    std::vector<double> token;
    const auto append = [&](const K& x) {
      if constexpr (DeltaUnits<K>::complex)
        token.insert(token.end(), {x.re, x.im});
      else
        token.push_back(x);
    };
    for (std::size_t t = 0; t < tokens(); ++t) {
      token.assign(1, x_.tokens.beta[t]);
      for (const K& k : x_.tokens.k.row(t)) append(k);
      for (const K& v : x_.tokens.v.row(t)) append(v);
      for (const K& lambda : x_.tokens.lambda[t].lambda) append(lambda);
      if (++met[token] > most_repeats) return true;
    }
    return false;
  }

  /// P of an error.
  double likely_of(const RowError& error, std::size_t j) const {
    return repeats_ ? error.worst[j] : std::min(error.worst[j], error.likely(j));
  }

  /// ‖A_t‖₂, at most.
  double growth(std::size_t t) const {
    return erasure_norm<K>(x_.tokens.k.row(t), x_.tokens.beta[t]) * largest_decay(x_.tokens.lambda[t]);
  }

  /// Row i of the state is what it reads.
  std::vector<K> unit_vector(std::size_t i) const {
    std::vector<K> unit(x_.S0.rows(), K(0));
    unit[i] = K(1);
    return unit;
  }

  /// What a computed state may differ by from the exact continuation of the computed one at the start.
  std::vector<double> likely_of_state() const {
    std::vector<double> likely(x_.S0.cols());
    for (std::size_t j = 0; j < likely.size(); ++j) likely[j] = likely_of(since_start_, j);
    return likely;
  }

  /// The columns' errors once a map of that norm has taken them along and added its own.
  void advance(double norm, RowError added) {
    RowError since_start = added;
    since_start.add(since_start_, norm);
    since_start_ = std::move(since_start);
    added.add(state_, norm);
    state_ = std::move(added);
  }

  void write_tokens() {
    Matrix<K> S = x_.S0;
    for (std::size_t t = 0; t < tokens(); ++t) {
      TokenBound<K> token(x_.tokens, t, S, likely_of_state(), units_);
      if (out_) write_token(t, token);
      advance(growth(t), token.column_error());
      S = token.take_state();
    }
  }

  void write_token(std::size_t t, const TokenBound<K>& token) {
    TokenRow<K> row = token.output();
    row.error.add(state_, row.before);
    write_output(t, token.output_value(), row.error);
    if (t + 1 == tokens()) write_state(token);
  }

  void write_state(const TokenBound<K>& last) {
    const std::size_t d = x_.S0.rows();
    for (std::size_t i = 0; i < d; ++i) {
      TokenRow<K> row = last.carry(unit_vector(i));
      row.error.add(state_, row.before);
      write_state_row(i, row.error);
    }
  }

  void write_chunks() {
    const auto length = static_cast<std::size_t>(case_.parameter("C"));
    Matrix<K> S = x_.S0;
    for (std::size_t begin = 0; begin < tokens(); begin += length) {
      const std::size_t end = std::min(begin + length, tokens());
      before_.push_back(state_);
      chunks_.emplace_back(chunk_factors(x_.tokens, begin, end, std::move(S)), likely_of_state(), units_);
      S = chunks_.back().factors().S_after;
      for (std::size_t t = begin; out_ && t < end; ++t) write_chunk_output(t, t - begin);
      leave_chunk(begin, end);
    }
  }

  /// Of the chunk that came last.
  void write_chunk_output(std::size_t t, std::size_t in_chunk) {
    const ChunkBound<K>& chunk = chunks_.back();
    ChunkRow<K> row = chunk.output(in_chunk);
    const std::size_t stride = std::max<std::size_t>(tokens() / followed_rows, 1);
    const bool whole = t + 1 == tokens() || t % stride == stride / 2;
    follow(row, whole ? chunks_.size() : chunks_to_follow(tokens()));
    std::vector<K> o(chunk.factors().o.row(in_chunk).begin(), chunk.factors().o.row(in_chunk).end());
    write_output(t, o, row.error);
  }

  /// For so many rows.
  std::size_t chunks_to_follow(std::size_t rows) const {
    const double C = case_.parameter("C"), d = static_cast<double>(x_.S0.rows()),
                 dv = static_cast<double>(x_.S0.cols());
    const double step = C * C + 3 * dv * (3 * C + 2 * d);
    const double allowed = units_.operand > 0x1p-20 ? operations_of_narrow : operations;
    return static_cast<std::size_t>(allowed / (static_cast<double>(rows) * step));
  }

  /// Takes a row of the last chunk back over so many chunks, if there are.
  void follow(ChunkRow<K>& row, std::size_t count) const {
    std::vector<K> g = row.before;
    std::size_t c = chunks_.size() - 1;
    for (; c > 0 && count > 0; --c, --count) {
      ChunkRow<K> earlier = chunks_[c - 1].carry(g);
      row.error.add(earlier.error);
      g = std::move(earlier.before);
    }
    row.error.add(before_[c], norm<K>(g));
  }

  /// The errors of the state after a chunk, and the last one's entries.
  void leave_chunk(std::size_t begin, std::size_t end) {
    const std::size_t d = x_.S0.rows(), dv = x_.S0.cols();
    RowError added(dv);
    double frobenius = 0, product = 1;
    for (std::size_t t = begin; t < end; ++t) product *= growth(t);
    for (std::size_t i = 0; i < d; ++i) {
      ChunkRow<K> row = chunks_.back().carry(unit_vector(i));
      frobenius += std::pow(norm<K>(row.before), 2);
      for (std::size_t j = 0; j < dv; ++j) {
        added.worst[j] += row.error.worst[j] * row.error.worst[j];
        added.one_sided[j] += row.error.one_sided[j] * row.error.one_sided[j];
        added.square[j] += row.error.square[j];
      }
      if (!out_ || end < tokens()) continue;
      follow(row, chunks_to_follow(d));
      write_state_row(i, row.error);
    }
    for (std::size_t j = 0; j < dv; ++j) {
      added.worst[j] = std::sqrt(added.worst[j]);
      added.one_sided[j] = std::sqrt(added.one_sided[j]);
    }
    advance(std::min(product, std::sqrt(frobenius)), added);
  }

  /// `o` is conj(o); an error bounds both components.
  void write_output(std::size_t t, const std::vector<K>& o, const RowError& error) {
    for_each_component("o", [&](Allowance& out, auto component) {
      const std::size_t at = row_offset(case_, n_, t, h_, o.size());
      for (std::size_t j = 0; j < o.size(); ++j) set_output(out, at + j, std::abs(component(o[j])), error, j);
    });
  }

  void set_output(Allowance& out, std::size_t at, double o, const RowError& error, std::size_t j) {
    const FloatFormat& format = float_format(contract_.output);
    const bool narrow = contract_.output != Format::f32;
    const double u_out = narrow ? format.unit_roundoff() : 0, eta_out = narrow ? format.eta() : 0;
    const double worst = enlarged_ * error.worst[j], likely = enlarged_ * likely_of(error, j);
    out.deterministic[at] = worst + u_out * (o + worst) + eta_out;
    out.statistical[at] = likely + u_out * (o + likely) + eta_out;
    if (narrow && likely <= u_out * o / 16) out.deviation[at] = rounding_deviation(format, o);
  }

  void write_state_row(std::size_t i, const RowError& error) {
    const std::size_t dv = error.worst.size(), d = x_.S0.rows();
    const std::size_t index = static_cast<std::size_t>(n_ * case_.sizes[Axis::head] + h_);
    for_each_component("S", [&](Allowance& out, auto) {
      for (std::size_t j = 0; j < dv; ++j) {
        const std::size_t at = (index * d + i) * dv + j;
        out.deterministic[at] = enlarged_ * error.worst[j];
        out.statistical[at] = enlarged_ * likely_of(error, j);
      }
    });
  }

  template <class Use>
  void for_each_component(const std::string& name, Use use) {
    if constexpr (DeltaUnits<K>::complex) {
      use(out_->at(name + "_re"), [](const K& x) { return x.re; });
      use(out_->at(name + "_im"), [](const K& x) { return x.im; });
    } else {
      use(out_->at(name), [](const K& x) { return x; });
    }
  }

  /// Covers the double arithmetic of the bound.
  static constexpr double enlarged_ = 1 + 0x1p-30;

  const Case& case_;
  const Contract& contract_;
  std::int64_t n_, h_;
  Head<K> x_;
  DeltaUnits<K> units_;
  RowError state_;        ///< of the columns of the state, in 2-norms
  RowError since_start_;  ///< of these, what came since the start
  std::vector<ChunkBound<K>> chunks_;
  std::vector<RowError> before_;  ///< what state_ was before each of them
  Allowances* out_;
  bool repeats_;
};

Allowances zero_allowances(const Case& c) {
  Allowances out;
  for (const TensorSpec& spec : c.op->tensors) {
    if (!is_output(spec.role)) continue;
    const std::vector<double> zeros(static_cast<std::size_t>(count_of(spec.shape(c.sizes))));
    out.emplace(spec.name, Allowance{.deterministic = zeros, .statistical = zeros, .deviation = zeros});
  }
  return out;
}

/// The errors of one state among those of all.
RowError error_of(std::span<const double> errors, std::size_t index, std::size_t dv) {
  RowError error(dv);
  if (errors.empty()) return error;
  const double* from = errors.subspan(3 * dv * index, 3 * dv).data();
  for (std::vector<double>* part : {&error.worst, &error.one_sided, &error.square})
    std::copy_n(std::exchange(from, from + dv), dv, part->begin());
  return error;
}

/// Bounds of all heads, if `out` is given, and the errors of their states at the end.
std::vector<double> bound_heads(const Case& c, const Contract& contract, std::span<const double> errors,
                                Allowances* out) {
  const auto dv = static_cast<std::size_t>(c.sizes[Axis::value]);
  const auto states = static_cast<std::size_t>(c.sequences() * c.sizes[Axis::head]);
  if (!errors.empty() && errors.size() != 3 * dv * states)
    throw std::invalid_argument(fmt::format("errors of {} states of {} columns in {} numbers: needs {}", states, dv,
                                            errors.size(), 3 * dv * states));
  std::vector<double> after;
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) {
      RowError start = error_of(errors, state_index(c, n, h), dv);
      const RowError error = is_complex(c) ? HeadBound<Cx<double>>(c, contract, n, h, std::move(start), out).write()
                                           : HeadBound<double>(c, contract, n, h, std::move(start), out).write();
      for (const std::vector<double>* part : {&error.worst, &error.one_sided, &error.square})
        after.insert(after.end(), part->begin(), part->end());
    }
  return after;
}

}  // namespace

Allowances attention_bound(const Case& c, const Contract& contract, const References&) {
  return window_bound(c, contract, {});
}

Allowances window_bound(const Case& window, const Contract& contract, std::span<const double> errors) {
  Allowances out = zero_allowances(window);
  bound_heads(window, contract, errors, &out);
  return out;
}

std::vector<double> errors_after_window(const Case& window, const Contract& contract, std::span<const double> errors) {
  return bound_heads(window, contract, errors, nullptr);
}

}  // namespace assay::sfda
