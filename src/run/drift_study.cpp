#include "run/drift_study.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "run/glob.hpp"

namespace assay {
namespace {

/// Families with values due, from no state of their own.
std::vector<const Family*> studied_families(const DriftPlan& plan, const Kernel& kernel) {
  std::vector<const Family*> families = families_for(kernel);
  std::erase_if(families, [&](const Family* family) {
    return family->standard != Standard::bound || family->resumed || !matches(plan.family, family->name);
  });
  return families;
}

/// C of the contract, if the kernel takes it; 0 for a kernel without chunks.
std::int64_t usual_chunk(const Kernel& kernel) {
  const std::vector<std::int64_t>& chunks = kernel.limits.chunks;
  if (chunks.empty()) return 0;
  return std::ranges::count(chunks, kernel.contract.chunk) > 0 ? kernel.contract.chunk : chunks.front();
}

/// Adds a series, or lengths to it.
void add(std::vector<StudiedSeries>& all, const StudiedSeries& wanted) {
  const auto same = [&](const StudiedSeries& s) {
    return s.series.family == wanted.series.family && s.series.chunk == wanted.series.chunk;
  };
  const auto it = std::ranges::find_if(all, same);
  if (it == all.end()) return all.push_back(wanted);
  std::set<std::int64_t> lengths(it->series.lengths.begin(), it->series.lengths.end());
  lengths.insert(wanted.series.lengths.begin(), wanted.series.lengths.end());
  it->series.lengths.assign(lengths.begin(), lengths.end());
  it->of_lengths = it->of_lengths || wanted.of_lengths;
}

std::string chunk_text(std::int64_t C) { return C == 0 ? "" : fmt::format("C = {}", C); }

/// Points of one axis, by output.
using OutputPoints = std::map<std::string, CurvePoints>;

void append(std::vector<Json>& curves, CurveSubject subject, const OutputPoints& points, std::size_t fewest) {
  for (const auto& [output, of_output] : points) {
    subject.output = output;
    if (of_output.size() >= fewest) curves.push_back(curve_json(subject, of_output));
  }
}

/// Adds what was measured at this length, at place x.
void add_point(OutputPoints& points, double x, const SeriesProgress& progress, std::int64_t length) {
  const auto it = progress.points.find(length);
  if (it == progress.points.end()) return;
  for (const auto& [output, numbers] : it->second.items()) points[output][x] = numbers;
}

OutputPoints points_by_length(const DriftPlan& plan, const SeriesProgress& progress) {
  OutputPoints points;
  for (const std::int64_t length : plan.lengths) add_point(points, static_cast<double>(length), progress, length);
  return points;
}

/// Where a series stands on an axis, if it does.
using Place = std::optional<double> (*)(const StudiedSeries&);

std::optional<double> place_of_decay(const StudiedSeries& s) {
  return s.usual_chunk ? s.series.family->place_on("log_decay") : std::nullopt;
}

std::optional<double> place_of_chunk(const StudiedSeries& s) {
  if (!s.plainest || s.series.chunk == 0) return std::nullopt;
  return static_cast<double>(s.series.chunk);
}

OutputPoints points_by_place(const DriftPlan& plan, const std::vector<StudiedSeries>& studied,
                             const std::vector<SeriesProgress>& progress, Place place) {
  OutputPoints points;
  for (std::size_t i = 0; i < studied.size(); ++i)
    if (const auto x = place(studied[i])) add_point(points, *x, progress[i], axis_length(plan));
  return points;
}

CurveSubject subject_of(const Series& series, const char* axis, const std::string& at) {
  return {
      .kernel = series.kernel->name, .family = std::string(series.family->name), .output = {}, .axis = axis, .at = at};
}

}  // namespace

std::int64_t axis_length(const DriftPlan& plan) { return std::min(plan.axis_tokens, plan.lengths.back()); }

std::vector<StudiedSeries> series_of(const DriftPlan& plan, const Kernel& kernel) {
  std::vector<StudiedSeries> all;
  const std::vector<const Family*> families = studied_families(plan, kernel);
  const std::int64_t usual = usual_chunk(kernel);
  const auto with = [&](const Family* family, std::int64_t C, bool of_lengths) {
    const CaseSize size{.heads = plan.heads, .feature = plan.width, .value = plan.width};
    const std::vector<std::int64_t> lengths = of_lengths ? plan.lengths : std::vector{axis_length(plan)};
    add(all, {.series = {&kernel, family, C, lengths, plan.seed, size},
              .of_lengths = of_lengths,
              .plainest = family == families.front(),
              .usual_chunk = C == usual});
  };
  for (const Family* family : families)
    if (plan.family != "*" || family == families.front() || family->place_on("log_decay") == 0.0)
      with(family, usual, true);
  for (const Family* family : families)
    if (family->place_on("log_decay")) with(family, usual, false);
  for (const std::int64_t C : kernel.limits.chunks)
    if (!families.empty()) with(families.front(), C, false);
  return all;
}

std::vector<Json> curves_of(const DriftPlan& plan, const std::vector<StudiedSeries>& studied,
                            const std::vector<SeriesProgress>& progress) {
  std::vector<Json> curves;
  if (studied.empty()) return curves;
  for (std::size_t i = 0; i < studied.size(); ++i) {
    const Series& series = studied[i].series;
    if (studied[i].of_lengths)
      append(curves, subject_of(series, "length", chunk_text(series.chunk)), points_by_length(plan, progress[i]), 1);
  }
  const Series& plainest = studied.front().series;
  const std::string T = fmt::format("T = {}", axis_length(plan));
  const std::string T_and_C = plainest.chunk == 0 ? T : T + ", " + chunk_text(plainest.chunk);
  append(curves, subject_of(plainest, "log_decay", T_and_C), points_by_place(plan, studied, progress, place_of_decay),
         2);
  append(curves, subject_of(plainest, "chunk", T), points_by_place(plan, studied, progress, place_of_chunk), 2);
  return curves;
}

}  // namespace assay
