#include "oracle/sas/select_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "arith/field_exponential.hpp"
#include "arith/inexact_flag.hpp"
#include "arith/multiprecision.hpp"
#include "oracle/certified_value.hpp"
#include "oracle/defined_value.hpp"
#include "oracle/exact_value.hpp"
#include "oracle/over_field.hpp"
#include "oracle/plain_arithmetic.hpp"
#include "oracle/rounding_units.hpp"
#include "oracle/sas/block_rows.hpp"
#include "oracle/sas/selection.hpp"
#include "oracle/steps.hpp"

namespace assay::sas {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class K>
K scale_of(const Case& c) {
  if constexpr (FieldElement<K>)
    return K(static_cast<std::int64_t>(c.parameter("scale")));
  else
    return K(c.parameter("scale"));
}

/// q, and the key of block m.
template <class K>
struct Factors {
  std::vector<K> q, k;
};

template <class K>
Factors<K> factors(const Case& c, const BlockRow& at, std::size_t m) {
  const auto d = static_cast<std::size_t>(c.sizes[Axis::feature]), H = static_cast<std::size_t>(c.sizes[Axis::head]);
  const std::size_t key = (at.sequence * static_cast<std::size_t>(c.sizes[Axis::block]) + m) * H + at.head;
  return {block_of<K>(c, "q", at.row, d), block_of<K>(c, "block_key", key, d)};
}

template <class K>
K score(const Case& c, const BlockRow& at, std::size_t m) {
  const Factors<K> x = factors<K>(c, at, m);
  return scale_of<K>(c) * dot<K>(x.q, x.k);
}

/// Zeros for scores and threshold, -inf where a score is of no block of the history.
References empty_scores(const Case& c) {
  References out = empty_references(c);
  out.erase("selected");
  std::ranges::fill(out.at("scores").hi, -infinity);
  return out;
}

/// τ, or what no score passes or fails where K is 0 or more than there are.
template <class Z>
Z threshold_of(std::span<const Z> s, std::size_t K, const Z& least) {
  return K == 0 ? Z(-least) : K > s.size() ? least : threshold(s, K);
}

std::size_t slots_of(const Case& c) { return static_cast<std::size_t>(c.sizes[Axis::slot]); }

void write_set(const BlockSet& blocks, std::size_t first, std::size_t slots, const auto& set) {
  for (std::size_t i = 0; i < slots; ++i) set(first + i, i < blocks.size() ? static_cast<double>(blocks[i]) : -1);
}

template <class F>
struct Signed {
  std::int64_t number;
  F element;

  friend bool operator<(const Signed& x, const Signed& y) { return x.number < y.number; }
  friend bool operator==(const Signed& x, const Signed& y) = default;
  Signed operator-() const { return {-number, -element}; }
};

template <class F>
Tensors over(const Case& c) {
  Tensors out = empty_outputs(c, c.element);
  const auto scores = out.at("scores").as<F>();
  const auto blocks = static_cast<std::size_t>(c.sizes[Axis::block]);
  const F least(F::order / 2 + 1);
  for_each_block_row(c, [&](const BlockRow& at) {
    std::vector<Signed<F>> s;
    for (std::size_t m = 0; m < at.history; ++m) {
      const F x = score<F>(c, at, m);
      s.push_back({signed_integer(x), x});
    }
    for (std::size_t m = 0; m < blocks; ++m) scores[at.row * blocks + m] = m < at.history ? s[m].element : least;
    const std::span<const Signed<F>> all(s);
    out.at("threshold").as<F>()[at.row] = threshold_of(all, slots_of(c), {signed_integer(least), least}).element;
    write_set(top_k(all, slots_of(c)), at.row * slots_of(c), slots_of(c),
              [&](std::size_t i, double m) { out.at("selected").set(static_cast<std::int64_t>(i), m); });
  });
  return out;
}

/// A number with what orders it.
struct Ranked {
  double value, order;

