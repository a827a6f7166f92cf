#include "oracle/sanatan/head.hpp"

namespace assay::sanatan {
namespace {

using enum Axis;

/// Rows of sequence n and head h of a tensor [B, T, H, width].
std::vector<double> rows_of(const Case& c, std::string_view name, std::int64_t n, std::int64_t h, std::size_t width) {
  const auto it = c.inputs.find(name);
  if (it == c.inputs.end()) return {};
  const auto [begin, end] = c.tokens_of(n);
  std::vector<double> rows;
  rows.reserve(static_cast<std::size_t>(end - begin) * width);
  for (std::int64_t t = 0; t < end - begin; ++t) {
    const std::size_t start = row_offset(c, n, t, h, width);
    for (std::size_t i = 0; i < width; ++i) rows.push_back(it->second.value(static_cast<std::int64_t>(start + i)));
  }
  return rows;
}

/// Block `index` of `count` elements; zeros if the case has no such tensor.
std::vector<double> block_of(const Case& c, std::string_view name, std::int64_t index, std::size_t count) {
  std::vector<double> block(count, 0.0);
  if (const auto it = c.inputs.find(name); it != c.inputs.end())
    for (std::size_t i = 0; i < count; ++i)
      block[i] = it->second.value(index * static_cast<std::int64_t>(count) + static_cast<std::int64_t>(i));
  return block;
}

}  // namespace

std::size_t row_offset(const Case& c, std::int64_t n, std::int64_t t, std::int64_t h, std::size_t width) {
  return static_cast<std::size_t>((c.tokens_of(n).first + t) * c.sizes[head] + h) * width;
}

Head head_of(const Case& c, std::int64_t n, std::int64_t h) {
  Head x;
  const auto [begin, end] = c.tokens_of(n);
  x.T = static_cast<std::size_t>(end - begin);
  x.d = static_cast<std::size_t>(c.sizes[feature]);
  x.dv = static_cast<std::size_t>(c.sizes[value]);
  x.channels = static_cast<std::size_t>(c.sizes[channel]);
  x.t0 = c.has("t0") ? c.inputs.at("t0").as<std::int64_t>()[static_cast<std::size_t>(n)] : 0;
  x.q = rows_of(c, "q", n, h, x.d);
  x.k = rows_of(c, "k", n, h, x.d);
  x.phi_q = rows_of(c, "phi_q", n, h, x.width());
  x.phi_k = rows_of(c, "phi_k", n, h, x.width());
  x.v = rows_of(c, "v", n, h, x.dv);
  x.omega = block_of(c, "omega", h, x.d);
  x.lambda = block_of(c, "lambda", h, x.d);
  x.S0 = block_of(c, "S0", n * c.sizes[head] + h, x.width() * x.dv);
  x.z0 = block_of(c, "z0", n * c.sizes[head] + h, x.width());
  return x;
}

}  // namespace assay::sanatan
