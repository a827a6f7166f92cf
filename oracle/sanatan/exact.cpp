#include "oracle/sanatan/exact.hpp"

#include "arith/inexact_flag.hpp"
#include "oracle/certified_value.hpp"
#include "oracle/exact_value.hpp"
#include "oracle/sanatan/attention.hpp"
#include "oracle/sanatan/head.hpp"
#include "oracle/sanatan/scores.hpp"

namespace assay::sanatan {
namespace {

using Number = FlaggedNumber;

void write_rows(const Case& c, std::int64_t n, std::int64_t h, const Matrix<Number>& rows, Reference& o) {
  for (std::size_t t = 0; t < rows.rows(); ++t)
    for (std::size_t j = 0; j < rows.cols(); ++j) set(o, row_offset(c, n, t, h, rows.cols()) + j, rows(t, j));
}

void write_state(std::size_t index, const State<Number>& state, References& out) {
  for (std::size_t f = 0; f < state.S.rows(); ++f) {
    const std::size_t row = index * state.S.rows() + f;
    set(out.at("z"), row, state.z[f]);
    for (std::size_t j = 0; j < state.S.cols(); ++j) set(out.at("S"), row * state.S.cols() + j, state.S(f, j));
  }
}

}  // namespace

References exact_attention(const Case& c) {
  References out = empty_references(c);
  const WeightRule<Number> rule{.power = static_cast<int>(c.parameter("p")),
                                .scale = Number(c.parameter("normaliser")),
                                .epsilon = Number(c.parameter("eps"))};
  const bool by_state = has_finite_state(c);
  if (!by_state)
    for (const char* name : {"S", "z", "N", "D"}) out.erase(name);
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) {
      const Head<Number> x = head_of<Number>(c, n, h);
      if (by_state) {
        const Run<Number> run = recurrence(x.phi_q, x.phi_k, x.v, x.initial);
        write_rows(c, n, h, normalised(run.sums, raw_epsilon(rule)), out.at("o"));
        write_rows(c, n, h, run.sums.numerator, out.at("N"));
        for (std::size_t t = 0; t < x.T; ++t) set(out.at("D"), row_offset(c, n, t, h, 1), run.sums.denominator[t]);
        write_state(state_index(c, n, h), run.state, out);
      } else {
        Matrix<Number> s = scores(x.phi_q, x.phi_k);
        if (x.channels == 4) s = clipped(s, open_scores(s));
        write_rows(c, n, h, attention(s, x.v, rule), out.at("o"));
      }
    }
  return out;
}

}  // namespace assay::sanatan
