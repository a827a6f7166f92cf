#include "oracle/sas/gradients_defined.hpp"

#include <cmath>
#include <limits>

#include "arith/multiprecision.hpp"
#include "oracle/certified_value.hpp"
#include "oracle/defined_value.hpp"
#include "oracle/over_field.hpp"
#include "oracle/sas/attention_gradients.hpp"
#include "oracle/sas/gradient_head.hpp"
#include "oracle/sas/terms_read.hpp"

namespace assay::sas {
namespace {

/// Whether a row of this stored L has weights.
template <class K>
bool has_weights(const K& lse) {
  if constexpr (FieldElement<K>)
    return lse != K(0);
  else
    return lse != K(-std::numeric_limits<double>::infinity());
}

template <class Z>
struct DefinedHead {
  RowWeights<PowerOf<Z>> weights;
  AttentionGradients<PowerOf<Z>> gradients;
};

template <class Z>
DefinedHead<Z> defined(const GradientHead<PowerOf<Z>>& x) {
  using K = PowerOf<Z>;
  const std::size_t n = x.forward.queries();
  std::vector<std::vector<Term<Z>>> rows(n);
  std::vector<Z> lse;
  for (std::size_t t = 0; t < n; ++t) {
    if (has_weights(x.lse[t])) rows[t] = terms_read<Z>(x.forward, t);
    if constexpr (FieldElement<K>)
      lse.push_back({x.lse[t]});
    else
      lse.push_back(x.lse[t]);
  }
  DefinedHead<Z> head;
  head.weights = recomputed_weights<Z>(rows, lse, x.forward.k.rows());
  const std::vector<K> zeros(n, K(0));
  const std::vector<K> deltas = row_deltas<K>(x.o, x.d_output, zeros);
  head.gradients =
      attention_gradients<K>(x.forward.q, x.forward.k, x.forward.v, x.forward.scale, head.weights, deltas, x.d_output);
  return head;
}

/// Calls add(output, element, value) for every term of every gradient: of what heads share there is one a head.
template <class Z, class Add>
void for_each_gradient(const Case& c, Add add) {
  using K = PowerOf<Z>;
  const auto add_row = [&](const char* name, std::size_t row, const Matrix<K>& m, std::size_t t) {
    for (std::size_t i = 0; i < m.cols(); ++i) add(name, row * m.cols() + i, m(t, i));
  };
  for_each_head(c, [&](std::int64_t n, std::int64_t h, std::int64_t g) {
    const auto x = gradient_head_of<K>(c, n, h, g);
    const DefinedHead<Z> head = defined<Z>(x);
    std::vector<QueryPlace> places;
    for (std::size_t t = 0; t < x.forward.queries(); ++t) {
      add_row("dq", x.forward.index[t], head.gradients.q, t);
      add_row("dk", pair_index(c, n, t, h), head.gradients.k, t);
      add_row("dv", pair_index(c, n, t, h), head.gradients.v, t);
      if (c.op->uses(Axis::slot)) places.push_back({t, static_cast<std::size_t>(c.parameter("b"))});
    }
    if (places.empty()) return;
    const Matrix<K> gates = log_gate_gradients(head.gradients, head.weights,
                                               x.forward.outside ? GatePosition::outer : GatePosition::inner, places);
    const auto blocks = static_cast<std::size_t>(c.sizes[Axis::block]);
    for (std::size_t t = 0; t < places.size(); ++t)
      for (std::size_t m = 0; m < gates.cols(); ++m)
        add("d_log_gate", pair_index(c, n, t, h) * blocks + m, gates(t, m));
  });
}

template <class F>
Tensors over(const Case& c) {
  Tensors out = empty_outputs(c, c.element);
  for_each_gradient<Logarithm<F>>(c, [&](const char* name, std::size_t i, const F& x) {
    F& sum = out.find(name)->second.template as<F>()[i];
    sum = sum + x;
  });
  return out;
}

}  // namespace

Tensors gradients_over_field(const Case& c) {
  return over_element(c, [&]<class F>() { return over<F>(c); });
}

References gradients_by_definition(const Case& c) {
  References out = empty_references(c);
  std::map<std::string, std::vector<Mpfr50>, std::less<>> sums;
  for (const auto& [name, reference] : out) sums[name].resize(reference.hi.size());
  for_each_gradient<Mpfr50>(c,
                            [&](const char* name, std::size_t i, const Mpfr50& x) { sums.find(name)->second[i] += x; });
  for (auto& [name, reference] : out)
    for (std::size_t i = 0; i < reference.hi.size(); ++i) set(reference, i, sums.at(name)[i]);
  return out;
}

}  // namespace assay::sas
