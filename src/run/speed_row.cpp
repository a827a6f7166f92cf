#include "run/speed_row.hpp"

#include <array>
#include <stdexcept>

namespace assay {
namespace {

constexpr std::array all_runs = {Runs::in_turn, Runs::again, Runs::in_a_row};

Runs parse_runs(std::string_view name) {
  for (const Runs runs : all_runs)
    if (name == name_of(runs)) return runs;
  throw std::invalid_argument("no way of running is called " + std::string(name));
}

Json floor_json(const SpeedRow& row) {
  if (!row.floor) return nullptr;
  return {{"seconds", row.floor->seconds}, {"by", row.floor->by}, {"ratio", row.graph / row.floor->seconds}};
}

Json row_json(const SpeedRow& row) {
  return {{"kernel", row.kernel},
          {"shapes", row.shapes},
          {"runs", name_of(row.runs)},
          {"number", row.number},
          {"launches", row.launches},
          {"bytes", row.work.bytes},
          {"operations", row.work.operations},
          {"events", row.events},
          {"graph", row.graph},
          {"spread", row.spread},
          {"floor", floor_json(row)},
          {"not_finite", row.not_finite}};
}

}  // namespace

std::string_view name_of(Runs runs) {
  switch (runs) {
    case Runs::in_turn:
      return "in_turn";
    case Runs::again:
      return "again";
    case Runs::in_a_row:
      break;
  }
  return "in_a_row";
}

Json rates_json(const DeviceRates& rates) {
  return {{"copy", rates.copied_bytes},
          {"fma", rates.fma_operations},
          {"mma.sync tf32", rates.tf32_operations},
          {"mma.sync bf16", rates.bf16_operations},
          {"cache_bytes", rates.cache_bytes}};
}

DeviceRates parse_rates(const Json& json) {
  return {.copied_bytes = json["copy"],
          .fma_operations = json["fma"],
          .tf32_operations = json["mma.sync tf32"],
          .bf16_operations = json["mma.sync bf16"],
          .cache_bytes = json["cache_bytes"]};
}

Json rows_json(const std::vector<SpeedRow>& rows) {
  Json json = Json::array();
  for (const SpeedRow& row : rows) json.push_back(row_json(row));
  return json;
}

SpeedRow parse_speed_row(const Json& json) {
  SpeedRow row{.kernel = json["kernel"],
               .shapes = json["shapes"],
               .runs = parse_runs(json["runs"].get<std::string>()),
               .number = json["number"],
               .launches = json["launches"],
               .work = {json["bytes"], json["operations"]},
               .events = json["events"],
               .graph = json["graph"],
               .spread = json["spread"],
               .floor = {},
               .not_finite = json["not_finite"]};
  if (!json["floor"].is_null()) row.floor = {json["floor"]["seconds"], json["floor"]["by"]};
  return row;
}

}  // namespace assay
