#include "run/drift.hpp"

#include <cmath>
#include <csignal>

#include <fmt/format.h>

#include "properties/enumerated.hpp"
#include "properties/run/known_kernel.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"
#include "run/drift_errors.hpp"

namespace assay {
namespace {

constexpr const char* name = "sanatan.feature_attention/known";

/// A kernel's curves, by output.
std::map<std::string, Json> curves_of(const Kernel& kernel, std::vector<std::int64_t> lengths) {
  const DriftPlan plan{.kernels = {&kernel}, .lengths = std::move(lengths), .heads = 1, .width = 8};
  std::map<std::string, Json> curves;
  const Json found = run_drift(plan, tables_with({&kernel, 1}), [](std::size_t, std::size_t) {});
  for (const Json& curve : found["curves"]) curves[curve["output"].get<std::string>()] = curve;
  return curves;
}

std::map<std::string, Json> curves_of(const KnownError& error, std::vector<std::int64_t> lengths) {
  return curves_of(known_kernel(name, error), std::move(lengths));
}

std::int64_t tokens(const Case& c) { return c.sizes[Axis::time]; }

double root_mean_square(const Reference& want, std::size_t row, std::size_t length) {
  double sum = 0;
  for (std::size_t i = row * length; i < (row + 1) * length; ++i) sum += want.hi[i] * want.hi[i];
  return std::sqrt(sum / static_cast<double>(length));
}

/// Errors of S that are T times `a_token` of |S|.
KnownError proportional(double a_token) {
  return [=](const Case& c, const std::string& output, const Reference& want, std::size_t i) {
    const auto length = static_cast<std::size_t>(want.shape.back());
    return output == "S" ? a_token * static_cast<double>(tokens(c)) * root_mean_square(want, i / length, length) : 0;
  };
}

Outcome planted_growth() {
  const Json S = curves_of(proportional(0x1p-18), {64, 128, 256, 512, 1024}).at("S");
  const double a = S["exponent"], low = S["exponent_ci"][0], high = S["exponent_ci"][1];
  return holds_if(low <= 1 && 1 <= high && high - low < 0x1p-6,
                  fmt::format("errors of 2^-18 T |S|: T^{} in [{}, {}]", a, low, high));
}

/// Tokens that are not among the last ones of their sequence do not count; the last ones do.
Outcome early_and_late() {
  const auto wrong_at = [](bool last) {
    return [last](const Case& c, const std::string& output, const Reference&, std::size_t i) {
      const std::int64_t token = static_cast<std::int64_t>(i) / c.sizes[Axis::value] / c.sizes[Axis::head];
      return output == "o" && (token + counted_tokens >= tokens(c)) == last ? 0x1p-10 : 0;
    };
  };
  const Json early = curves_of(wrong_at(false), {128}).at("o"), late = curves_of(wrong_at(true), {128}).at("o");
  return all_of({holds_if(early["p99"][0] < 0x1p-16, "errors of early tokens count: " + early["p99"].dump()),
                 holds_if(late["p50"][0] > 0x1p-16, "errors of the last tokens do not: " + late["p50"].dump())});
}

Outcome above_the_bound() {
  const std::map<std::string, Json> curves = curves_of(proportional(1), {64, 128});
  const std::string S = curves.at("S")["finding"], o = curves.at("o")["finding"];
  return all_of({holds_if(above_bound(curves.at("S")) && S.ends_with("above the bound at T = 64"), "S: " + S),
                 holds_if(!above_bound(curves.at("o")), "o: " + o)});
}

Outcome blind_bound() {
  const auto finding = [](std::int64_t height) {
    Kernel kernel = known_kernel(name, scattered(1, 0));
    kernel.contract.update_height = height;
    return curves_of(kernel, {64}).at("S")["finding"].get<std::string>();
  };
  const std::string loose = finding(1 << 24), tight = finding(1 << 8), blind = "the bound is above |o| at T = 64";
  return all_of({holds_if(loose.ends_with(blind), "2^24 roundings an entry: " + loose),
                 holds_if(!tight.ends_with(blind), "2^8 roundings an entry: " + tight)});
}

Outcome dying_kernel() {
  const KnownError deadly = [](const Case& c, const std::string&, const Reference&, std::size_t) {
    if (tokens(c) == 128) std::raise(SIGKILL);
    return 0.0;
  };
  const std::map<std::string, Json> curves = curves_of(deadly, {64, 128});
  if (!curves.contains("none")) return Outcome::fails("the length that killed the kernel has no row");
  const Json& stopped = curves.at("none");
  return all_of({same<std::string>("x", stopped["x"].dump(), "[128]"),
                 holds_if(above_bound(stopped), "a kernel that died is in order"),
                 holds_if(stopped["finding"].get<std::string>().find("stopped at T = 128: Killed") != std::string::npos,
                          stopped["finding"].get<std::string>()),
                 same<std::string>("the other length", curves.at("o")["x"].dump(), "[64]")});
}

/// Lengths that would take too long are left out, not cut.
Outcome costly_lengths() {
  const Kernel kernel = known_kernel(name, scattered(0, 0));
  const DriftPlan plan{
      .kernels = {&kernel}, .lengths = {64, 128}, .heads = 1, .width = 8, .most_work = 2 * 64 * 48 * 8};
  const Json found = run_drift(plan, tables_with({&kernel, 1}), [](std::size_t, std::size_t) {});
  return same<std::string>("x", found["curves"][0]["x"].dump(), "[64]");
}

}  // namespace

std::vector<Law> run_drift_laws() {
  const auto law = [](std::string_view law_name, std::string_view statement, auto run) {
    return enumerated(law_name, statement, "", "a kernel with known errors", run);
  };
  return {
      law("run.drift_finds_the_exponent_of_planted_errors", "T times a small part of |S|: T^1", planted_growth),
      law("run.drift_counts_the_last_tokens_alone", "64 a sequence; of states everything", early_and_late),
      law("run.a_curve_above_its_bound_says_so", "and where; the others do not", above_the_bound),
      law("run.a_bound_above_the_output_says_so", "an error as large as the output would pass", blind_bound),
      law("run.a_kernel_that_dies_stops_one_length", "a row says where and how; the other lengths stand", dying_kernel),
      law("run.a_length_beyond_the_work_is_left_out", "the others stand", costly_lengths)};
}

}  // namespace assay
