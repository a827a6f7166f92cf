#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "oracle/sas/attention_gradients.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/gradient_trial.hpp"
#include "properties/sas/laws.hpp"

/// Where the mask, the selection and a loss that spares rows leave exact zeros.
namespace assay {
namespace {

using namespace sas;

template <class K>
Outcome all_zero(std::string_view name, std::span<const K> x) {
  const std::vector<K> zeros(x.size(), K(0));
  return same(name, x, std::span<const K>(zeros));
}

Law one_row() {
  return identity(
      "sas.a_loss_on_one_row_reaches_only_what_it_attends_to",
      "dO and dL of row t alone: exact zeros in dq and ds of other rows, in dk and dv of tokens that t does not see",
      "[SAS] eq. 9 by the chain rule; SAS-049", head_degree, 8, []<class K>(Source<K>& from) {
        GradientTrial<K> trial = inner_trial(from);
        const std::size_t kept = from.below(trial.Tq);
        for (std::size_t t = 0; t < trial.Tq; ++t) {
          if (t == kept) continue;
          for (K& entry : trial.d_output.row(t)) entry = K(0);
          trial.d_lse[t] = K(0);
        }
        const HeadGradients<K> g = trial.closed_form();
        FirstFailure found;
        for (std::size_t t = 0; t < trial.Tq; ++t) {
          if (t == kept) continue;
          found.note(all_zero<K>("dq of another row", g.attention.q.row(t)));
          found.note(all_zero<K>("ds of another row", g.scores.row(t)));
          found.note(all_zero<K>("d log G of another row", g.log_gates.row(t)));
        }
        for (std::size_t i = 0; i < trial.Tk; ++i) {
          if (trial.attends(kept, i)) continue;
          found.note(all_zero<K>("dk of a token not seen", g.attention.k.row(i)));
          found.note(all_zero<K>("dv of a token not seen", g.attention.v.row(i)));
        }
        return found.outcome();
      });
}

/// Blocks that are not selected, and all from the current one on.
Law unselected() {
  return identity("sas.unselected_blocks_have_no_log_gate_gradient",
                  "d log G = 0 exactly, inside and outside; ds_m = -g_m sum over I of d log g",
                  "[SAS] eq. 8, sparse; SAS-040, SAS-043", head_degree, 8, []<class K>(Source<K>& from) {
                    FirstFailure found;
                    for (const GatePosition position : {GatePosition::inner, GatePosition::outer}) {
                      const GradientTrial<K> trial(from, {.position = position}, {});
                      const HeadGradients<K> g = trial.closed_form();
                      for (std::size_t t = 0; t < trial.Tq; ++t) {
                        const K sum = sum_of<K>(g.log_gates.row(t));
                        const std::vector<K> gates = trial.row_gates(t);
                        for (std::size_t m = 0; m < trial.score_powers.cols(); ++m) {
                          if (std::ranges::binary_search(trial.selected[t], m)) continue;
                          found.note(same("d log G", g.log_gates(t, m), K(0)));
                          found.note(same("ds", g.scores(t, m), m < gates.size() ? K(-(gates[m] * sum)) : K(0)));
                        }
                      }
                    }
                    return found.outcome();
                  });
}

/// A token that no row attends to may hold anything.
Law tokens_not_read() {
  return identity("sas.gradients_do_not_read_tokens_that_no_row_attends_to",
                  "k and v of a token outside every selection and mask are changed: all gradients stay, its own are 0",
                  "[SAS] alg. 4; SAS-048", head_degree, 8, []<class K>(Source<K>& from) {
                    GradientTrial<K> trial = inner_trial(from);
                    const HeadGradients<K> before = trial.closed_form();
                    FirstFailure found;
                    for (std::size_t i = 0; i < trial.Tk; ++i) {
                      bool read = false;
                      for (std::size_t t = 0; t < trial.Tq; ++t) read = read || trial.attends(t, i);
                      if (read) continue;
                      for (K& entry : trial.k.row(i)) entry = from.free();
                      for (K& entry : trial.v.row(i)) entry = from.free();
                      found.note(all_zero<K>("dk", before.attention.k.row(i)));
                      found.note(all_zero<K>("dv", before.attention.v.row(i)));
                    }
                    const HeadGradients<K> after = trial.closed_form();
                    found.note(same("dq", after.attention.q, before.attention.q));
                    found.note(same("dk", after.attention.k, before.attention.k));
                    found.note(same("dv", after.attention.v, before.attention.v));
                    found.note(same("ds", after.scores, before.scores));
                    return found.outcome();
                  });
}

}  // namespace

std::vector<Law> sas_masked_gradients_laws() { return {one_row(), unselected(), tokens_not_read()}; }

}  // namespace assay
