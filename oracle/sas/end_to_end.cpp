#include "oracle/sas/end_to_end.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "oracle/row_products.hpp"
#include "oracle/sas/gradient_head.hpp"
#include "oracle/sas/gradients_bound.hpp"

namespace assay::sas {
namespace {

/// Beyond all that doubles lose here.
constexpr double safety = 1 + 0x1p-20;

/// D and P.
constexpr std::array kinds = {&Allowance::deterministic, &Allowance::statistical};

/// What errors of the stored o and L do to the gradients of sequence n and head h of keys, added to allowances.
class StoredErrors {
 public:
  StoredErrors(const Case& c, const Allowances& forward, std::int64_t n, std::int64_t h)
      : c_(c), of_o_(forward.at("o")), of_lse_(forward.at("lse")), n_(n), h_(h) {}

  void add(Allowances& out) const {
    for (std::int64_t g = 0; g < c_.sizes[Axis::group]; ++g) {
      const auto x = gradient_head_of<double>(c_, n_, h_, g);
      const BlockedRows q(x.forward.q), k(x.forward.k), v(x.forward.v), d_output(x.d_output);
      for (std::size_t t = 0; t < x.lse.size(); ++t) {
        if (x.lse[t] == -std::numeric_limits<double>::infinity()) continue;
        const RowError row = error_of(x, t);
        for (const KeyRange& range : x.forward.reads[t]) {
          const RowRange keys{range.begin, range.end};
          const Matrix<double> scores = row_products(q, {t, t + 1}, k, keys);
          const Matrix<double> along = row_products(d_output, {t, t + 1}, v, keys);
          for (std::size_t j = range.begin; j < range.end; ++j)
            add_pair(out, x, row, range, j, scores(0, j - range.begin), along(0, j - range.begin));
        }
      }
    }
  }

 private:
  struct RowError {
    std::size_t t;
    double delta = 0;
    std::array<double, kinds.size()> of_delta = {}, of_weights = {};  ///< of weights relative
  };

  RowError error_of(const GradientHead<double>& x, std::size_t t) const {
    const std::size_t row = x.forward.index[t], dv = x.o.cols();
    RowError e{t};
    for (std::size_t i = 0; i < dv; ++i) e.delta += x.d_output(t, i) * x.o(t, i);
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      e.of_weights[kind] = std::expm1((of_lse_.*kinds[kind])[row]);
      for (std::size_t i = 0; i < dv; ++i)
        e.of_delta[kind] += std::abs(x.d_output(t, i)) * (of_o_.*kinds[kind])[row * dv + i];
    }
    return e;
  }

  /// G5.
  void add_pair(Allowances& out, const GradientHead<double>& x, const RowError& e, const KeyRange& range, std::size_t j,
                double score, double along) const {
    const Head<double>& head = x.forward;
    const double gate = head.gate(e.t, range), factor = head.outside ? std::exp(gate) : 1, a = factor * along;
    const double p = std::exp(head.scale * score + (head.outside ? 0 : gate) - x.lse[e.t]) * safety;
    const std::size_t row = head.index[e.t], key = pair_index(c_, n_, j, h_), d = head.k.cols(), dv = head.v.cols();
    const bool sums_gates = range.gated && c_.op->uses(Axis::slot);
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      const auto at = [&](const char* name, std::size_t i) -> double& { return (out.at(name).*kinds[kind])[i]; };
      const double of_weight = p * e.of_weights[kind];
      const double of_ds = (p * e.of_delta[kind] + of_weight * (std::abs(a - e.delta) + e.of_delta[kind])) * safety;
      for (std::size_t f = 0; f < d; ++f) {
        at("dq", row * d + f) += std::abs(head.scale * head.k(j, f)) * of_ds;
        at("dk", key * d + f) += std::abs(head.scale * head.q(e.t, f)) * of_ds;
      }
      for (std::size_t i = 0; i < dv; ++i) at("dv", key * dv + i) += factor * of_weight * std::abs(x.d_output(e.t, i));
      if (sums_gates) {
        const auto blocks = static_cast<std::size_t>(c_.sizes[Axis::block]);
        at("d_log_gate", pair_index(c_, n_, e.t, h_) * blocks + range.block) +=
            head.outside ? of_weight * std::abs(a) : of_ds;
      }
    }
  }

  const Case& c_;
  const Allowance &of_o_, &of_lse_;
  std::int64_t n_, h_;
};

}  // namespace

Allowances end_to_end_bound(const Case& c, const Contract& contract, const References& truth,
                            const Allowances& forward) {
  Allowances out = gradients_bound(c, contract, truth);
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h)
      if (length_of(c, n) > 0) StoredErrors(c, forward, n, h).add(out);
  return out;
}

}  // namespace assay::sas
