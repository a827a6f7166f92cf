#include "run/drift.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "judge/quantile.hpp"
#include "judge/relative_errors.hpp"
#include "problem/case_mix.hpp"
#include "problem/sized_case.hpp"
#include "problem/token_by_token.hpp"
#include "run/growth.hpp"
#include "run/isolated.hpp"
#include "run/truth.hpp"

namespace assay {
namespace {

/// One kernel at one length.
struct Job {
  const Kernel* kernel;
  std::int64_t length;
};

const Family& first_family(const Kernel& kernel) { return *families_for(kernel).front(); }

CaseSize size_of(const DriftPlan& plan, const Job& job) {
  return {.tokens = job.length, .heads = plan.heads, .feature = plan.width, .value = plan.width};
}

bool affordable(const DriftPlan& plan, const Job& job) {
  const Kernel& kernel = *job.kernel;
  const Case c = make_sizes(kernel, first_family(kernel), plan.seed, size_of(plan, job));
  return work_of(c, kernel.contract.algorithm) <= plan.most_work;
}

/// Longest first, so that no process is left alone with a long one at the end.
std::vector<Job> jobs_of(const DriftPlan& plan) {
  std::vector<Job> jobs;
  for (auto length = plan.lengths.rbegin(); length != plan.lengths.rend(); ++length)
    for (const Kernel* kernel : plan.kernels)
      if (affordable(plan, {kernel, *length})) jobs.push_back({kernel, *length});
  return jobs;
}

/// Whether a row of the output is of one of the last tokens; every row of a state is.
std::function<bool(std::size_t)> last_tokens(const TensorSpec& spec, const Sizes& sizes) {
  if (!spec.has(Axis::time)) return [](std::size_t) { return true; };
  std::size_t rows_a_token = 1;
  for (std::size_t i = spec.axes.size() - 1; spec.axes[i] != Axis::time; --i)
    if (i + 1 < spec.axes.size()) rows_a_token *= static_cast<std::size_t>(sizes[spec.axes[i]]);
  const auto tokens = static_cast<std::size_t>(sizes[Axis::time]);
  return [=](std::size_t row) { return row / rows_a_token % tokens + counted_tokens >= tokens; };
}

/// {output: {p50, p99, bound}}
Json measure(const DriftPlan& plan, const Job& job, const Tables& tables) {
  const Kernel kernel = job.kernel->limits.one_token ? token_by_token(*job.kernel) : *job.kernel;
  const Case c = make_case(kernel, first_family(kernel), plan.seed, size_of(plan, job));
  const Tensors outputs = kernel.run(c, {}).outputs;
  const Truth truth = truth_for(c, kernel, oracle_of(tables, *c.op));
  Json answer = Json::object();
  for (const auto& [name, want] : truth.want) {
    RelativeErrors relative =
        relative_errors(outputs.at(name), want, truth.allowed.at(name), last_tokens(*c.op->find(name), c.sizes));
    answer[name] = {{"p50", real_json(quantile(relative.errors, 0.5))},
                    {"p99", real_json(quantile(relative.errors, 0.99))},
                    {"bound", real_json(quantile(relative.bounds, 0.99))}};
  }
  return answer;
}

/// The points of one kernel and output, by length.
using Points = std::map<std::int64_t, Json>;

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

/// The first length at which the curve is above its bound, or there is no number; nothing if there is none.
std::optional<std::int64_t> crossing(const Json& curve) {
  for (std::size_t i = 0; i < curve["x"].size(); ++i) {
    const Json &error = curve["p99"][i], &bound = curve["bound"][i];
    if (!error.is_number() || (bound.is_number() && error > bound)) return curve["x"][i].get<std::int64_t>();
  }
  return std::nullopt;
}

/// The first length at which an error as large as the output would not be seen.
std::optional<std::int64_t> blindness(const Json& curve) {
  for (std::size_t i = 0; i < curve["x"].size(); ++i)
    if (const Json& bound = curve["bound"][i]; bound.is_number() && bound >= 1)
      return curve["x"][i].get<std::int64_t>();
  return std::nullopt;
}

std::string finding_of(const Json& curve, const std::optional<Growth>& growth) {
  std::string text = growth ? growth_text(*growth) : "no exponent: a median error at fewer than two lengths";
  if (const auto above = crossing(curve)) text += fmt::format("; above the bound at T = {}", *above);
  if (const auto blind = blindness(curve)) text += fmt::format("; the bound is above |o| at T = {}", *blind);
  return text;
}

Json curve_json(const Kernel& kernel, const std::string& output, const Points& points, const std::string& stopped) {
  Json row = {{"kernel", kernel.name}, {"family", first_family(kernel).name}, {"output", output}, {"axis", "length"}};
  for (const char* key : {"x", "p50", "p99", "bound"}) row[key] = Json::array();
  for (const auto& [length, point] : points) {
    row["x"].push_back(length);
    for (const char* key : {"p50", "p99", "bound"}) row[key].push_back(point[key]);
  }
  const std::optional<Growth> growth = growth_of_median(row);
  row["exponent"] = growth ? Json(growth->exponent) : Json(nullptr);
  row["exponent_ci"] =
      growth && growth->interval ? Json{growth->interval->first, growth->interval->second} : Json(nullptr);
  row["finding"] = stopped.empty() ? finding_of(row, growth) : stopped;
  return row;
}

/// What arrives of the jobs.
struct Found {
  std::map<const Kernel*, std::map<std::string, Points>> points;
  std::map<const Kernel*, std::string> stopped;

  void take(const Job& job, const JobAnswer& answer) {
    if (answer.crashed) {
      stopped[job.kernel] = fmt::format("stopped at T = {}: {}", job.length, answer.text);
      points[job.kernel]["none"][job.length] = {{"p50", "nan"}, {"p99", "nan"}, {"bound", "nan"}};
      return;
    }
    const Json measured = Json::parse(answer.text);
    for (const auto& [output, point] : measured.items()) points[job.kernel][output][job.length] = point;
  }
};

}  // namespace

bool above_bound(const Json& curve) { return crossing(curve).has_value(); }

Json run_drift(const DriftPlan& plan, const Tables& tables,
               const std::function<void(std::size_t, std::size_t)>& progress) {
  const std::vector<Job> jobs = jobs_of(plan);
  Found found;
  std::size_t done = 0;
  run_isolated(
      jobs.size(), {}, [&](std::size_t i) { return measure(plan, jobs[i], tables).dump(); },
      [&](std::size_t i, const JobAnswer& answer) {
        found.take(jobs[i], answer);
        progress(++done, jobs.size());
        return true;
      });
  Json curves = Json::array();
  for (const Kernel* kernel : plan.kernels)
    for (const auto& [output, points] : found.points[kernel])
      curves.push_back(curve_json(*kernel, output, points, output == "none" ? found.stopped[kernel] : ""));
  return {{"summary", {{"curves", curves.size()}}}, {"curves", curves}};
}

}  // namespace assay
