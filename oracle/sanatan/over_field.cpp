#include "oracle/sanatan/over_field.hpp"

#include "oracle/certified_value.hpp"
#include "oracle/over_field.hpp"
#include "oracle/sanatan/attention.hpp"
#include "oracle/sanatan/head.hpp"
#include "oracle/sanatan/scores.hpp"

namespace assay::sanatan {
namespace {

/// N and D of the initial state: what a history adds to every row where p = 1.
template <class K>
void add_history(Readout<K>& sums, const Head<K>& x) {
  Readout<K> history{Matrix<K>(1, x.dv), std::vector<K>(1, K(0))};
  for (std::size_t t = 0; t < x.T; ++t) {
    read_row(history, 0, x.initial, x.phi_q.row(t));
    sums.denominator[t] += history.denominator[0];
    for (std::size_t j = 0; j < x.dv; ++j) sums.numerator(t, j) += history.numerator(0, j);
  }
}

template <class K>
void write_rows(const Case& c, std::int64_t n, std::int64_t h, const Matrix<K>& rows, Tensor& out) {
  for (std::size_t t = 0; t < rows.rows(); ++t)
    std::ranges::copy(rows.row(t),
                      out.as<K>().begin() + static_cast<std::ptrdiff_t>(row_offset(c, n, t, h, rows.cols())));
}

template <class K>
Matrix<K> as_column(const std::vector<K>& x) {
  Matrix<K> column(x.size(), 1);
  for (std::size_t t = 0; t < x.size(); ++t) column(t, 0) = x[t];
  return column;
}

template <class K>
void write_state(std::size_t index, const State<K>& state, Tensors& out) {
  const std::size_t width = state.S.rows(), dv = state.S.cols();
  for (std::size_t f = 0; f < width; ++f)
    std::ranges::copy(state.S.row(f),
                      out.at("S").as<K>().begin() + static_cast<std::ptrdiff_t>((index * width + f) * dv));
  std::ranges::copy(state.z, out.at("z").as<K>().begin() + static_cast<std::ptrdiff_t>(index * width));
}

template <class K>
Tensors by_definition(const Case& c) {
  Tensors out = empty_outputs(c, c.element);
  const WeightRule<K> rule{.power = static_cast<int>(c.parameter("p")),
                           .scale = K(static_cast<std::int64_t>(c.parameter("normaliser"))),
                           .epsilon = K(static_cast<std::int64_t>(c.parameter("eps")))};
  // Sums are left unscaled: ε takes the factor c^p instead, so that an initial state adds to them as it is.
  const WeightRule<K> raw{.power = rule.power, .scale = K(1), .epsilon = raw_epsilon(rule)};
  for (std::int64_t n = 0; n < c.sequences(); ++n) {
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) {
      const Head<K> x = head_of<K>(c, n, h);
      Readout<K> sums = weighted_sums(causal_weights(scores(x.phi_q, x.phi_k), raw), x.v);
      State<K> state = x.initial;
      if (rule.power == 1) add_history(sums, x);
      for (std::size_t t = 0; t < x.T; ++t) state = updated(std::move(state), x.phi_k.row(t), x.v.row(t));
      write_rows(c, n, h, normalised(sums, raw.epsilon), out.at("o"));
      write_rows(c, n, h, sums.numerator, out.at("N"));
      write_rows(c, n, h, as_column(sums.denominator), out.at("D"));
      write_state(state_index(c, n, h), state, out);
    }
  }
  return out;
}

}  // namespace

Tensors feature_attention_over_field(const Case& c) {
  return over_element(c, [&]<class F>() { return by_definition<F>(c); });
}

}  // namespace assay::sanatan
