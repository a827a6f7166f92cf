#include "oracle/sanatan/by_definition.hpp"

#include "arith/multiprecision.hpp"
#include "oracle/certified_value.hpp"
#include "oracle/defined_value.hpp"
#include "oracle/sanatan/encoding.hpp"
#include "oracle/sanatan/features.hpp"
#include "oracle/sanatan/head.hpp"
#include "oracle/sanatan/recurrence.hpp"
#include "oracle/sanatan/squash.hpp"

namespace assay::sanatan {
namespace {

using K = Mpfr50;

Matrix<K> angles_of(const Matrix<K>& x) {
  const K pi = 4 * atan(K(1));
  Matrix<K> theta(x.rows(), x.cols());
  for (std::size_t t = 0; t < x.rows(); ++t)
    for (std::size_t a = 0; a < x.cols(); ++a) theta(t, a) = squash(x(t, a), K(abs(x(t, a))), pi);
  return theta;
}

Matrix<K> features_of(const Case& c, const Head<K>& head, const Matrix<K>& x) {
  const AngleParameters<K, K> parameters{head.omega, head.lambda, K(c.parameter("gamma"))};
  return features(static_cast<Channels>(head.channels), encode(angles_of(x), parameters, head.t0));
}

void write_state(const Case& c, std::int64_t n, std::int64_t h, const State<K>& state, References& out) {
  const auto index = state_index(c, n, h);
  const std::size_t features = state.z.size(), dv = state.S.cols();
  for (std::size_t f = 0; f < features; ++f) {
    set(out.at("z"), index * features + f, state.z[f]);
    for (std::size_t j = 0; j < dv; ++j) set(out.at("S"), (index * features + f) * dv + j, state.S(f, j));
  }
}

void write_head(const Case& c, std::int64_t n, std::int64_t h, References& out) {
  const Head<K> x = head_of<K>(c, n, h);
  const bool given = c.has("phi_q");
  const Run<K> run =
      recurrence(given ? x.phi_q : features_of(c, x, x.q), given ? x.phi_k : features_of(c, x, x.k), x.v, x.initial);
  const Matrix<K> o = normalised(run.sums, K(c.parameter("normaliser")) * K(c.parameter("eps")));
  for (std::size_t t = 0; t < x.T; ++t) {
    const std::size_t row = row_offset(c, n, t, h, 1);
    set(out.at("D"), row, run.sums.denominator[t]);
    for (std::size_t j = 0; j < x.dv; ++j) {
      set(out.at("N"), row * x.dv + j, run.sums.numerator(t, j));
      set(out.at("o"), row * x.dv + j, o(t, j));
    }
  }
  write_state(c, n, h, run.state, out);
}

}  // namespace

References attention_by_definition(const Case& c) {
  References out = empty_references(c);
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) write_head(c, n, h, out);
  return out;
}

}  // namespace assay::sanatan
