#include "oracle/sanatan/attention_bound.hpp"

#include "oracle/sanatan/scan_bound.hpp"

namespace assay::sanatan {
namespace {

Allowance empty_allowance(const Shape& shape) {
  const auto count = static_cast<std::size_t>(count_of(shape));
  return {std::vector<double>(count), std::vector<double>(count), std::vector<bool>(count)};
}

/// u and η of the rounding from float32 to the output's format; none for f32.
FloatFormat const* narrowing(const Contract& contract) {
  return contract.output == Format::f32 ? nullptr : &float_format(contract.output);
}

void write_row(const QuotientBound& row, std::size_t at, Allowance& o) {
  for (std::size_t j = 0; j < row.deterministic.size(); ++j) {
    o.deterministic[at + j] = row.deterministic[j];
    o.statistical[at + j] = row.statistical[j];
    o.degenerate[at + j] = !row.determined;
  }
}

void write_state(const ScanBound& scan, const Head<double>& x, std::size_t state, Allowances& out) {
  for (std::size_t f = 0; f < x.width(); ++f) {
    const std::size_t row = state * x.width() + f;
    out.at("z").deterministic[row] = scan.deterministic(f, x.dv);
    out.at("z").statistical[row] = scan.statistical(f, x.dv);
    for (std::size_t j = 0; j < x.dv; ++j) {
      out.at("S").deterministic[row * x.dv + j] = scan.deterministic(f, j);
      out.at("S").statistical[row * x.dv + j] = scan.statistical(f, j);
    }
  }
}

void bound_head(const Case& c, const Contract& contract, std::int64_t n, std::int64_t h, Allowances& out) {
  const Head<double> x = head_of<double>(c, n, h);
  const FeatureError q = query_error(x, c, contract), k = key_error(x, c, contract);
  const double eps_raw = c.parameter("normaliser") * c.parameter("eps");
  const FloatFormat* const narrow = narrowing(contract);
  const double height =
      contract.read_height > 0 ? static_cast<double>(contract.read_height) : static_cast<double>(x.width());
  ScanBound scan(x, height);
  for (std::size_t t = 0; t < x.T; ++t) {
    scan.update(k.phi.row(t), k.error.row(t), x.v.row(t));
    const ReadoutBound sums = scan.read(q.phi.row(t), q.error.row(t));
    write_row(quotient_bound(sums, eps_raw, narrow ? narrow->unit_roundoff() : 0, narrow ? narrow->eta() : 0),
              row_offset(c, n, t, h, x.dv), out.at("o"));
  }
  write_state(scan, x, static_cast<std::size_t>(n * c.sizes[Axis::head] + h), out);
}

}  // namespace

Allowances attention_bound(const Case& c, const Contract& contract, const References&) {
  Allowances out;
  for (const TensorSpec& spec : c.op->tensors)
    if (is_output(spec.role)) out.emplace(spec.name, empty_allowance(spec.shape(c.sizes)));
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) bound_head(c, contract, n, h, out);
  return out;
}

}  // namespace assay::sanatan
