#include "run/shares.hpp"

#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

Json row(std::uint64_t cases, std::uint64_t undecided, std::uint64_t small, double amplification = 0) {
  return {{"kernel", "op/k.f32"},     {"family", "bell"},
          {"cases", cases},           {"undecided", undecided},
          {"undecided_small", small}, {"amplification", amplification == 0 ? Json(nullptr) : Json(amplification)}};
}

/// A thousand cases beside it that decide, so that only the cell's own share counts.
Json among_many(const Json& cell) { return Json::array({row(1000, 0, 0), cell}); }

Outcome passes(const Json& shares) {
  const std::string text = undecided_beyond_limits(shares);
  return holds_if(text.empty(), text);
}

Outcome stops(const Json& shares, std::string_view told) {
  const std::string text = undecided_beyond_limits(shares);
  return holds_if(text.find(told) != std::string::npos, "'" + text + "' does not say '" + std::string(told) + "'");
}

Outcome limits() {
  return all_of({passes(among_many(row(30, 3, 0))), stops(among_many(row(30, 4, 0)), "op/k.f32 x bell"),
                 stops(among_many(row(30, 4, 0)), "4 of 30: at most 3"), passes(among_many(row(3, 2, 0))),
                 stops(among_many(row(6, 3, 0)), "3 of 6: at most 2"),
                 stops(among_many(row(30, 1, 1)), "1 with T <= 64, d <= 64: none allowed"),
                 passes(among_many(row(8, 6, 6, 16))), stops(among_many(row(8, 7, 0, 16)), "7 of 8: at most 6"),
                 passes(among_many(row(2, 2, 2, 16))), stops(among_many(row(4, 4, 0, 16)), "4 of 4: at most 3"),
                 passes(Json::array({row(100, 2, 2, 16)})),
                 stops(Json::array({row(100, 3, 3, 16)}), "3 of all 100 cases: at most 2"), passes(Json::array())});
}

Kernel kernel_listing(std::string_view family) {
  Kernel kernel{.name = "op/k.f32"};
  if (!family.empty()) kernel.contract.ill_conditioned[family] = 16;
  return kernel;
}

Json result(bool vacuous, const char* verdict, Json T, int d) {
  return {{"vacuous", vacuous},
          {"verdict", verdict},
          {"shapes", {{"T", std::move(T)}, {"d", d}}},
          {"detectable_fault", {{"p50", 0.5}}}};
}

Outcome counted() {
  Shares shares;
  const Kernel plain = kernel_listing(""), listing = kernel_listing("bell");
  shares.take(plain, "bell", result(false, "pass", 10, 10));
  shares.take(plain, "bell", result(true, "pass", 64, 64));
  shares.take(plain, "bell", result(false, "indeterminate", 65, 64));
  shares.take(plain, "bell", result(true, "pass", Json::array({3, 70}), 4));
  shares.take(plain, "bell", result(true, "pass", Json::array({3, 64}), 65));
  const Json plain_row = shares.rows().front();
  Shares listed;
  listed.take(listing, "bell", result(true, "pass", 10, 10));
  return all_of({same("cases", plain_row["cases"].get<int>(), 5),
                 same("undecided", plain_row["undecided"].get<int>(), 4),
                 same("small", plain_row["undecided_small"].get<int>(), 1),
                 holds_if(plain_row["amplification"].is_null(), "a cell that is not listed has an amplification"),
                 holds_if(listed.rows().front()["amplification"] == 16, "a listed cell has no amplification")});
}

}  // namespace

std::vector<Law> run_shares_laws() {
  return {
      enumerated("run.too_many_undecided_cases_stop_an_acceptance_run",
                 "2 % of all, a tenth of a cell, none of a small size; three quarters, rounded up, of a cell that is "
                 "listed",
                 "", "counts", limits),
      enumerated("run.shares_count_what_decides_nothing", "vacuous or indeterminate, by kernel, family and size", "",
                 "counts", counted)};
}

}  // namespace assay
