#include "oracle/sas/gate_gradients.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/laws.hpp"
#include "properties/sas/row_trial.hpp"

namespace assay {
namespace {

using namespace sas;

template <class K>
std::vector<K> outer(const RowTrial<K>& trial) {
  return outer_gate_gradients<K>(trial.x, trial.C + 1, trial.d_output);
}

/// Gates, g_0 too, are free and move, each a variable of its own; at listed points some are 0.
Law one_position(std::string_view name, std::string_view statement, std::string_view source, GatePosition position) {
  return identity(name, statement, source, row_degree, 12, [position]<class K>(Source<K>& from) {
    const RowTrial<K> trial(from);
    const std::vector<K> g = from.values(trial.C + 1), direction = from.values(trial.C + 1);
    const std::vector<K> d_gates = position == GatePosition::inner ? trial.inner(trial.x, g) : outer(trial);
    return same("<dg, direction>", dot<K>(d_gates, direction),
                trial.by_duals(trial.x, moving<K>(g, direction), position));
  });
}

Law homogeneity() {
  return identity("sas.weighted_gate_gradients_sum_to_zero_only_inside",
                  "sum of g_m dg_m over all blocks, the current one too: 0 inside, <dO, o> outside",
                  "own, on [SAS] eq. 5; SAS-019", row_degree, 12, []<class K>(Source<K>& from) {
                    const RowTrial<K> trial(from);
                    const std::vector<K> g = from.values(trial.C + 1);
                    return all_of({same("inside", dot<K>(g, trial.inner(trial.x, g)), K(0)),
                                   same("outside", dot<K>(g, outer(trial)),
                                        dot<K>(trial.d_output, trial.output(trial.x, g, GatePosition::outer)))});
                  });
}

Law common_factor() {
  return identity("sas.a_common_factor_of_all_gates_divides_inner_gate_gradients",
                  "g -> c g: inside o stays and dg is divided by c; outside o is multiplied by c and dg stays",
                  "[SAS-notes] s2.4; SAS-020", row_degree, 12, []<class K>(Source<K>& from) {
                    const RowTrial<K> trial(from);
                    const std::vector<K> g = from.values(trial.C + 1);
                    const K c = from.nonzero();
                    const auto times = [&c](std::vector<K> x) {
                      for (K& entry : x) entry = c * entry;
                      return x;
                    };
                    const auto outer_output = [&](const std::vector<K>& gates) {
                      return trial.output(trial.x, gates, GatePosition::outer);
                    };
                    return all_of({same("c dg inside", times(trial.inner(trial.x, times(g))), trial.inner(trial.x, g)),
                                   same("o outside", outer_output(times(g)), times(outer_output(g)))});
                  });
}

Law value_at_the_output() {
  return identity("sas.a_block_whose_values_are_the_output_has_no_gate_gradient",
                  "v_i = o on all of B_m: dg_m = 0 inside", "[SAS-notes] s2.4; SAS-021", row_degree, 12,
                  []<class K>(Source<K>& from) {
                    RowTrial<K> trial(from);
                    const std::vector<K> g = from.values(trial.C + 1);
                    const std::size_t m = from.below(trial.C + 1);
                    const std::vector<K> o = trial.output(trial.without(m), g);
                    for (std::size_t i = 0; i < trial.x.E.size(); ++i)
                      if (trial.x.block[i] == m) std::ranges::copy(o, trial.x.v.row(i).begin());
                    return same("dg", trial.inner(trial.x, g)[m], K(0));
                  });
}

Law common_value() {
  return identity("sas.a_common_value_moves_only_outer_gate_gradients",
                  "v -> v + a: dg stays inside; outside dg_m moves by <dO, a> sum over B_m of p_i",
                  "own, on [SAS-notes] s2.4; SAS-021", row_degree, 12, []<class K>(Source<K>& from) {
                    RowTrial<K> trial(from);
                    const std::vector<K> g = from.values(trial.C + 1), a = from.values(trial.dv);
                    const std::vector<K> inner_before = trial.inner(trial.x, g);
                    std::vector<K> outer_after = outer(trial);
                    const std::vector<K> ones(trial.C + 1, K(1));
                    const K sum = trial.normaliser(trial.x, ones), along = dot<K>(trial.d_output, a);
                    for (std::size_t i = 0; i < trial.x.E.size(); ++i) {
                      K& moved = outer_after[trial.x.block[i]];
                      moved = moved + trial.x.E[i] / sum * along;
                      for (std::size_t j = 0; j < trial.dv; ++j) trial.x.v(i, j) = trial.x.v(i, j) + a[j];
                    }
                    return all_of({same("inside", trial.inner(trial.x, g), inner_before),
                                   same("outside", outer(trial), outer_after)});
                  });
}

/// p̃_i / g_m by division is 0 / 0 there.
Law closed_gate() {
  return identity("sas.a_closed_gate_keeps_its_gradient",
                  "g_m = 0: dg_m = sum over B_m of (E_i / Z) <dO, v_i - o>, Z and o of the other blocks; d log g_m = 0",
                  "[SAS] eq. 5, inner; SAS-017", row_degree, 12, []<class K>(Source<K>& from) {
                    const RowTrial<K> trial(from, 1);
                    std::vector<K> g = trial.all_gates();
                    const std::size_t m = 1 + from.below(trial.C);
                    const AttendedTokens<K> others = trial.without(m);
                    const std::vector<K> o = trial.output(others, g);
                    const K Z = trial.normaliser(others, g);
                    K want(0);
                    for (std::size_t i = 0; i < trial.x.E.size(); ++i)
                      if (trial.x.block[i] == m) want = want + trial.x.E[i] / Z * trial.towards(i, o);
                    g[m] = K(0);
                    const std::vector<K> got = trial.inner(trial.x, g);
                    return all_of({same("dg", got[m], want), same("d log g", log_gate_gradients<K>(g, got)[m], K(0))});
                  });
}

Law one_block() {
  return identity("sas.a_single_attended_block_has_no_gate_gradient",
                  "all tokens in one block: dg = 0 inside, whatever its gate", "[SAS] eq. 5, inner; SAS-017",
                  row_degree, 8, []<class K>(Source<K>& from) {
                    RowTrial<K> trial(from);
                    const std::size_t m = from.below(trial.C + 1);
                    trial.x.block.assign(trial.x.E.size(), m);
                    std::vector<K> g = from.values(trial.C + 1);
                    g[m] = from.nonzero();
                    const std::vector<K> none(trial.C + 1, K(0));
                    return same("dg", trial.inner(trial.x, g), none);
                  });
}

Law refusals() {
  return settled<Rational>("sas.gate_gradients_refuse_what_they_do_not_define",
                           "weights that sum to 0, a block without a gate, dO of another width", "[SAS] eq. 5; SAS-017",
                           [](Source<Rational>&) {
                             using Q = Rational;
                             const AttendedTokens<Q> x{{Q(1)}, {1}, Matrix<Q>(1, 1)};
                             const std::vector<Q> closed{Q(1), Q(0)}, one{Q(1)}, d{Q(1)}, wide{Q(1), Q(1)};
                             return all_of({refused("no weight", [&] { return inner_gate_gradients<Q>(x, closed, d); }),
                                            refused("no gate", [&] { return inner_gate_gradients<Q>(x, one, d); }),
                                            refused("wide dO", [&] { return outer_gate_gradients<Q>(x, 2, wide); })});
                           });
}

}  // namespace

std::vector<Law> sas_gate_gradients_laws() {
  return {one_position("sas.gradient_of_inner_gates_equals_its_dual",
                       "dg_m = sum over B_m of (p_i / g_m) <dO, v_i - o>, gates of any value, 0 too",
                       "[SAS] eq. 5, inner; SAS-005, SAS-017", GatePosition::inner),
          one_position("sas.gradient_of_outer_gates_equals_its_dual", "dg_m = sum over B_m of p_i <dO, v_i>",
                       "[SAS] eq. 5, outer; SAS-018", GatePosition::outer),
          homogeneity(),
          common_factor(),
          value_at_the_output(),
          common_value(),
          closed_gate(),
          one_block(),
          refusals()};
}

}  // namespace assay