  Ranked(double x) : value(x), order(std::isnan(x) ? -infinity : x) {}
  friend bool operator<(const Ranked& x, const Ranked& y) { return x.order < y.order; }
  friend bool operator==(const Ranked& x, const Ranked& y) { return x.order == y.order; }
  Ranked operator-() const { return {-value}; }
};

/// Scores and threshold in the arithmetic R, each number stored by the `set` of it.
template <class R>
References scores_in(const Case& c) {
  References out = empty_scores(c);
  const auto blocks = static_cast<std::size_t>(c.sizes[Axis::block]);
  for_each_block_row(c, [&](const BlockRow& at) {
    std::vector<R> s;
    for (std::size_t m = 0; m < at.history; ++m) {
      s.push_back(score<R>(c, at, m));
      set(out.at("scores"), at.row * blocks + m, s.back());
    }
    set(out.at("threshold"), at.row, threshold_of(std::span<const R>(s), slots_of(c), R(-infinity)));
    double& radius = out.at("threshold").radius[at.row];
    if (std::isinf(out.at("threshold").hi[at.row])) radius = out.at("threshold").lo[at.row] = 0;
  });
  return out;
}

}  // namespace

References certified_scores(const Case& c) {
  if (c.standard == Standard::exact) return scores_in<FlaggedNumber>(c);
  References out = empty_scores(c);
  const auto blocks = static_cast<std::size_t>(c.sizes[Axis::block]);
  const double terms = 4 * static_cast<double>(c.sizes[Axis::feature] + 2) * 0x1p-106;
  for_each_block_row(c, [&](const BlockRow& at) {
    std::vector<DoubleDouble> s;
    double largest = 0;
    for (std::size_t m = 0; m < at.history; ++m) {
      const Factors<double> x = factors<double>(c, at, m);
      DoubleDouble sum(0);
      double size = 0;
      for (std::size_t f = 0; f < x.q.size(); ++f) {
        sum = sum + DoubleDouble(x.q[f] * x.k[f]);  // 48 bits
        size += std::abs(x.q[f] * x.k[f]);
      }
      const double radius = terms * size * std::abs(c.parameter("scale"));
      s.push_back(sum * c.parameter("scale"));
      set(out.at("scores"), at.row * blocks + m, {s.back(), radius});
      largest = std::max(largest, radius);
    }
    const DoubleDouble tau = threshold_of(std::span<const DoubleDouble>(s), slots_of(c), DoubleDouble(-infinity));
    set(out.at("threshold"), at.row, {tau, std::isinf(tau.hi) ? 0 : largest});
  });
  return out;
}

References scores_by_definition(const Case& c) { return scores_in<Mpfr50>(c); }

Allowances score_allowances(const Case& c, const Contract& contract, const References& truth) {
  Allowances out;
  for (const auto& [name, reference] : truth) {
    const std::vector<double> zeros(reference.hi.size());
    out.emplace(name, Allowance{.deterministic = zeros, .statistical = zeros});
  }
  const RoundingUnits units = rounding_units(contract);
  const double u = units.u, h = static_cast<double>(contract.score_height), scale = std::abs(c.parameter("scale"));
  const auto blocks = static_cast<std::size_t>(c.sizes[Axis::block]);
  for_each_block_row(c, [&](const BlockRow& at) {
    double largest = 0, likely = 0;
    for (std::size_t m = 0; m < at.history; ++m) {
      const Factors<double> x = factors<double>(c, at, m);
      double size = 0, squares = 0;
      for (std::size_t f = 0; f < x.q.size(); ++f) {
        size += std::abs(x.q[f] * x.k[f]);
        squares += x.q[f] * x.q[f] * x.k[f] * x.k[f];
      }
      const double eta = (static_cast<double>(x.q.size()) * scale + 1) * units.eta;
      const double z = std::abs(truth.at("scores").hi[at.row * blocks + m]),
                   last = u * (z + h * u * scale * size) + eta;
      const double D = (h * u * (1 + h * u) * scale * size + last) * (1 + 0x1p-40);
      const double P = std::min(D, (8 * std::sqrt(h) * u * scale * size + 2 * last) * (1 + 0x1p-40));
      out.at("scores").deterministic[at.row * blocks + m] = D;
      out.at("scores").statistical[at.row * blocks + m] = P;
      largest = std::max(largest, D);
      likely = std::max(likely, P);
    }
    out.at("threshold").deterministic[at.row] = largest;
    out.at("threshold").statistical[at.row] = likely;
  });
  return out;
}

