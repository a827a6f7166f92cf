#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "judge/error_level.hpp"
#include "judge/quantile.hpp"
#include "judge/relative_errors.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

/// An output of 32 rows of 8, so of four blocks: row r is 2^(r/4) throughout, and element i is off by `error(i)`.
struct Example {
  Tensor got{Format::f32, {32, 8}};
  Reference want{{32, 8}, std::vector<double>(256), std::vector<double>(256), std::vector<double>(256)};
  Allowance allowed{std::vector<double>(256, 1), std::vector<double>(256, 0.5), std::vector<bool>(256)};

  template <class Error>
  explicit Example(Error error) {
    for (std::int64_t i = 0; i < 256; ++i) {
      want.hi[static_cast<std::size_t>(i)] = std::ldexp(1.0, static_cast<int>(i / 32));
      got.set(i, want.hi[static_cast<std::size_t>(i)] + error(i));
    }
  }

  double level() const { return error_level(got, want, allowed).value(); }
  RelativeErrors relative() const {
    return relative_errors(got, want, allowed, [](std::size_t) { return true; });
  }
};

double hundredth(std::int64_t i) { return std::ldexp(1.0, static_cast<int>(i / 32) - 7); }

Outcome level_counts_factors() {
  const Example base(hundredth), fourfold([](std::int64_t i) { return 4 * hundredth(i); });
  const Example one_block([](std::int64_t i) { return (i < 64 ? 16 : 1) * hundredth(i); });
  // Four blocks of 64: a factor of 16 in one of them is one of 2 in the mean.
  const auto near = [](const char* what, double got, double wanted) {
    return holds_if(std::abs(got - wanted) < 0x1p-30, fmt::format("{}: {} want {}", what, got, wanted));
  };
  return all_of({near("all errors fourfold", fourfold.level() - base.level(), 2),
                 near("one block of four sixteenfold", one_block.level() - base.level(), 1)});
}

Outcome level_without_errors() {
  const Example none([](std::int64_t) { return 0.0; });
  Example undetermined(hundredth);
  undetermined.allowed.degenerate.assign(256, true);
  const Tensor small(Format::f32, {7, 32});
  const Reference zeros{{7, 32}, std::vector<double>(224), std::vector<double>(224), std::vector<double>(224)};
  return all_of({holds_if(std::isfinite(none.level()) && none.level() < Example(hundredth).level() - 20,
                          "no error at all has no level far below"),
                 holds_if(std::isfinite(undetermined.level()), "elements that are not determined have errors"),
                 holds_if(!error_level(small, zeros, none.allowed), "7 rows make a block")});
}

Outcome relative_to_rows() {
  const RelativeErrors relative = Example(hundredth).relative();
  FirstFailure found;
  found.note(same("elements", relative.errors.size(), std::size_t{256}));
  for (std::size_t i = 0; i < relative.errors.size(); ++i) {
    found.note(holds_if(std::abs(relative.errors[i] - 0x1p-7) < 0x1p-40, fmt::format("error {}", relative.errors[i])));
    found.note(same("bound", relative.bounds[i], std::ldexp(0.5, -static_cast<int>(i / 32))));
  }
  return found.outcome();
}

Outcome rows_of_zeros() {
  Example x([](std::int64_t) { return 0.0; });
  for (std::size_t i = 0; i < 64; ++i) x.want.hi[i] = 0;
  for (std::int64_t i = 0; i < 64; ++i) x.got.set(i, i == 7 ? 1 : 0);
  x.allowed.degenerate[100] = true;
  const RelativeErrors relative = x.relative();
  return all_of({same("elements", relative.errors.size(), std::size_t{256 - 64 + 1 - 1}),
                 same("the wrong one", relative.errors[0], std::numeric_limits<double>::infinity())});
}

Outcome quantiles() {
  std::vector<double> values = {5, 1, 4, 2, 3}, none;
  return all_of({same("median", quantile(values, 0.5), 3.0), same("least", quantile(values, 0), 1.0),
                 same("most", quantile(values, 1), 5.0), same("99 %", quantile(values, 0.99), 4.0),
                 same("of none", quantile(none, 0.5), 0.0)});
}

}  // namespace

std::vector<Law> run_errors_laws() {
  const auto law = [](std::string_view name, std::string_view statement, auto run) {
    return enumerated(name, statement, "", "256 elements with known errors", run);
  };
  return {law("run.a_level_counts_factors_of_two", "in the mean over blocks of rows", level_counts_factors),
          law("run.a_level_is_finite_without_errors", "and there is none without a whole block", level_without_errors),
          law("run.errors_are_relative_to_the_root_mean_square_of_their_row", "bounds too", relative_to_rows),
          law("run.errors_of_zero_rows_count_where_they_are_wrong", "and undetermined elements never", rows_of_zeros),
          law("run.a_quantile_is_a_value_of_the_list", "at place floor(q (n - 1))", quantiles)};
}

}  // namespace assay
