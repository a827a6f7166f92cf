#include "run/baseline.hpp"

#include <fmt/format.h>

#include "record/whole_file.hpp"

namespace assay {
namespace {

constexpr const char* about =
    "Cases that a change of a kernel is compared on. Case i of a cell is `assay verify --kernel KERNEL --family FAMILY "
    "--cases 1 --seed SEED`, SEED the i-th of its seeds. inputs: digest of all inputs. slack: the largest error / "
    "bound. "
    "digests: of the outputs of each case. levels: mean log2 of the 2-norms of the error over blocks of rows, a case "
    "and output; null without a whole block. history: what was loosened, and why. Made by assay gate "
    "--update.";

Json cell_json(const Cell& cell) {
  Json digests = Json::array(), levels = Json::object();
  for (const std::uint64_t digest : cell.digests) digests.push_back(digest_text(digest));
  for (const auto& [output, values] : cell.levels) {
    Json row = Json::array();
    for (const std::optional<double>& level : values) row.push_back(level ? Json(*level) : Json(nullptr));
    levels[output] = row;
  }
  return {{"kernel", cell.name.kernel},
          {"family", cell.name.family},
          {"size", cell.name.size},
          {"seeds", cell.seeds},
          {"inputs", digest_text(cell.inputs)},
          {"slack", cell.slack},
          {"digests", digests},
          {"levels", levels}};
}

Json loosening_json(const Loosening& one) {
  return {{"reason", one.reason}, {"issue", one.issue}, {"cells", one.cells}};
}

std::vector<std::optional<double>> levels_of(const Json& row) {
  std::vector<std::optional<double>> levels;
  for (const Json& level : row) levels.push_back(level.is_null() ? std::nullopt : std::optional(level.get<double>()));
  return levels;
}

void require_length(std::size_t length, std::size_t cases, const char* what) {
  if (length != cases) throw RecordError(fmt::format("{} {} for {} cases", length, what, cases));
}

/// Throws RecordError without the file's name, or an exception of nlohmann-json.
Cell cell_of(const Json& row) {
  Cell cell{.name = {row.at("kernel"), row.at("family"), row.at("size")},
            .seeds = row.at("seeds").get<std::vector<std::uint64_t>>(),
            .inputs = parse_digest(row.at("inputs")),
            .slack = row.at("slack")};
  for (const Json& digest : row.at("digests")) cell.digests.push_back(parse_digest(digest));
  require_length(cell.digests.size(), cell.seeds.size(), "digests");
  for (const auto& [output, levels] : row.at("levels").items()) {
    cell.levels[output] = levels_of(levels);
    require_length(cell.levels[output].size(), cell.seeds.size(), "levels");
  }
  if (cell.seeds.empty()) throw RecordError("no seeds: needs one a case");
  return cell;
}

Loosening loosening_of(const Json& row) { return {row.at("reason"), row.at("issue"), row.at("cells")}; }

/// The message of an exception without the number that nlohmann-json puts before it.
std::string rule_of(const std::exception& error) {
  const std::string text = error.what();
  return text.starts_with("[json.") ? text.substr(text.find("] ") + 2) : text;
}

/// The rows of a list; an error names the row.
template <class Parse>
auto rows_of(const Json& file, const char* key, const std::string& path, Parse parse) {
  if (!file.contains(key) || !file[key].is_array())
    throw RecordError(fmt::format("{}: {}: needs to be a list", path, key));
  std::vector<decltype(parse(file))> rows;
  for (std::size_t i = 0; i < file[key].size(); ++i) {
    try {
      rows.push_back(parse(file[key][i]));
    } catch (const std::exception& error) {
      throw RecordError(fmt::format("{}: {}[{}]: {}", path, key, i, rule_of(error)));
    }
  }
  return rows;
}

}  // namespace

std::string baseline_text(const Baseline& baseline) {
  std::string text =
      fmt::format("{{\"baseline\": {},\n\"about\": {},\n\"history\": [", baseline_version, Json(about).dump());
  const auto append = [&](const auto& rows, auto json) {
    for (std::size_t i = 0; i < rows.size(); ++i) text += (i == 0 ? "\n" : ",\n") + json(rows[i]).dump();
  };
  append(baseline.history, loosening_json);
  text += "],\n\"cells\": [";
  append(baseline.cells, cell_json);
  return text + "]}\n";
}

Baseline parse_baseline(const std::string& text, const std::string& file) {
  const Json json = parse_json(text, file);
  if (!json.is_object() || !json.contains("baseline"))
    throw RecordError(fmt::format("{}: not a baseline: no key 'baseline'", file));
  if (json["baseline"] != baseline_version)
    throw RecordError(
        fmt::format("{}: baseline {}, this program reads {}", file, json["baseline"].dump(), baseline_version));
  return {rows_of(json, "history", file, loosening_of), rows_of(json, "cells", file, cell_of)};
}

Baseline read_baseline(const std::filesystem::path& path) { return parse_baseline(read_whole_file(path), path); }

void write_baseline(const Baseline& baseline, const std::filesystem::path& path) {
  write_whole_file(baseline_text(baseline), path);
}

}  // namespace assay