std::pair<References, Allowances> selection_of_scores(const Case& c, const Contract&, const Tensors& returned) {
  References want = empty_references(c);
  want.erase("scores");
  Allowances allowed;
  for (const auto& [name, reference] : want) {
    const std::vector<double> zeros(reference.hi.size());
    allowed.emplace(name, Allowance{.deterministic = zeros, .statistical = zeros});
  }
  const auto blocks = static_cast<std::size_t>(c.sizes[Axis::block]);
  for_each_block_row(c, [&](const BlockRow& at) {
    std::vector<Ranked> s;
    for (std::size_t m = 0; m < at.history; ++m)
      s.emplace_back(returned.at("scores").value(static_cast<std::int64_t>(at.row * blocks + m)));
    const std::span<const Ranked> all(s);
    want.at("threshold").hi[at.row] = threshold_of(all, slots_of(c), Ranked(-infinity)).value;
    write_set(top_k(all, slots_of(c)), at.row * slots_of(c), slots_of(c),
              [&](std::size_t i, double m) { want.at("selected").hi[i] = m; });
  });
  return {want, allowed};
}

Tensors plain_selection(const Case& c, const Contract& contract, std::uint64_t order) {
  Tensors out;
  for (const char* name : {"scores", "threshold"})
    out.emplace(name, Tensor(Format::f32, c.op->find(name)->shape(c.sizes)));
  Draw draw(order, "order of sums", 0);
  const auto features = plain::shuffled(static_cast<std::size_t>(c.sizes[Axis::feature]), draw);
  const auto blocks = static_cast<std::size_t>(c.sizes[Axis::block]);
  for_each_block_row(c, [&](const BlockRow& at) {
    std::vector<float> s;
    for (std::size_t m = 0; m < blocks; ++m) {
      float& stored = out.at("scores").as<float>()[at.row * blocks + m];
      stored = -std::numeric_limits<float>::infinity();
      if (m >= at.history) continue;
      const Factors<float> x = factors<float>(c, at, m);
      plain::Accumulator sum(contract.product);
      for (const std::size_t f : features) sum.add(x.q[f], x.k[f]);
      stored = sum.value() * static_cast<float>(c.parameter("scale"));
      s.push_back(stored);
    }
    out.at("threshold").as<float>()[at.row] =
        threshold_of(std::span<const float>(s), slots_of(c), -std::numeric_limits<float>::infinity());
  });
  return out;
}

Tensors selection_over_field(const Case& c) {
  return over_element(c, [&]<class F>() { return over<F>(c); });
}

std::string rounding_of_scores(const Case& c, const Contract& contract) {
  std::string found;
  for_each_block_row(c, [&](const BlockRow& at) {
    for (std::size_t m = 0; m < at.history && found.empty(); ++m) {
      const Factors<double> x = factors<double>(c, at, m);
      FlaggedNumber sum(0.0);
      for (std::size_t f = 0; f < x.q.size(); ++f) sum += FlaggedNumber(x.q[f]) * FlaggedNumber(x.k[f]);
      const FlaggedNumber s = sum.summed(float_format(contract.accumulate)) * FlaggedNumber(c.parameter("scale"));
      if (s.rounded(float32_format).inexact()) found = fmt::format("score {} took a rounding", s.value());
    }
  });
  return found;
}

}  // namespace assay::sas
