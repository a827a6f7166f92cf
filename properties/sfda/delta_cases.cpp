#include "properties/sfda/delta_cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "arith/field_exponential.hpp"
#include "problem/case_mix.hpp"
#include "problem/operators/sfda.hpp"
#include "problem/values.hpp"

namespace assay::sfda {
namespace {

double uniform(Draw& draw) { return uniform_dyadic(draw, 23); }

template <std::size_t N>
double one_of(Draw& draw, const std::array<double, N>& options) {
  return options[draw.below(N)];
}

/// One of the options for all draws, or one a draw.
template <std::size_t N>
std::function<double(Draw&)> one_or_all(Draw& draw, const std::array<double, N>& options) {
  if (draw.below(2) == 0) return [options](Draw& d) { return one_of(d, options); };
  const double chosen = one_of(draw, options);
  return [chosen](Draw&) { return chosen; };
}

std::vector<Tensor*> planes(Case& c, const std::string& name) {
  std::vector<Tensor*> found;
  for (const char* plane : {"", "_re", "_im"})
    if (const auto it = c.inputs.find(name + plane); it != c.inputs.end()) found.push_back(&it->second);
  return found;
}

/// Keys [B, T, H, d], row by row over all planes.
void fill_keys(Case& c, Keys keys, Draw& draw) {
  const std::vector<Tensor*> k = planes(c, "k");
  const std::int64_t d = c.sizes[Axis::feature], rows = k.front()->count() / d;
  std::vector<double> row(static_cast<std::size_t>(d) * k.size());
  for (std::int64_t r = 0; r < rows; ++r) {
    if (keys != Keys::equal || r == 0) {
      const std::size_t hot = draw.below(row.size());
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = keys == Keys::one_hot ? i == hot : uniform(draw);
    }
    double square = 0;
    for (const double x : row) square += x * x;
    const double norm = keys == Keys::free || square == 0 ? 1 : std::sqrt(square);
    for (std::size_t i = 0; i < row.size(); ++i) {
      Tensor& plane = *k[i / static_cast<std::size_t>(d)];
      plane.set(r * d + static_cast<std::int64_t>(i) % d, shortened(row[i] / norm, plane.format()));
    }
  }
}

Case with_tensors(const Operator& op, const CaseSize& size, Format element, bool packed, bool resumed, Draw& draw) {
  using enum Axis;
  Case c;
  c.op = &op;
  c.element = element;
  c.sizes[batch] = packed ? 1 : size.batch;
  c.sizes[sequences] = size.batch;
  c.sizes[bounds] = size.batch + 1;
  c.sizes[Axis::time] = packed ? size.batch * size.tokens : size.tokens;
  c.sizes[head] = size.heads;
  c.sizes[feature] = size.feature;
  c.sizes[value] = size.value;
  add_tensors(c, [&](const TensorSpec& spec) { return spec.role == Role::bounds ? packed : resumed; });
  if (!packed) return c;
  std::span<std::int64_t> ends = c.inputs.at("cu_seqlens").as<std::int64_t>();
  for (std::int64_t n = 1; n < size.batch; ++n)
    ends[static_cast<std::size_t>(n)] =
        static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(c.sizes[time]) + 1));
  ends[static_cast<std::size_t>(size.batch)] = c.sizes[time];
  std::ranges::sort(ends);
  return c;
}

}  // namespace

std::span<const Operator* const> delta_operators() {
  static const std::array all = {&operators::sfda_attention(), &operators::kda_attention(),
                                 &operators::gated_delta_attention(), &operators::delta_attention()};
  return all;
}

DeltaInputs plain_inputs() {
  return {.beta = [](Draw& draw) { return std::abs(uniform(draw)); },
          .log_alpha = [](Draw& draw) { return -std::abs(uniform(draw)) / 32; },
          .theta = [](Draw& draw) { return 4 * uniform(draw); }};
}

DeltaInputs hard_inputs(Draw& draw) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double turn = std::ldexp(1.0, static_cast<int>(draw.below(41)));
  return {.keys = static_cast<Keys>(draw.below(4)),
          .beta = one_or_all(draw, std::array{0.0, 1.0, 2.0, 2.1, 0.3}),
          .log_alpha = one_or_all(draw, std::array{0.0, -1e-3, -10.0, -200.0, -infinity}),
          .theta = [turn](Draw& d) { return turn * uniform(d); },
          .value_scale = std::ldexp(1.0, static_cast<int>(draw.below(3)) * 60 - 60),
          .resumed = draw.below(2) == 0};
}

Case delta_case(const Operator& op, const CaseSize& size, const DeltaInputs& inputs, Draw& draw) {
  const bool packed = draw.below(3) == 0;
  Case c = with_tensors(op, size, draw.below(2) == 0 ? Format::f32 : Format::bf16, packed, inputs.resumed, draw);
  fill_keys(c, inputs.keys, draw);
  const auto fill_all = [&](const std::string& name, auto value) {
    for (Tensor* const tensor : planes(c, name)) fill(*tensor, [&](std::int64_t) { return value(draw); });
  };
  fill_all("q", uniform);
  for (const char* name : {"v", "S0"}) fill_all(name, [&](Draw& d) { return inputs.value_scale * uniform(d); });
  fill_all("beta", inputs.beta);
  fill_all("log_alpha", inputs.log_alpha);
  fill_all("theta", inputs.theta);
  return c;
}

Case delta_case_over_field(const Operator& op, Format field, const CaseSize& size, bool packed, Draw& draw) {
  Case c = with_tensors(op, size, field, packed, draw.below(2) == 0, draw);
  const auto fill_field = [&]<class F>(F) {
    for (auto& [name, tensor] : c.inputs) {
      if (tensor.format() == Format::i64) continue;
      const bool exponent = name == "log_alpha" || name == "theta";
      for (F& x : tensor.template as<F>()) {
        x = exponent ? F(static_cast<int>(draw.below(9))) : draw.element<F>();
        if (name == "log_alpha" && draw.below(4) == 0) x = field_log_of_zero<F>;
      }
    }
  };
  field == Format::gf61 ? fill_field(F61()) : fill_field(F31());
  return c;
}

}  // namespace assay::sfda
