#include "run/drift.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "problem/case_mix.hpp"
#include "problem/token_by_token.hpp"
#include "run/drift_errors.hpp"
#include "run/drift_shares.hpp"
#include "run/drift_study.hpp"
#include "run/glob.hpp"
#include "run/isolated.hpp"
#include "run/truth.hpp"

namespace assay {
namespace {

/// Tokens that one process takes before progress is kept.
constexpr std::int64_t stretch_tokens = 16 * window_tokens;

std::size_t stretches(const Series& series, const SeriesProgress& progress) {
  const std::int64_t left = std::max<std::int64_t>(0, series.lengths.back() - progress.tokens);
  return static_cast<std::size_t>((left + stretch_tokens - 1) / stretch_tokens);
}

/// One thing to do, in a process of its own.
struct Job {
  std::int64_t tokens = 0;
  std::function<Json()> run;
  std::function<void(const Json&)> take;
  std::function<void(const std::string&)> stop;
};

/// What there is of one kernel.
struct KernelStudy {
  const Kernel* kernel;
  bool in_windows;                                                        ///< its state is handed on
  std::vector<StudiedSeries> studied;                                     ///< then
  std::vector<SeriesProgress> progress;                                   ///< of each
  std::map<std::pair<std::string, std::string>, CurvePoints> whole = {};  ///< of another kernel, by axis and output
  std::map<std::size_t, Json> shares = {};  ///< of series against length, by their numbers
  std::map<std::int64_t, std::string> stopped = {};

  const Family& plainest() const { return *families_for(*kernel).front(); }
};

CaseSize size_of(const DriftPlan& plan, std::int64_t length) {
  return {.tokens = length, .heads = plan.heads, .feature = plan.width, .value = plan.width};
}

/// A kernel on one family, at one length as a whole.
Json measure_whole(const DriftPlan& plan, const KernelStudy& study, const Family& family, std::int64_t length,
                   const Tables& tables) {
  const Kernel kernel = study.kernel->limits.one_token ? token_by_token(*study.kernel) : *study.kernel;
  const Case c = make_case(kernel, family, plan.seed, size_of(plan, length));
  return drift_errors(c, kernel.run(c, {}).outputs, truth_for(c, kernel, oracle_of(tables, *c.op)));
}

bool affordable(const DriftPlan& plan, const KernelStudy& study, std::int64_t length) {
  const Case c = make_sizes(*study.kernel, study.plainest(), plan.seed, size_of(plan, length));
  return work_of(c, study.kernel->contract.algorithm) <= plan.most_work;
}

class Study {
 public:
  Study(const DriftPlan& plan, const Tables& tables, std::function<void(std::size_t, std::size_t)> show)
      : plan_(plan), tables_(tables), show_(std::move(show)) {
    for (const Kernel* kernel : plan.kernels) {
      KernelStudy study{.kernel = kernel,
                        .in_windows = static_cast<bool>(oracle_of(tables, *kernel->op).windows),
                        .studied = {},
                        .progress = {}};
      if (study.in_windows) study.studied = series_of(plan, *kernel);
      for (const StudiedSeries& s : study.studied) study.progress.push_back(kept(s.series));
      all_.push_back(std::move(study));
    }
  }

  Json result() {
    std::vector<Job> jobs = other_jobs();
    total_ = jobs.size();
    for (const KernelStudy& study : all_)
      for (std::size_t i = 0; i < study.studied.size(); ++i)
        total_ += stretches(study.studied[i].series, study.progress[i]);
    for (add_stretches(jobs); !jobs.empty(); add_stretches(jobs)) run(std::exchange(jobs, {}));
    Json curves = Json::array(), shares = Json::array();
    for (const KernelStudy& study : all_) {
      for (const Json& curve : curves_of_kernel(study)) curves.push_back(curve);
      for (const auto& [number, rows] : study.shares) shares.insert(shares.end(), rows.begin(), rows.end());
    }
    return {{"summary", {{"curves", curves.size()}}}, {"curves", curves}, {"shares", shares}};
  }

 private:
  SeriesProgress kept(const Series& series) const {
    return plan_.progress.empty() ? SeriesProgress{} : read_progress(series, progress_file(plan_.progress, series));
  }

  void keep(const Series& series, const SeriesProgress& progress) const {
    if (!plan_.progress.empty()) write_progress(series, progress, progress_file(plan_.progress, series));
  }

