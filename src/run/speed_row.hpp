#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "run/speed_floor.hpp"

namespace assay {

/// How runs of a kernel follow each other while they are timed.
enum class Runs {
  in_turn,   ///< each with arrays of its own, which together exceed the cache; times are of one
  again,     ///< one and the same, whose arrays stay in the cache
  in_a_row,  ///< each with arrays of its own, as layers follow each other; times are of all
};

std::string_view name_of(Runs runs);

/// How long a kernel takes on a GPU.
struct SpeedRow {
  std::string kernel;
  Json shapes = Json::object();  ///< as shapes_json writes them
  Runs runs = Runs::in_turn;
  std::int64_t number = 1;          ///< of runs
  std::int64_t launches = 1;        ///< of one run
  LeastWork work;                   ///< of one run
  double events = 0;                ///< seconds, launched one by one
  double graph = 0;                 ///< seconds, replayed from a graph
  double spread = 0;                ///< of the replays: the distance of their quartiles over their median
  std::optional<SpeedFloor> floor;  ///< where arrays come from memory
  std::int64_t not_finite = 0;      ///< elements of the outputs of one run
};

/// The rows of a record; a ratio is graph over floor.
Json rows_json(const std::vector<SpeedRow>& rows);
SpeedRow parse_speed_row(const Json& json);

/// The rates of a record.
Json rates_json(const DeviceRates& rates);
DeviceRates parse_rates(const Json& json);

}  // namespace assay
