#include "run/drift_series.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "problem/token_by_token.hpp"
#include "problem/transforms.hpp"
#include "record/bit_text.hpp"
#include "record/environment.hpp"
#include "record/whole_file.hpp"
#include "run/drift_errors.hpp"

namespace assay {
namespace {

/// Window after window of one series.
class Follower {
 public:
  Follower(const Series& series, SeriesProgress progress, const Tables& tables)
      : series_(series),
        kernel_(series.kernel->limits.one_token ? token_by_token(*series.kernel) : *series.kernel),
        oracle_(oracle_of(tables, *kernel_.op)),
        progress_(std::move(progress)) {}

  void take_window() {
    const Case window = next_window();
    for (const std::int64_t length : series_.lengths)
      if (length > progress_.tokens && length < progress_.tokens + window_tokens)
        measure_beginning(window, length - progress_.tokens);
    take_whole(window, progress_.tokens + window_tokens);
  }

  const SeriesProgress& progress() const { return progress_; }
  SeriesProgress result() && { return std::move(progress_); }

 private:
  Case next_window() const {
    CaseSize size = series_.size;
    size.tokens = window_tokens;
    const auto index = static_cast<std::uint64_t>(progress_.tokens / window_tokens);
    return resumed(make_window(kernel_, *series_.family, series_.seed, size, series_.parameters(), index),
                   progress_.states);
  }

  void measure(const Case& c, std::int64_t length, const Tensors& outputs, const References& want) {
    const Truth truth{want, oracle_.windows.bound(c, kernel_.contract, progress_.errors)};
    progress_.points[length] = drift_errors(c, outputs, truth);
  }

  void measure_beginning(const Case& window, std::int64_t tokens) {
    const Stretch beginning{0, 0, tokens};
    const Case c = gathered(window, {&beginning, 1}, Layout::batched);
    measure(c, progress_.tokens + tokens, kernel_.run(c, {}).outputs,
            oracle_.windows.evaluate(c, progress_.truth).want);
  }

  void take_whole(const Case& window, std::int64_t end) {
    Tensors outputs = kernel_.run(window, {}).outputs;
    WindowOracle::Part part = oracle_.windows.evaluate(window, progress_.truth);
    if (std::ranges::binary_search(series_.lengths, end)) measure(window, end, outputs, part.want);
    progress_.errors = oracle_.windows.errors_after(window, kernel_.contract, progress_.errors);
    progress_.truth = std::move(part.state);
    std::erase_if(outputs,
                  [&](const auto& output) { return kernel_.op->find(output.first)->role != Role::final_state; });
    progress_.states = std::move(outputs);
    progress_.tokens = end;
  }

  const Series& series_;
  Kernel kernel_;
  const Oracle& oracle_;
  SeriesProgress progress_;
};

std::vector<double> values_of(const Tensor& tensor) {
  std::vector<double> values(static_cast<std::size_t>(tensor.count()));
  tensor.copy_values(0, values);
  return values;
}

Tensor tensor_of(std::vector<double> values, const Shape& shape) {
  Tensor tensor(Format::f32, shape);
  if (static_cast<std::int64_t>(values.size()) != tensor.count())
    throw RecordError(fmt::format("a state of {} numbers: needs {}", values.size(), text_of(shape)));
  std::ranges::transform(values, tensor.as<float>().begin(), [](double x) { return static_cast<float>(x); });
  return tensor;
}

/// Everything that the numbers of a series follow from.
Json identity_of(const Series& series) {
  const Json environment = environment_json();
  return {{"kernel", series.kernel->name},
          {"family", series.family->name},
          {"C", series.chunk},
          {"seed", series.seed},
          {"heads", series.size.heads},
          {"width", series.size.feature},
          {"commit", environment.at("commit")},
          {"dirty", environment.at("dirty")}};
}

void require_same(const Json& found, const Json& wanted, const std::string& file) {
  for (const auto& [key, value] : wanted.items())
    if (!found.contains(key) || found[key] != value)
      throw RecordError(fmt::format("{}: {} = {}: this run has {}, and needs a folder of its own", file, key,
                                    found.contains(key) ? found[key].dump() : "none", value.dump()));
}

}  // namespace

Parameters Series::parameters() const {
  return chunk == 0 ? Parameters{} : Parameters{{"C", static_cast<double>(chunk)}};
}

SeriesProgress advance(const Series& series, SeriesProgress progress, std::int64_t until, const Tables& tables) {
  Follower follower(series, std::move(progress), tables);
  while (follower.progress().tokens < std::min(until, series.lengths.back())) follower.take_window();
  return std::move(follower).result();
}

Json json_of(const SeriesProgress& progress) {
  Json states = Json::object(), points = Json::object();
  for (const auto& [name, tensor] : progress.states) states[name] = bit_text(values_of(tensor));
  for (const auto& [length, point] : progress.points) points[std::to_string(length)] = point;
  return {{"tokens", progress.tokens},
          {"states", states},
          {"truth", bit_text(progress.truth)},
          {"errors", bit_text(progress.errors)},
          {"points", points}};
}

SeriesProgress parse_progress(const Series& series, const Json& json) {
  try {
    SeriesProgress progress{.tokens = json.at("tokens"),
                            .states = {},
                            .truth = parse_bit_text(json.at("truth")),
                            .errors = parse_bit_text(json.at("errors")),
                            .points = {}};
    CaseSize size = series.size;
    size.tokens = window_tokens;
    const Case sizes = make_sizes(*series.kernel, *series.family, series.seed, size);
    for (const auto& [name, bits] : json.at("states").items()) {
      const TensorSpec* spec = series.kernel->op->find(name);
      if (spec == nullptr) throw RecordError(fmt::format("{}: {} has no such state", name, series.kernel->op->name));
      progress.states.emplace(name, tensor_of(parse_bit_text(bits), spec->shape(sizes.sizes)));
    }
    for (const auto& [length, point] : json.at("points").items()) progress.points[std::stoll(length)] = point;
    return progress;
  } catch (const Json::exception& error) {
    throw RecordError(error.what());
  }
}

std::filesystem::path progress_file(const std::filesystem::path& folder, const Series& series) {
  std::string name = fmt::format("{}.{}", series.kernel->name, series.family->name);
  if (series.chunk != 0) name += fmt::format(".C{}", series.chunk);
  std::ranges::replace(name, '/', '.');
  return folder / (name + ".progress.json");
}

void write_progress(const Series& series, const SeriesProgress& progress, const std::filesystem::path& file) {
  write_whole_file(Json{{"series", identity_of(series)}, {"progress", json_of(progress)}}.dump() + "\n", file);
}

SeriesProgress read_progress(const Series& series, const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return {};
  const Json json = parse_json(read_whole_file(file), file);
  if (!json.contains("series") || !json.contains("progress"))
    throw RecordError(
        fmt::format("{}: not the progress of a series: needs the keys series and progress", file.string()));
  require_same(json["series"], identity_of(series), file);
  SeriesProgress progress;
  try {
    progress = parse_progress(series, json["progress"]);
  } catch (const RecordError& error) {
    throw RecordError(fmt::format("{}: {}", file.string(), error.what()));
  }
  for (const std::int64_t length : series.lengths)
    if (length <= progress.tokens && !progress.points.contains(length))
      throw RecordError(
          fmt::format("{}: is beyond T = {}, where it was not measured: needs another folder", file.string(), length));
  return progress;
}

}  // namespace assay
