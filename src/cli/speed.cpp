#include "cli/speed.hpp"

#include <chrono>

#include <fmt/format.h>

#include "kernels/device/rates.hpp"
#include "run/bench_speed.hpp"
#include "simt/device/recorded_launches.hpp"

namespace assay::cli {
namespace {

TimedLaunches time_launches(const std::function<void()>& launch) {
  const simt::RecordedLaunches recorded;
  launch();
  const simt::LaunchTimes times = recorded.times();
  return {static_cast<std::int64_t>(recorded.size()), times.events, times.graph, times.spread};
}

DeviceClock device_clock() {
  return {.rates = kernels::measure_device_rates,
          .time = time_launches,
          .launch_empty_kernel = kernels::launch_empty_kernel};
}

std::string shapes_text(const Json& shapes) {
  std::string text;
  for (const auto& [axis, size] : shapes.items())
    text += fmt::format("{}{} {}", text.empty() ? "" : " ", axis, size.dump());
  return text;
}

std::string floor_text(const SpeedRow& row) {
  if (!row.floor) return "";
  return fmt::format("; {:.1f} times its floor of {:.3g} us by {}", row.graph / row.floor->seconds,
                     1e6 * row.floor->seconds, row.floor->by);
}

void print(std::FILE* out, const Speeds& speeds) {
  fmt::print(out, "copy {:.3g} B/s, fma {:.3g}, mma.sync tf32 {:.3g}, bf16 {:.3g} operations a second\n",
             speeds.rates.copied_bytes, speeds.rates.fma_operations, speeds.rates.tf32_operations,
             speeds.rates.bf16_operations);
  for (const SpeedRow& row : speeds.rows)
    fmt::print(out, "{:<48} {:<40} {:<8} x{:<3} events {:>9.3g} us, graph {:>9.3g} us{}{}\n", row.kernel,
               shapes_text(row.shapes), name_of(row.runs), row.number, 1e6 * row.events, 1e6 * row.graph,
               floor_text(row), row.not_finite ? fmt::format("; {} outputs not finite", row.not_finite) : "");
}

Speeds measure(const Output& output, const Tables& tables) try {
  ProgressLine line("bench", output.quiet);
  return bench_speed({}, tables, device_clock(), [&](std::size_t done, std::size_t total) { line.show(done, total); });
} catch (const std::runtime_error& error) {
  throw Stop(exit_fail, fmt::format("bench kernels: {}", error.what()));
}

}  // namespace

void bench_on_device(const Output& output, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const Speeds speeds = measure(output, context.tables);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Json record = make_record(context.command_line, seconds, {{"rows", speeds.rows.size()}});
  record["rates"] = rates_json(speeds.rates);
  record["rows"] = rows_json(speeds.rows);
  output.write(record);
  if (!output.quiet) print(output.people(), speeds);
  fmt::print(output.people(), "{} rows ({:.1f} s)\n", speeds.rows.size(), seconds);
}

}  // namespace assay::cli
