#include "run/drift_curves.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "run/growth.hpp"

namespace assay {
namespace {

/// What stands for x in a finding.
std::string symbol_of(const std::string& axis) { return axis == "length" ? "T" : axis == "chunk" ? "C" : axis; }

/// A whole number as one.
Json place_json(double x) {
  if (x == std::trunc(x)) return static_cast<std::int64_t>(x);
  return x;
}

/// Of the median error where there is one: a median of 0 is no point of a power of T.
std::optional<Growth> growth_of_median(const Json& curve) {
  std::vector<double> lengths, errors;
  for (std::size_t i = 0; i < curve["x"].size(); ++i) {
    const Json& error = curve["p50"][i];
    if (!error.is_number()) return std::nullopt;
    if (error == 0) continue;
    lengths.push_back(curve["x"][i].get<double>());
    errors.push_back(error.get<double>());
  }
  return growth_of(lengths, errors);
}

/// The number of the first x at which the curve is above its bound, or there is no number; nothing if there is none.
std::optional<std::size_t> crossing(const Json& curve) {
  for (std::size_t i = 0; i < curve["x"].size(); ++i) {
    const Json &error = curve["p99"][i], &bound = curve["bound"][i];
    if (!error.is_number() || (bound.is_number() && error > bound)) return i;
  }
  return std::nullopt;
}

/// That of the first x at which an error as large as the output would not be seen.
std::optional<std::size_t> blindness(const Json& curve) {
  for (std::size_t i = 0; i < curve["x"].size(); ++i)
    if (const Json& bound = curve["bound"][i]; bound.is_number() && bound >= 1) return i;
  return std::nullopt;
}

bool is_of_sizes(std::string_view axis) { return axis == "length" || axis == "chunk"; }

/// Where the median is largest, of an axis that is no size.
std::string peak_text(const Json& curve) {
  std::optional<std::size_t> most, least;
  for (std::size_t i = 0; i < curve["x"].size(); ++i) {
    const Json& error = curve["p50"][i];
    if (!error.is_number()) continue;
    if (!most || error > curve["p50"][*most]) most = i;
    if (error > 0 && (!least || error < curve["p50"][*least])) least = i;
  }
  if (!most || !least) return "no median error above 0";
  const auto place = [&](std::size_t i) { return curve["x"][i].get<double>(); };
  return fmt::format("largest at {:.3g}: {:.2g} times that at {:.3g}", place(*most),
                     curve["p50"][*most].get<double>() / curve["p50"][*least].get<double>(), place(*least));
}

std::string finding_of(const Json& curve, const std::optional<Growth>& growth) {
  const std::string axis = curve["axis"];
  const std::string x = symbol_of(axis);
  std::string text = !is_of_sizes(axis) ? peak_text(curve)
                     : growth           ? growth_text(*growth, x)
                                        : fmt::format("no exponent: a median error at fewer than two {}s", axis);
  if (const auto above = crossing(curve))
    text += fmt::format("; above the bound at {} = {}", x, curve["x"][*above].dump());
  if (const auto blind = blindness(curve))
    text += fmt::format("; the bound is above |o| at {} = {}", x, curve["x"][*blind].dump());
  return text;
}

Json bare_curve(const CurveSubject& subject) {
  Json row = {
      {"kernel", subject.kernel}, {"family", subject.family}, {"output", subject.output}, {"axis", subject.axis}};
  if (!subject.at.empty()) row["at"] = subject.at;
  for (const char* key : {"x", "p50", "p99", "bound"}) row[key] = Json::array();
  return row;
}

}  // namespace

bool above_bound(const Json& curve) { return crossing(curve).has_value(); }

Json curve_json(const CurveSubject& subject, const CurvePoints& points) {
  Json row = bare_curve(subject);
  for (const auto& [x, point] : points) {
    row["x"].push_back(place_json(x));
    for (const char* key : {"p50", "p99", "bound"}) row[key].push_back(point[key]);
  }
  const std::optional<Growth> growth = is_of_sizes(subject.axis) ? growth_of_median(row) : std::nullopt;
  row["exponent"] = growth ? Json(growth->exponent) : Json(nullptr);
  row["exponent_ci"] =
      growth && growth->interval ? Json{growth->interval->first, growth->interval->second} : Json(nullptr);
  row["finding"] = finding_of(row, growth);
  return row;
}

Json stopped_curve(const CurveSubject& subject, std::int64_t x, const std::string& why) {
  Json row = bare_curve(subject);
  row["x"].push_back(x);
  for (const char* key : {"p50", "p99", "bound"}) row[key].push_back("nan");
  row["exponent"] = row["exponent_ci"] = nullptr;
  row["finding"] = fmt::format("stopped at T = {}: {}", x, why);
  return row;
}

}  // namespace assay
