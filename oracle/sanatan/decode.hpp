#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "oracle/matrix.hpp"
#include "oracle/sanatan/encoding.hpp"
#include "oracle/sanatan/features.hpp"
#include "oracle/sanatan/recurrence.hpp"
#include "oracle/scalar.hpp"
#include "oracle/steps.hpp"

namespace assay::sanatan {

/// One generated token: encode q and k at position t, write k and v into the state, read with q.
/// Source: [SANATAN] s3.4-3.5 eq. 9, [SANATAN-notes] s2.7.
/// θ_q, θ_k [1, d] are content angles, v [1, dv]; the result is the raw sums of one row and the state after the token.
/// Its cost does not depend on t.
/// Domain: a state of channels · d by dv. Error: that of the encoding, of one update and of one read.
template <class Angle, Scalar K, class Tanh = RealTanh, Steps<K> S = Exact>
Run<K> decode(Channels channels, const Matrix<Angle>& theta_q, const Matrix<Angle>& theta_k, const Matrix<K>& v,
              const AngleParameters<Angle, K>& head, std::int64_t t, State<K> state, const Tanh& tanh = {},
              const S& steps = {}) {
  const Matrix<K> phi_q = features(channels, encode(theta_q, head, t, tanh, steps), steps);
  const Matrix<K> phi_k = features(channels, encode(theta_k, head, t, tanh, steps), steps);
  require_shape(phi_q, 1, state.z.size(), "phi_q");
  require_shape(phi_k, 1, state.z.size(), "phi_k");
  require_shape(v, 1, state.S.cols(), "v");
  Run<K> run{{Matrix<K>(1, v.cols()), std::vector<K>(1, K(0))}, std::move(state)};
  run.state = updated(std::move(run.state), phi_k.row(0), v.row(0), steps);
  read_row(run.sums, 0, run.state, phi_q.row(0), steps);
  return run;
}

}  // namespace assay::sanatan
