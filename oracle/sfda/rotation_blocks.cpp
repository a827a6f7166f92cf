#include "oracle/sfda/rotation_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "arith/inexact_flag.hpp"
#include "oracle/certified_value.hpp"
#include "oracle/defined_value.hpp"
#include "oracle/over_field.hpp"
#include "oracle/sfda/attention_bound.hpp"
#include "oracle/sfda/certified.hpp"
#include "oracle/sfda/given_maps.hpp"
#include "oracle/sfda/pair_head.hpp"
#include "oracle/sfda/plain.hpp"
#include "problem/operators/sfda.hpp"

namespace assay::sfda {
namespace {

/// Which elements of the complex case's outputs are those of the pairs' operator: o, S_x and S_y from o_re, S_re and
/// S_im, whose first d of 2d rows are s.
struct Origin {
  const char *name, *complex_name;
  bool is_state;
};
constexpr Origin origins[] = {{"o", "o_re", false}, {"S_x", "S_re", true}, {"S_y", "S_im", true}};

/// The elements of an output taken from one of the complex case.
template <class T>
std::vector<T> taken(const Case& c, const Origin& origin, const std::vector<T>& from) {
  if (!origin.is_state || from.empty()) return from;
  const auto rows = static_cast<std::size_t>(c.sizes[Axis::feature] * c.sizes[Axis::value]);
  std::vector<T> result;
  for (std::size_t state = 0; state * 2 * rows < from.size(); ++state)
    result.insert(result.end(), from.begin() + static_cast<std::ptrdiff_t>(2 * state * rows),
                  from.begin() + static_cast<std::ptrdiff_t>((2 * state + 1) * rows));
  return result;
}

const TensorSpec& spec_of(const Case& c, const Origin& origin) { return *c.op->find(origin.name); }

/// Writes element(row, i) in 2d columns: first(i) and then second(i) of the d columns of `from`.
template <class First, class Second>
void double_columns(const Tensor& from, std::size_t width, Tensor& to, First first, Second second) {
  for (std::int64_t at = 0; at < from.count(); ++at) {
    const auto w = static_cast<std::int64_t>(width);
    const std::int64_t row = at / w, i = at % w;
    const double x = from.value(at);
    to.set(row * 2 * w + i, first(x));
    to.set(row * 2 * w + w + i, second(x));
  }
}

double same(double x) { return x; }
double opposite(double x) { return -x; }
double half(double x) { return x / 2; }
double opposite_half(double x) { return -x / 2; }

/// Numbers of one head that a scan rounds nowhere.
class PairDemands {
 public:
  using Number = FlaggedNumber;

  PairDemands(const Contract& contract, PairHead<Number> head)
      : contract_(contract), x_(std::move(head.tokens)), S_(std::move(head.S0)) {}

  std::string find() {
    for (std::size_t t = 0; t < x_.length() && found_.empty(); ++t) take_token(t);
    return found_;
  }

 private:
  Number finished(std::string_view name, std::size_t t, const Number& sum, const FloatFormat& format = float32_format) {
    const Number whole = sum.summed(float32_format).rounded(format);
    if (whole.inexact() && found_.empty()) found_ = fmt::format("{} = {} at token {} is rounded", name, sum.value(), t);
    return Number(whole.value());
  }

  void take_token(std::size_t t) {
    Matrix<Number> bar = x_.lambda[t].times(S_);
    for (std::size_t j = 0; j < S_.cols(); ++j) {
      Number held(0), read(0);
      for (std::size_t i = 0; i < S_.rows(); ++i) {
        bar(i, j) = finished("lambda S", t, bar(i, j));
        held = held + bar(i, j) * x_.k(t, i);
      }
      const Number missing = finished("v - p", t, x_.v(t, j) - finished("p", t, held));
      const Number u = finished("u", t, x_.beta[t] * missing);
      for (std::size_t i = 0; i < S_.rows(); ++i) {
        S_(i, j) = finished("S", t, bar(i, j) + x_.k(t, i) * u);
        read = read + S_(i, j) * x_.q(t, i);
      }
      finished("o", t, read, float_format(contract_.output));
    }
  }

