#include <cstddef>
#include <cstdint>
#include <set>
#include <sstream>
#include <vector>

#include "oracle/sfda/phase_counter.hpp"
#include "oracle/sfda/recurrence.hpp"
#include "properties/same.hpp"
#include "properties/sfda/laws.hpp"
#include "properties/sfda/rings.hpp"

namespace assay {
namespace {

using namespace sfda;

/// The states after increments [T][counter] from z_0 = start, with β = 0 and keys and values of 1, which must not
/// count.
template <class K>
std::vector<K> counted(const std::vector<K>& roots, const std::vector<std::vector<std::int64_t>>& increments,
                       const std::vector<K>& start) {
  const std::size_t T = increments.size(), n = roots.size();
  Tokens<K> x{Matrix<K>(T, n), Matrix<K>(T, n, K(1)), Matrix<K>(T, 1, K(1)), std::vector<K>(T, K(0)), {}};
  for (const auto& step : increments) x.lambda.push_back(counter_step<K>(roots, step));
  const Matrix<K> S = recurrence(x, column<K>(start)).S;
  std::vector<K> z;
  for (std::size_t j = 0; j < n; ++j) z.push_back(S(j, 0));
  return z;
}

/// z_t depends on z_{t−1} and a_t alone, so all residues and all increments of one step leave nothing out.
Law one_counter() {
  return over_roots_of_unity<1, 2, 3, 4, 5, 7, 12>(
      "sfda.phase_counts_modulo_m",
      "theta_t = 2 pi a_t/m, z_0 = 1, alpha = 1, beta = 0: z_t = zeta^(sum a), |z_t|^2 = 1; a_t < 0, a_t >= m, T = 0",
      "[SFDA] Prop. 3.4; [SFDA-notes] s2.2; SFD-009, SFD-017", []<class K>(Source<K>& from) {
        const std::int64_t m = K::order;
        FirstFailure found;
        found.note(same("empty sequence", counted<K>({K::root(1)}, {}, {K(1)}), std::vector<K>{K(1)}));
        for (std::int64_t s = 0; s < m; ++s)
          for (std::int64_t a = -m; a <= 2 * m; ++a) {
            const std::vector<K> z = counted<K>({K::root(1)}, {{a}}, {K::root(s)});
            found.note(same("z", z, std::vector<K>{K::root(s + a)}));
            found.note(same("|z|^2", conj(z[0]) * z[0], K(1)));
          }
        std::vector<std::vector<std::int64_t>> steps;
        std::int64_t sum = 0;
        for (int t = 0; t < 64; ++t) {
          steps.push_back({static_cast<std::int64_t>(from.below(3 * K::order)) - m});
          sum += steps.back()[0];
        }
        found.note(same("64 steps", counted<K>({K::root(1)}, steps, {K(1)}), std::vector<K>{K::root(sum)}));
        return found.outcome();
      });
}

Law five_turns() {
  return over_roots_of_unity<5>("sfda.five_steps_of_72_degrees_return_to_the_start",
                                "z = 1, zeta, zeta^2, zeta^3, zeta^4, 1: five states, the sixth is the first",
                                "[SFDA-notes] s2.2, figure; SFD-013", []<class K>(Source<K>&) {
                                  FirstFailure found;
                                  std::vector<std::vector<std::int64_t>> steps;
                                  for (std::int64_t t = 1; t <= 5; ++t) {
                                    steps.push_back({1});
                                    const K z = counted<K>({K::root(1)}, steps, {K(1)})[0];
                                    found.note(same("z", z, K::root(t)));
                                    found.note(same("back at 1", z == K(1), t == 5));
                                  }
                                  return found.outcome();
                                });
}

/// All states that increments of single counters reach from z_0 = 1.
template <class K>
std::size_t reachable_states(const std::vector<K>& roots) {
  const auto text = [](const std::vector<K>& z) {
    std::ostringstream out;
    for (const K& entry : z) out << entry << ';';
    return out.str();
  };
  std::vector<std::vector<K>> open{std::vector<K>(roots.size(), K(1))};
  std::set<std::string> seen{text(open[0])};
  while (!open.empty()) {
    const std::vector<K> z = open.back();
    open.pop_back();
    for (std::size_t j = 0; j < roots.size(); ++j) {
      std::vector<std::int64_t> step(roots.size(), 0);
      step[j] = 1;
      const std::vector<K> next = counted<K>(roots, {step}, z);
      if (seen.insert(text(next)).second) open.push_back(next);
    }
  }
  return seen.size();
}

Law product_of_counters() {
  return over_roots_of_unity<12, 30>(
      "sfda.l_complex_coordinates_hold_a_product_of_l_counters",
      "C_m1 x ... x C_ml: prod m_j states, no two alike, one coordinate a counter; equal m_j and m_j = 1, 2 included",
      "[SFDA] Thm 5.5; [SFDA-notes] s3.4; SFD-064", []<class K>(Source<K>&) {
        const std::int64_t m = K::order;
        const std::vector<std::vector<std::int64_t>> products =
            m == 12 ? std::vector<std::vector<std::int64_t>>{{3, 4}, {2, 2, 3}, {1, 4, 6}, {12, 12}, {1}, {2, 2, 2, 2}}
                    : std::vector<std::vector<std::int64_t>>{{2, 3, 5}, {5, 6}, {10, 15}};
        FirstFailure found;
        for (const auto& orders : products) {
          std::vector<K> roots;
          std::size_t states = 1;
          for (const std::int64_t order : orders) {
            roots.push_back(K::root(m / order));
            states *= static_cast<std::size_t>(order);
          }
          found.note(same("states", reachable_states(roots), states));
          found.note(same("coordinates", roots.size(), orders.size()));
        }
        return found.outcome();
      });
}

}  // namespace

std::vector<Law> sfda_counters_laws() { return {one_counter(), five_turns(), product_of_counters()}; }

}  // namespace assay
