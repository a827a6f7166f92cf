#include "oracle/sas/success_rates.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include "properties/enumerated.hpp"
#include "properties/same.hpp"
#include "properties/sas/laws.hpp"

namespace assay {
namespace {

using namespace sas;

/// Every table of successes of so many items, n tries each.
template <class Visit>
void for_every_table(std::size_t items, std::size_t n, Visit visit) {
  std::vector<std::size_t> successes(items, 0);
  for (;;) {
    visit(std::span<const std::size_t>(successes));
    std::size_t i = 0;
    while (i < items && successes[i] == n) successes[i++] = 0;
    if (i == items) return;
    ++successes[i];
  }
}

/// Linear in the shares of items with 0, 1, .., n successes, so settled by one item each; three items are tried too.
Law order() {
  return enumerated(
      "sas.average_success_lies_between_every_and_any",
      "Pass^n <= Avg@n <= Pass@n; Avg = Pass@n iff each item has 0 or n successes (n = 4, 16)",
      "[SAS-notes] s3.3; SAS-061, SAS-062", "Q, all tables", [] {
        FirstFailure found;
        const auto hold = [&](std::span<const std::size_t> successes, std::size_t n) {
          const SuccessRates r = success_rates(successes, n);
          bool whole = true;
          for (const std::size_t count : successes) whole = whole && (count == 0 || count == n);
          found.note(holds_if(!(r.average < r.every) && !(r.any < r.average), "Avg = " + text_of(r.average)));
          found.note(same("Avg = Pass", r.average == r.any, whole));
        };
        for (const std::size_t n : {std::size_t{4}, std::size_t{16}})
          for (const std::size_t items : {std::size_t{1}, std::size_t{3}})
            for_every_table(items, n, [&](std::span<const std::size_t> successes) { hold(successes, n); });
        found.note(refused("5 of 4", [] {
          const std::vector<std::size_t> five{5};
          success_rates(five, 4);
        }));
        found.note(refused("no item", [] { success_rates({}, 4); }));
        return found.outcome();
      });
}

/// An item with some but not all of n successes adds between 1/n and (n − 1)/n to the average.
Law sharper() {
  return enumerated(
      "sas.items_solved_sometimes_bound_the_average_of_four",
      "n = 4, x = Pass@4 - Pass^4: Pass^4 + x/4 <= Avg@4 <= Pass^4 + 3x/4, both ends reached",
      "own, on [SAS-notes] s3.3; SAS-062", "Q, all tables", [] {
        FirstFailure found;
        bool low = false, high = false;
        for (std::size_t items = 1; items <= 4; ++items)
          for_every_table(items, 4, [&](std::span<const std::size_t> successes) {
            const SuccessRates r = success_rates(successes, 4);
            const Rational x = r.any - r.every, above = r.average - r.every;
            found.note(holds_if(!(above < x / 4) && !(x * 3 / 4 < above), "Avg - Pass^4 = " + text_of(above)));
            low = low || (x > 0 && above == x / 4);
            high = high || (x > 0 && above == x * 3 / 4);
          });
        found.note(same("ends reached", low && high, true));
        return found.outcome();
      });
}

Law published() {
  return enumerated(
      "sas.printed_success_rates_of_delivery_fit_each_other",
      "Avg@4, Pass@4, Pass^4 at 2048: SAS 30.0 in [22, 48] of 61.0, 9.0; Seer 32.2 in [19.75, 51.25] of 67.0, 4.0",
      "own, on [SAS-notes] s4.4; SAS-062", "Q", [] {
        struct Row {
          Rational average, any, every, low, high;
        };
        FirstFailure found;
        for (const Row& row :
             {Row{30, 61, 9, 22, 48}, Row{Rational(322, 10), 67, 4, Rational(79, 4), Rational(205, 4)}}) {
          const Rational x = row.any - row.every;
          found.note(same("low", Rational(row.every + x / 4), row.low));
          found.note(same("high", Rational(row.every + x * 3 / 4), row.high));
          found.note(holds_if(row.low <= row.average && row.average <= row.high, "Avg = " + text_of(row.average)));
        }
        return found.outcome();
      });
}

}  // namespace

std::vector<Law> sas_success_rates_laws() { return {order(), sharper(), published()}; }

}  // namespace assay
