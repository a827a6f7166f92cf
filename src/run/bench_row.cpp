#include "run/bench_row.hpp"

#include <algorithm>
#include <ctime>
#include <limits>

namespace assay {
namespace {

double cpu_seconds() {
  timespec now;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Json row_json(const BenchRow& row) {
  Json json = {{"name", row.name}, {"seconds", row.seconds}, {"unit", row.unit}};
  const auto& reference = row.reference;
  json["reference"] = reference ? Json(reference->name) : Json(nullptr);
  json["reference_seconds"] = reference ? Json(reference->seconds) : Json(nullptr);
  json["ratio"] = reference ? Json(reference->seconds / row.seconds) : Json(nullptr);
  if (row.peak_bytes) json["peak_bytes"] = *row.peak_bytes;
  if (!row.text.empty()) json["text"] = row.text;
  return json;
}

BenchRow parse_row(const Json& json) {
  BenchRow row{.name = json["name"],
               .seconds = json["seconds"],
               .unit = json["unit"],
               .reference = {},
               .peak_bytes = {},
               .text = json.value("text", "")};
  if (!json["reference"].is_null()) row.reference = {json["reference"], json["reference_seconds"]};
  if (json.contains("peak_bytes")) row.peak_bytes = json["peak_bytes"];
  return row;
}

Json bench_json(const std::vector<BenchRow>& rows) {
  Json json = Json::array();
  for (const BenchRow& row : rows) json.push_back(row_json(row));
  return {{"summary", {{"rows", rows.size()}}}, {"rows", json}};
}

double fastest_seconds(int calls, const std::function<void()>& work) {
  double fastest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < calls; ++i) {
    const double start = cpu_seconds();
    work();
    fastest = std::min(fastest, cpu_seconds() - start);
  }
  return fastest;
}

}  // namespace assay
