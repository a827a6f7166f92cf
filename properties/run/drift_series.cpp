#include "run/drift_series.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <functional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/table.hpp"
#include "oracle/sfda/plain.hpp"
#include "oracle/table.hpp"
#include "problem/operators/sfda.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/known_kernel.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"
#include "properties/temporary_folder.hpp"
#include "record/whole_file.hpp"
#include "run/drift.hpp"

namespace assay {
namespace {

/// A stand-in for a kernel: the plain implementation of gated_delta.attention by tokens, or by chunks in bf16.
Kernel plain_kernel(bool chunks = false) {
  const Contract scan{.order = Order::any, .update_height = 1, .elementary_ulp = {{"exp", 1}}};
  const Contract chunk{.algorithm = Algorithm::chunk,
                       .input = Format::bf16,
                       .product = Product::bf16,
                       .features = Format::bf16,
                       .weights = Format::bf16,
                       .state_operand = Format::bf16,
                       .output = Format::bf16,
                       .order = Order::any,
                       .chunk = 64,
                       .mma_chain = 8,
                       .score_height = 34,
                       .value_height = 130,
                       .read_height = 34,
                       .update_height = 130,
                       .elementary_ulp = {{"exp", 1}}};
  Kernel kernel{.name = "gated_delta.attention/plain",
                .op = &operators::gated_delta_attention(),
                .contract = chunks ? chunk : scan};
  if (chunks) kernel.limits.chunks = {16, 32, 64};
  kernel.run = [contract = kernel.contract](const Case& c, const Execution&) {
    return Run{sfda::plain_attention(c, contract, 1)};
  };
  return kernel;
}

Series series_of(const Kernel& kernel, std::vector<std::int64_t> lengths) {
  return {.kernel = &kernel,
          .family = &family_named(*kernel.op, "unit_keys"),
          .lengths = std::move(lengths),
          .size = {.heads = 2, .feature = 4, .value = 4}};
}

std::string text_of(const SeriesProgress& progress) { return json_of(progress).dump(); }

/// Through the text in which it is kept, after every window.
Outcome parts_are_the_whole() {
  const Kernel kernel = plain_kernel();
  const Tables tables = tables_with({&kernel, 1});
  const Series series = series_of(kernel, {100, 1024, 1030, 3000});
  SeriesProgress parts;
  while (parts.tokens < 3000)
    parts = parse_progress(series, Json::parse(text_of(advance(series, parts, parts.tokens + 1, tables))));
  const SeriesProgress whole = advance(series, {}, 3000, tables);
  std::string lengths;
  for (const auto& [length, point] : whole.points) lengths += fmt::format("{} ", length);
  return all_of(
      {same<std::string>("lengths", lengths, "100 1024 1030 3000 "), same("progress", text_of(parts), text_of(whole))});
}

/// Inputs do not depend on which lengths are asked for.
Outcome lengths_do_not_matter() {
  const Kernel kernel = plain_kernel();
  const Tables tables = tables_with({&kernel, 1});
  const SeriesProgress few = advance(series_of(kernel, {1500}), {}, 1500, tables);
  const SeriesProgress many = advance(series_of(kernel, {64, 1024, 1500, 2048}), {}, 2048, tables);
  return same<std::string>("at 1500", few.points.at(1500).dump(), many.points.at(1500).dump());
}

/// A kernel whose final states become what `change` makes of them.
Kernel with_states(const Kernel& kernel, const std::function<float(float)>& change) {
  Kernel changed = kernel;
  changed.run = [run = kernel.run, change](const Case& c, const Execution& execution) {
    Run result = run(c, execution);
    for (float& x : result.outputs.at("S").as<float>()) x = change(x);
    return result;
  };
  return changed;
}

/// Soon after a window's end the state that it left is in the outputs: one that was lost, or is longer by 2^-8, is seen
/// there. The truth goes on from its own state.
Outcome states_are_handed_on() {
  const Kernel kernel = plain_kernel();
  const Kernel forgets = with_states(kernel, [](float) { return 0.0f; });
  const Kernel displaces = with_states(kernel, [](float x) { return x * (1 + 0x1p-8f); });
  const auto above = [](const Kernel& k) {
    const SeriesProgress progress = advance(series_of(k, {1030}), {}, 1030, tables_with({&k, 1}));
    const Json& o = progress.points.at(1030)["o"];
    return o["p99"] > o["bound"];
  };
  return all_of({holds_if(!above(kernel), "the plain implementation is above its bound"),
                 holds_if(above(forgets), "a kernel without memory keeps its bound"),
                 holds_if(above(displaces), "a kernel that displaces its states keeps its bound")});
}

/// A kernel that dies on its first window can go on from where a good one was.
Outcome goes_on_from_what_is_kept() {
  const TemporaryFolder folder;
  const Kernel kernel = plain_kernel();
  Kernel late = kernel;
  late.run = [run = kernel.run](const Case& c, const Execution& execution) {
    if (!c.has("S0") && c.sizes[Axis::time] == window_tokens) std::raise(SIGKILL);
    return run(c, execution);
  };
  const auto curves = [&](const Kernel& k, std::int64_t last, const std::filesystem::path& progress) {
    const DriftPlan plan{.kernels = {&k},
                         .lengths = {512, 2048, last},
                         .width = 4,
                         .family = "unit_keys",
                         .axis_tokens = 512,
                         .progress = progress};
    return run_drift(plan, tables_with({&k, 1}), [](std::size_t, std::size_t) {})["curves"].dump();
  };
  const std::string without = curves(kernel, 4096, {});
  curves(kernel, 3072, folder.path());
  return same("curves", curves(late, 4096, folder.path()), without);
}

std::string refusal(const Series& series, const std::filesystem::path& file) {
  try {
    read_progress(series, file);
    return "none";
  } catch (const RecordError& error) {
    return error.what();
  }
}

Outcome other_progress_is_refused() {
  const TemporaryFolder folder;
  const Kernel kernel = plain_kernel();
  const Series series = series_of(kernel, {1024});
  const std::filesystem::path file = progress_file(folder.path(), series);
  write_progress(series, advance(series, {}, 1024, tables_with({&kernel, 1})), file);
  Series other_seed = series, other_length = series;
  other_seed.seed = 2;
  other_length.lengths = {512, 2048};
  const std::string whole = read_whole_file(file);
  std::string shorter = whole;
  shorter.replace(shorter.find("\"S\":\"") + 5, 16, "");
  const auto says = [](const std::string& line, const std::string& rule) {
    return holds_if(line.find(rule) != std::string::npos && line.find('\n') == std::string::npos,
                    fmt::format("'{}' does not say '{}'", line, rule));
  };
  const Outcome same_series = same<std::string>("the same series", refusal(series, file), "none");
  const Outcome seed = says(refusal(other_seed, file), "seed = 1: this run has 2");
  const Outcome length = says(refusal(other_length, file), "is beyond T = 512, where it was not measured");
  write_whole_file(shorter, file);
  const Outcome cut_state = says(refusal(series, file), "a state of 31 numbers: needs [1, 2, 4, 4]");
  write_whole_file(whole.substr(0, whole.size() / 2), file);
  const Outcome half = says(refusal(series, file), "not a whole JSON text");
  write_whole_file("{}", file);
  return all_of(
      {same_series, seed, length, cut_state, half, says(refusal(series, file), "not the progress of a series")});
}

/// Curves against length, decay and C, and a row of shares for each output and family.
Outcome every_axis_has_curves() {
  const Kernel kernel = plain_kernel(true);
  const DriftPlan plan{.kernels = {&kernel}, .lengths = {64, 128}, .heads = 1, .width = 16};
  const Json found = run_drift(plan, tables_with({&kernel, 1}), [](std::size_t, std::size_t) {});
  std::multiset<std::string> seen, wanted;
  for (const Json& curve : found["curves"])
    seen.insert(fmt::format("{} {} {} {}", curve["axis"].get<std::string>(), curve["family"].get<std::string>(),
                            curve["output"].get<std::string>(), curve["x"].dump()));
  for (const char* output : {"o", "S"}) {
    wanted.insert(fmt::format("length unit_keys {} [64,128]", output));
    wanted.insert(fmt::format("length no_decay {} [64,128]", output));
    wanted.insert(fmt::format("log_decay unit_keys {} [-200,-10,-0.0078125,-0.0009765625,0]", output));
    wanted.insert(fmt::format("chunk unit_keys {} [16,32,64]", output));
  }
  std::string text;
  for (const std::string& line : seen) text += line + "; ";
  return holds_if(seen == wanted, text);
}

/// Shares of each output add up to 1, and together the kinds make the error that was measured, within kappa of R2.
Outcome shares_add_up() {
  FirstFailure found;
  for (const bool chunks : {false, true}) {
    const Kernel kernel = plain_kernel(chunks);
    const DriftPlan plan{.kernels = {&kernel}, .lengths = {256}, .width = 16};
    const Json shares = run_drift(plan, tables_with({&kernel, 1}), [](std::size_t, std::size_t) {})["shares"];
    found.note(same<std::size_t>("rows", shares.size(), 4));
    for (const Json& row : shares) {
      double sum = 0;
      for (const auto& [kind, share] : row["kinds"].items()) sum += share.get<double>();
      const double together = row["together"], measured = row["measured"];
      found.note(
          holds_if(std::abs(sum - 1) < 0x1p-40, fmt::format("shares of {} add up to {}", row["output"].dump(), sum)));
      found.note(holds_if(together <= 4 * measured && measured <= 4 * together, row.dump()));
      found.note(same("operands", row["kinds"].contains("operand"), chunks));
    }
  }
  return found.outcome();
}

/// Of a kernel that is run whole: its families' places, each where there are two or more.
Outcome places_have_curves() {
  const Kernel& kernel = *std::ranges::find(kernel_table(), "sas.attention/tiled.f32", &Kernel::name);
  const DriftPlan plan{.kernels = {&kernel}, .lengths = {64, 128}, .heads = 1, .width = 16};
  const Json found = run_drift(plan, Tables{.oracles = oracle_table()}, [](std::size_t, std::size_t) {});
  std::multiset<std::string> seen, wanted;
  for (const Json& curve : found["curves"])
    seen.insert(fmt::format("{} {} {}", curve["axis"].get<std::string>(), curve["output"].get<std::string>(),
                            curve["x"].dump()));
  for (const char* output : {"o", "lse"}) {
    wanted.insert(fmt::format("length {} [64,128]", output));
    wanted.insert(fmt::format("logit_deviation {} [0.0009765625,1,16]", output));
    wanted.insert(fmt::format("log_gate_range {} [0,4,16,200]", output));
  }
  return holds_if(seen == wanted, fmt::format("{}", fmt::join(seen, "; ")));
}

}  // namespace

std::vector<Law> run_drift_series_laws() {
  const auto law = [](std::string_view law_name, std::string_view statement, auto run) {
    return enumerated(law_name, statement, "", "the plain implementation of gated_delta.attention", run);
  };
  return {
      law("run.a_series_in_parts_is_the_series_in_one", "kept as text after every window: the same bits",
          parts_are_the_whole),
      law("run.a_point_does_not_depend_on_other_lengths", "windows are drawn each by itself", lengths_do_not_matter),
      law("run.a_series_hands_its_states_on", "a kernel that forgets them is above its bound", states_are_handed_on),
      law("run.a_study_goes_on_from_what_it_kept", "windows that are behind it are not run again",
          goes_on_from_what_is_kept),
      law("run.progress_of_another_study_is_refused", "in one line with the value and the rule",
          other_progress_is_refused),
      law("run.a_study_has_curves_against_length_decay_and_chunk", "of a kernel that is followed in windows",
          every_axis_has_curves),
      law("run.errors_of_whole_kernels_are_measured_along_axes",
          "a family that stands on an axis is a point of its curve, if another one is", places_have_curves),
      law("run.shares_of_causes_add_up", "to 1, and in squares to the measured error", shares_add_up)};
}

}  // namespace assay
