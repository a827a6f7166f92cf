#include "run/shares.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "judge/quantile.hpp"

namespace assay {
namespace {

constexpr std::int64_t small_length = 64;

/// T ≤ 64 in every sequence, and d ≤ 64.
bool is_small(const Json& shapes) {
  const auto at_most = [](const Json& length) { return length.get<std::int64_t>() <= small_length; };
  const Json T = shapes.value("T", Json(1));
  return (T.is_array() ? std::ranges::all_of(T, at_most) : at_most(T)) && at_most(shapes.value("d", Json(1)));
}

/// Null for no values.
Json quantile_json(std::vector<double> values, double q) {
  return values.empty() ? Json(nullptr) : Json(quantile(values, q));
}

/// Undecided cases that a cell may have: three quarters if it is listed, else a tenth. Two say nothing of a tenth.
std::uint64_t most_undecided(std::uint64_t cases, bool listed) {
  return listed ? std::max<std::uint64_t>(1, (3 * cases + 3) / 4) : std::max<std::uint64_t>(2, cases / 10);
}

/// What a cell breaks, or nothing.
std::string broken_limit(const Json& row) {
  const auto count = [&](const char* key) { return row[key].get<std::uint64_t>(); };
  const bool listed = !row["amplification"].is_null();
  if (!listed && count("undecided_small") > 0)
    return fmt::format("{} with T <= 64, d <= 64: none allowed", count("undecided_small"));
  const std::uint64_t most = most_undecided(count("cases"), listed);
  if (count("undecided") <= most) return "";
  return fmt::format("{} of {}: at most {}", count("undecided"), count("cases"), most);
}

}  // namespace

void Shares::take(const Kernel& kernel, const std::string& family, const Json& result) {
  Cell& cell = cells_[{kernel.name, family}];
  const bool undecided = result["vacuous"].get<bool>() || result["verdict"] == "indeterminate";
  ++cell.cases;
  cell.undecided += undecided;
  cell.undecided_small += undecided && is_small(result["shapes"]);
  const auto listed = kernel.contract.ill_conditioned.find(family);
  if (listed != kernel.contract.ill_conditioned.end()) cell.amplification = listed->second;
  const Json& fault = result["detectable_fault"]["p50"];
  if (fault.is_number() && fault > 0) cell.faults.push_back(fault.get<double>());
}

Json Shares::rows() const {
  Json rows = Json::array();
  for (const auto& [name, cell] : cells_)
    rows.push_back({{"kernel", name.first},
                    {"family", name.second},
                    {"cases", cell.cases},
                    {"undecided", cell.undecided},
                    {"undecided_small", cell.undecided_small},
                    {"amplification", cell.amplification == 0 ? Json(nullptr) : Json(cell.amplification)},
                    {"detectable_fault", quantile_json(cell.faults, 0.5)}});
  return rows;
}

Json Shares::detectable_fault() const {
  std::vector<double> faults;
  for (const auto& [name, cell] : cells_) faults.insert(faults.end(), cell.faults.begin(), cell.faults.end());
  return {{"p50", quantile_json(faults, 0.5)}, {"p99", quantile_json(faults, 0.99)}};
}

std::string undecided_beyond_limits(const Json& shares) {
  std::uint64_t cases = 0, undecided = 0, broken = 0;
  std::string first;
  for (const Json& row : shares) {
    cases += row["cases"].get<std::uint64_t>();
    undecided += row["undecided"].get<std::uint64_t>();
    const std::string limit = broken_limit(row);
    if (limit.empty()) continue;
    if (++broken == 1)
      first = fmt::format("{} x {}: vacuous or indeterminate {}", row["kernel"].get<std::string>(),
                          row["family"].get<std::string>(), limit);
  }
  if (broken > 1) first += fmt::format(" (and {} cells more)", broken - 1);
  if (broken > 0) return first;
  if (50 * undecided <= cases) return "";
  return fmt::format("vacuous or indeterminate {} of all {} cases: at most {} (2 %)", undecided, cases, cases / 50);
}

}  // namespace assay