  const Contract& contract_;
  Tokens<Number, PairBlocks<Number>> x_;
  Matrix<Number> S_;
  std::string found_;
};

template <class F>
Tensors over(const Case& c) {
  Tensors out;
  for (const Origin& origin : origins) out.emplace(origin.name, Tensor(c.element, spec_of(c, origin).shape(c.sizes)));
  for_every_head(c, [&](std::int64_t n, std::int64_t h) {
    const PairHead<F> x = pair_head_of<F>(c, n, h);
    put_pair_run(c, n, h, recurrence(x.tokens, x.S0),
                 [&](const std::string& name, std::size_t at, const F& value) { out.at(name).as<F>()[at] = value; });
  });
  return out;
}

}  // namespace

Case in_conjugate_pairs(const Case& c) {
  Case complex{.op = &operators::sfda_attention(),
               .sizes = c.sizes,
               .parameters = c.parameters,
               .family = c.family,
               .seed = c.seed,
               .element = Format::f32,
               .standard = c.standard,
               .inputs = {}};
  const auto d = static_cast<std::size_t>(c.sizes[Axis::feature]);
  complex.sizes[Axis::feature] *= 2;
  for (const TensorSpec& spec : complex.op->tensors) {
    const bool wanted =
        !is_output(spec.role) && (!spec.optional || (spec.role == Role::bounds && c.has("cu_seqlens")) ||
                                  (spec.role == Role::initial_state && c.has("S0_x")));
    if (wanted)
      complex.inputs.emplace(spec.name, Tensor(complex.format_of(spec, Format::f32), spec.shape(complex.sizes)));
  }
  const auto twice = [&](const char* from, const char* to, auto first, auto second, std::size_t width) {
    double_columns(c.inputs.at(from), width, complex.inputs.at(to), first, second);
  };
  twice("q_x", "q_re", half, half, d);
  twice("q_y", "q_im", half, opposite_half, d);
  twice("k_x", "k_re", same, same, d);
  twice("k_y", "k_im", same, opposite, d);
  twice("log_alpha", "log_alpha", same, same, d);
  twice("theta", "theta", same, opposite, d);
  const Tensor &v = c.inputs.at("v"), &beta = c.inputs.at("beta");
  for (std::int64_t i = 0; i < v.count(); ++i) complex.inputs.at("v_re").set(i, 2 * v.value(i));
  for (std::int64_t i = 0; i < beta.count(); ++i) complex.inputs.at("beta").set(i, beta.value(i) / 2);
  if (c.has("cu_seqlens")) complex.inputs.at("cu_seqlens") = c.inputs.at("cu_seqlens");
  if (c.has("S0_x")) {
    const std::size_t rows = d * static_cast<std::size_t>(c.sizes[Axis::value]);
    twice("S0_x", "S0_re", same, same, rows);
    twice("S0_y", "S0_im", same, opposite, rows);
  }
  return complex;
}

References certified_rotation_blocks(const Case& c) {
  const References complex = certified_delta_rule(in_conjugate_pairs(c));
  References out;
  for (const Origin& origin : origins) {
    const Reference& from = complex.at(origin.complex_name);
    out.emplace(origin.name, Reference{spec_of(c, origin).shape(c.sizes), taken(c, origin, from.hi),
                                       taken(c, origin, from.lo), taken(c, origin, from.radius)});
  }
  return out;
}

References rotation_blocks_by_definition(const Case& c) {
  References out = empty_references(c);
  for_every_head(c, [&](std::int64_t n, std::int64_t h) {
    const PairHead<Mpfr50> x = pair_head_of<Mpfr50>(c, n, h);
    put_pair_run(c, n, h, recurrence(x.tokens, x.S0),
                 [&](const std::string& name, std::size_t at, const Mpfr50& value) { set(out.at(name), at, value); });
  });
  return out;
}

Tensors rotation_blocks_over_field(const Case& c) {
  return over_element(c, [&]<class F>() { return over<F>(c); });
}

Allowances rotation_blocks_bound(const Case& c, const Contract& contract, const References&) {
  const Allowances complex = attention_bound(in_conjugate_pairs(c), contract, {});
  Allowances out;
  for (const Origin& origin : origins) {
    const Allowance& from = complex.at(origin.complex_name);
    Allowance allowance{.deterministic = taken(c, origin, from.deterministic),
                        .statistical = taken(c, origin, from.statistical),
                        .deviation = taken(c, origin, from.deviation)};
    for (std::size_t i = 0; i < allowance.statistical.size(); ++i)
      allowance.statistical[i] = std::min(allowance.deterministic[i], std::sqrt(2.0) * allowance.statistical[i]);
    out.emplace(origin.name, std::move(allowance));
  }
  return out;
}

Tensors plain_rotation_blocks(const Case& c, const Contract& contract, std::uint64_t order) {
  const Tensors complex = plain_attention(in_conjugate_pairs(c), contract, order);
  Tensors out;
  for (const Origin& origin : origins) {
    const Tensor& from = complex.at(origin.complex_name);
    std::vector<double> values(static_cast<std::size_t>(from.count()));
    from.copy_values(0, values);
    values = taken(c, origin, values);
    Tensor& to = out.emplace(origin.name, Tensor(from.format(), spec_of(c, origin).shape(c.sizes))).first->second;
    for (std::size_t i = 0; i < values.size(); ++i) to.set(static_cast<std::int64_t>(i), values[i]);
  }
  return out;
}

std::string rounding_of_rotation_blocks(const Case& c, const Contract& contract) {
  std::string found;
  for_every_head(c, [&](std::int64_t n, std::int64_t h) {
    if (found.empty()) found = PairDemands(contract, pair_head_of<FlaggedNumber>(c, n, h)).find();
  });
  return found;
}

}  // namespace assay::sfda