  /// The longest first, so that no process is left alone with one at the end.
  void run(std::vector<Job> jobs) {
    std::ranges::stable_sort(jobs, std::greater(), &Job::tokens);
    run_isolated(
        jobs.size(), {}, [&](std::size_t i) { return jobs[i].run().dump(); },
        [&](std::size_t i, const JobAnswer& answer) {
          answer.crashed ? jobs[i].stop(answer.text) : jobs[i].take(Json::parse(answer.text));
          show_(++done_, total_);
          return true;
        });
  }

  /// What needs no stretches: lengths taken whole, and shares.
  std::vector<Job> other_jobs() {
    std::vector<Job> jobs;
    for (KernelStudy& study : all_) {
      for (std::size_t i = 0; i < study.studied.size(); ++i)
        if (study.studied[i].of_lengths) jobs.push_back(shares_job(study, i));
      if (study.in_windows || !matches(plan_.family, study.plainest().name)) continue;
      for (const std::int64_t length : plan_.lengths)
        if (affordable(plan_, study, length))
          jobs.push_back(whole_job(study, study.plainest(), length, {{"length", static_cast<double>(length)}}));
      for (const Family* family : families_for(*study.kernel))
        if (!family->places.empty() && affordable(plan_, study, axis_length(plan_)))
          jobs.push_back(whole_job(study, *family, axis_length(plan_), family->places));
    }
    return jobs;
  }

  static std::function<void(const std::string&)> stop_at(KernelStudy& study, std::int64_t length) {
    return [&study, length](const std::string& why) { study.stopped.try_emplace(length, why); };
  }

  Job whole_job(KernelStudy& study, const Family& family, std::int64_t length, const std::vector<AxisPlace>& places) {
    return {.tokens = length,
            .run = [this, &study, &family, length] { return measure_whole(plan_, study, family, length, tables_); },
            .take =
                [&study, places](const Json& answer) {
                  for (const auto& [output, point] : answer.items())
                    for (const auto& [axis, at] : places) study.whole[{std::string(axis), output}][at] = point;
                },
            .stop = stop_at(study, length)};
  }

  Job shares_job(KernelStudy& study, std::size_t i) {
    const Series& series = study.studied[i].series;
    return {.tokens = axis_length(plan_),
            .run = [this, &series] { return shares_of(series, axis_length(plan_), tables_); },
            .take = [&study, i](const Json& rows) { study.shares[i] = rows; },
            .stop = stop_at(study, axis_length(plan_))};
  }

  /// The next stretch of every series that has one; a kernel that stopped has none.
  void add_stretches(std::vector<Job>& jobs) {
    for (KernelStudy& study : all_)
      for (std::size_t i = 0; study.stopped.empty() && i < study.studied.size(); ++i)
        if (stretches(study.studied[i].series, study.progress[i]) > 0)
          jobs.push_back(stretch_job(study, study.studied[i].series, study.progress[i]));
  }

  Job stretch_job(KernelStudy& study, const Series& series, SeriesProgress& progress) {
    const std::int64_t until = std::min(series.lengths.back(), progress.tokens + stretch_tokens);
    return {.tokens = until - progress.tokens,
            .run = [this, &series, &progress, until] { return json_of(advance(series, progress, until, tables_)); },
            .take =
                [this, &series, &progress](const Json& answer) {
                  progress = parse_progress(series, answer);
                  keep(series, progress);
                },
            .stop = stop_at(study, until)};
  }

  std::vector<Json> curves_of_kernel(const KernelStudy& study) const {
    std::vector<Json> curves = curves_of(plan_, study.studied, study.progress);
    const CurveSubject subject{.kernel = study.kernel->name,
                               .family = std::string(study.plainest().name),
                               .output = {},
                               .axis = "length",
                               .at = {}};
    for (const auto& [key, points] : study.whole) {
      if (key.first != "length" && points.size() < 2) continue;
      CurveSubject of_output = subject;
      std::tie(of_output.axis, of_output.output) = key;
      if (key.first != "length") of_output.at = fmt::format("T = {}", axis_length(plan_));
      curves.push_back(curve_json(of_output, points));
    }
    if (!study.stopped.empty()) {
      CurveSubject none = subject;
      none.output = "none";
      curves.push_back(stopped_curve(none, study.stopped.begin()->first, study.stopped.begin()->second));
    }
    return curves;
  }

  const DriftPlan& plan_;
  const Tables& tables_;
  std::function<void(std::size_t, std::size_t)> show_;
  std::vector<KernelStudy> all_;
  std::size_t done_ = 0, total_ = 0;
};

}  // namespace

Json run_drift(const DriftPlan& plan, const Tables& tables,
               const std::function<void(std::size_t, std::size_t)>& progress) {
  return Study(plan, tables, progress).result();
}

}  // namespace assay
