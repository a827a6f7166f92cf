#include "oracle/sanatan/certified.hpp"

#include <cmath>
#include <limits>

#include "arith/double_double.hpp"

namespace assay::sanatan {
namespace {

constexpr double u2 = 0x1p-106;
constexpr double enlarged = 1 + 0x1p-40;

Matrix<double> absolute(const Matrix<double>& m) {
  Matrix<double> result = m;
  for (std::size_t t = 0; t < m.rows(); ++t)
    for (double& x : result.row(t)) x = std::abs(x);
  return result;
}

/// C2's sums over absolute values: N° and D°, and S° and z° at the end.
Run<double> absolute_sums(const Head<double>& x) {
  State<double> initial{absolute(x.initial.S), x.initial.z};
  for (double& z : initial.z) z = std::abs(z);
  return recurrence(absolute(x.phi_q), absolute(x.phi_k), absolute(x.v), initial);
}

void set(Reference& reference, std::size_t i, DoubleDouble value, double radius) {
  reference.hi[i] = value.hi;
  reference.lo[i] = value.lo;
  reference.radius[i] = radius * enlarged;
}

/// One head of the operator, written into the references.
class HeadCertificate {
 public:
  HeadCertificate(const Case& c, std::int64_t n, std::int64_t h, const WeightRule<DoubleDouble>& rule)
      : case_(c), n_(n), h_(h), x_(head_of<DoubleDouble>(c, n, h)), eps_raw_(raw_epsilon(rule)) {
    const Head<double> rounded = head_of<double>(c, n, h);
    sizes_ = absolute_sums(rounded);
    factor_ = (static_cast<double>(x_.T + x_.width()) + 2) * 8 * u2;
  }

  void write(References& out) const {
    const Run<DoubleDouble> run = recurrence(x_.phi_q, x_.phi_k, x_.v, x_.initial);
    for (std::size_t t = 0; t < x_.T; ++t) write_row(run.sums, t, out.at("o"));
    const auto state = static_cast<std::size_t>(n_ * case_.sizes[Axis::head] + h_);
    for (std::size_t f = 0; f < x_.width(); ++f) {
      const std::size_t row = state * x_.width() + f;
      set(out.at("z"), row, run.state.z[f], factor_ * sizes_.state.z[f]);
      for (std::size_t j = 0; j < x_.dv; ++j)
        set(out.at("S"), row * x_.dv + j, run.state.S(f, j), factor_ * sizes_.state.S(f, j));
    }
  }

 private:
  /// C3.
  void write_row(const Readout<DoubleDouble>& sums, std::size_t t, Reference& o) const {
    const DoubleDouble denominator = sums.denominator[t] + eps_raw_;
    const double dD = factor_ * sizes_.sums.denominator[t] + 8 * u2 * std::abs(eps_raw_.hi);
    const double least = denominator.hi - dD;
    const bool determined = denominator.hi >= 2 * dD && least > 0;
    for (std::size_t j = 0; j < x_.dv; ++j) {
      const DoubleDouble value = sums.numerator(t, j) / denominator;
      const double dN = factor_ * sizes_.sums.numerator(t, j);
      const double radius = (dN + std::abs(value.hi) * dD) / least + 10 * u2 * std::abs(value.hi);
      set(o, row_offset(case_, n_, t, h_, x_.dv) + j, value,
          determined ? radius : std::numeric_limits<double>::infinity());
    }
  }

  const Case& case_;
  std::int64_t n_, h_;
  Head<DoubleDouble> x_;
  DoubleDouble eps_raw_;
  Run<double> sizes_;
  double factor_;
};

Reference empty_reference(const Shape& shape) {
  const auto count = static_cast<std::size_t>(count_of(shape));
  return {shape, std::vector<double>(count), std::vector<double>(count), std::vector<double>(count)};
}

}  // namespace

References certified_attention(const Case& c) {
  References out;
  for (const TensorSpec& spec : c.op->tensors)
    if (is_output(spec.role)) out.emplace(spec.name, empty_reference(spec.shape(c.sizes)));
  const WeightRule<DoubleDouble> rule{.power = static_cast<int>(c.parameter("p")),
                                      .scale = DoubleDouble(c.parameter("normaliser")),
                                      .epsilon = DoubleDouble(c.parameter("eps"))};
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) HeadCertificate(c, n, h, rule).write(out);
  return out;
}

}  // namespace assay::sanatan
