#include "oracle/sfda/over_field.hpp"

#include <vector>

#include <fmt/format.h>

#include "arith/field_exponential.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/delta_cases.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

/// The delta rule in scalars, straight from eq. 13 and the shapes of the tensors: nothing of the oracle's.
template <class F>
class PlainLoop {
 public:
  explicit PlainLoop(const Case& c)
      : c_(c),
        complex_(c.has("q_re")),
        H_(c.sizes[Axis::head]),
        d_(c.sizes[Axis::feature]),
        dv_(c.sizes[Axis::value]) {}

  /// Compares every element of o and S.
  Outcome compare(const Tensors& got) const {
    for (std::int64_t n = 0; n < c_.sizes[Axis::sequences]; ++n)
      for (std::int64_t h = 0; h < H_; ++h)
        if (Outcome head = compare_head(got, n, h); head.kind != Outcome::Kind::holds) return head;
    return Outcome::holds();
  }

 private:
  struct Number {
    F re, im;
  };

  Outcome compare_head(const Tensors& got, std::int64_t n, std::int64_t h) const {
    std::vector<Number> S(static_cast<std::size_t>(d_ * dv_), {F(0), F(0)});
    for (std::int64_t i = 0; i < d_ * dv_; ++i)
      if (c_.has(complex_ ? "S0_re" : "S0")) S[static_cast<std::size_t>(i)] = at("S0", (n * H_ + h) * d_ * dv_ + i);
    const auto [begin, end] = stretch(n);
    for (std::int64_t token = begin; token < end; ++token) {
      const std::int64_t row = token * H_ + h;
      for (std::int64_t j = 0; j < dv_; ++j) {
        advance(S, row, j);
        if (Outcome o = same(got, "o", row * dv_ + j, read(S, row, j)); o.kind != Outcome::Kind::holds) return o;
      }
    }
    for (std::int64_t i = 0; i < d_ * dv_; ++i)
      if (Outcome s = same(got, "S", (n * H_ + h) * d_ * dv_ + i, S[static_cast<std::size_t>(i)]);
          s.kind != Outcome::Kind::holds)
        return s;
    return Outcome::holds();
  }

  std::pair<std::int64_t, std::int64_t> stretch(std::int64_t n) const {
    if (!c_.has("cu_seqlens")) return {n * c_.sizes[Axis::time], (n + 1) * c_.sizes[Axis::time]};
    const auto ends = c_.inputs.at("cu_seqlens").as<std::int64_t>();
    return {ends[static_cast<std::size_t>(n)], ends[static_cast<std::size_t>(n) + 1]};
  }

  /// Column j of S: s_i = lambda_i s_i - beta k_i sum_m conj(k_m) lambda_m s_m + beta k_i conj(v_j).
  void advance(std::vector<Number>& S, std::int64_t row, std::int64_t j) const {
    Number held{F(0), F(0)};
    for (std::int64_t i = 0; i < d_; ++i) {
      Number& s = S[static_cast<std::size_t>(i * dv_ + j)];
      const Number l = lambda(row, i), k = at("k", row * d_ + i);
      s = {l.re * s.re - l.im * s.im, l.re * s.im + l.im * s.re};
      held = {held.re + k.re * s.re + k.im * s.im, held.im + k.re * s.im - k.im * s.re};
    }
    const F beta = real("beta", row);
    const Number v = at("v", row * dv_ + j), w{beta * (v.re - held.re), beta * (-v.im - held.im)};
    for (std::int64_t i = 0; i < d_; ++i) {
      Number& s = S[static_cast<std::size_t>(i * dv_ + j)];
      const Number k = at("k", row * d_ + i);
      s = {s.re + k.re * w.re - k.im * w.im, s.im + k.re * w.im + k.im * w.re};
    }
  }

  /// sum_i conj(S_ij) q_i.
  Number read(const std::vector<Number>& S, std::int64_t row, std::int64_t j) const {
    Number o{F(0), F(0)};
    for (std::int64_t i = 0; i < d_; ++i) {
      const Number s = S[static_cast<std::size_t>(i * dv_ + j)], q = at("q", row * d_ + i);
      o = {o.re + s.re * q.re + s.im * q.im, o.im + s.re * q.im - s.im * q.re};
    }
    return o;
  }

  /// alpha = 7^log_alpha, or 0; the phase is (3 + 4i)/5 multiplied by itself theta times.
  Number lambda(std::int64_t row, std::int64_t i) const {
    Number l{F(1), F(0)};
    if (const auto it = c_.inputs.find("log_alpha"); it != c_.inputs.end()) {
      const bool by_dimension = it->second.shape().size() == 4;
      const F exponent = it->second.template as<F>()[static_cast<std::size_t>(by_dimension ? row * d_ + i : row)];
      if (exponent == F(-1)) return {F(0), F(0)};
      for (std::uint64_t n = 0; n < exponent.value(); ++n) l.re = l.re * F(7);
    }
    if (!complex_) return l;
    for (std::uint64_t n = 0; n < real("theta", row * d_ + i).value(); ++n)
      l = {(l.re * F(3) - l.im * F(4)) / F(5), (l.re * F(4) + l.im * F(3)) / F(5)};
    return l;
  }

  F real(const std::string& name, std::int64_t i) const {
    return c_.inputs.at(name).template as<F>()[static_cast<std::size_t>(i)];
  }
  Number at(const std::string& name, std::int64_t i) const {
    return complex_ ? Number{real(name + "_re", i), real(name + "_im", i)} : Number{real(name, i), F(0)};
  }

  Outcome same(const Tensors& got, const std::string& name, std::int64_t i, const Number& want) const {
    const auto plane = [&](const std::string& tensor, const F& x) {
      return assay::same(fmt::format("{} {}[{}]", c_.op->name, tensor, i),
                         got.at(tensor).template as<F>()[static_cast<std::size_t>(i)], x);
    };
    if (!complex_) return plane(name, want.re);
    const Outcome re = plane(name + "_re", want.re);
    return re.kind == Outcome::Kind::holds ? plane(name + "_im", want.im) : re;
  }

  const Case& c_;
  bool complex_;
  std::int64_t H_, d_, dv_;
};

template <class F>
Check over(Format field) {
  return {arithmetic_name<F>(), log2_order<F>(), [field](Draw& draw) {
            const Operator& op = *draw.pick("operator", delta_operators());
            const CaseSize size{draw.size("B", 1, 2), draw.size("T", 0, 5), draw.size("H", 1, 2), draw.size("d", 1, 4),
                                draw.size("dv", 1, 3)};
            const Case c = delta_case_over_field(op, field, size, draw.below(2) == 0, draw);
            return try_once([&] { return PlainLoop<F>(c).compare(delta_rule_over_field(c)); });
          }};
}

}  // namespace

std::vector<Law> sfda_over_field_laws() {
  // Up to ten tokens of degree 3 each (beta, k, k*), then S_0 or v, and q; decays and phases are numbers.
  constexpr std::uint32_t degree = 10 * 3 + 2;
  return {{"sfda.definition_over_fields_is_the_recurrence",
           "outputs over fields equal a loop over scalars: packed or not, resumed or not, real and complex",
           "[SFDA] eq. 13",
           Proof::by_evaluation,
           degree,
           64,
           {over<F61>(Format::gf61), over<F31>(Format::gf31)}}};
}

}  // namespace assay
