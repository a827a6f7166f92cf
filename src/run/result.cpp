#include "run/result.hpp"

#include <array>

#include <fmt/format.h>

#include "judge/mismatch.hpp"
#include "record/environment.hpp"
#include "run/shapes.hpp"

namespace assay {
namespace {

Json roundings_json(const RoundingSamples& samples) {
  Json json = Json::object();
  for (const auto& [output, sample] : samples)
    json[output] = {{"elements", sample.elements}, {"bias", sample.bias}, {"square", sample.square}};
  return json;
}

Json worst_json(const Worst& worst) {
  if (worst.output.empty()) return nullptr;
  return {{"index", worst.index},
          {"got", real_json(worst.got)},
          {"want", real_json(worst.want)},
          {"got_hex", fmt::format("{:a}", worst.got)},
          {"want_hex", fmt::format("{:a}", worst.want)},
          {"ulp", real_json(worst.ulp)},
          {"error", real_json(worst.error)},
          {"radius", real_json(worst.radius)},
          {"bound", real_json(worst.bound)},
          {"deterministic_bound", real_json(worst.deterministic_bound)},
          {"slack", real_json(worst.slack)}};
}

std::string backend_option() { return names_device() ? " --backend cuda" : ""; }

}  // namespace

std::string verify_command(const std::string& kernel, const std::string& mutant, const Case& c, std::string_view law) {
  return fmt::format(
      "assay verify{} {} --family {} --cases 1 --seed {}{}", law.empty() ? "" : fmt::format(" --law '{}'", law),
      mutant.empty() ? fmt::format("--kernel '{}'", kernel) : "--mutant " + mutant, c.family, c.seed, backend_option());
}

std::string replay_command(const std::string& folder, const Kernel& kernel, const StoredCase& stored) {
  std::string command = fmt::format("assay replay '{}'{}", folder, backend_option());
  if (!kernel.mutant.empty()) return command + " --mutant " + kernel.mutant;
  if (kernel.name != stored.kernel) command += fmt::format(" --kernel '{}'", kernel.name);
  return command;
}

Json result_json(const Evaluation& e) {
  const Judgement& j = e.judgement;
  Json row = {
      {"kernel", e.kernel},
      {"operator", e.input.op->name},
      {"family", e.input.family},
      {"shapes", shapes_json(e.input)},
      {"seed", e.input.seed},
      {"output", j.worst.output.empty() ? "none" : j.worst.output},
      {"verdict", name_of(j.verdict)},
      {"rule", name_of(j.rule)},
      {"worst", worst_json(j.worst)},
      {"slack", {{"p50", real_json(j.slack.p50)}, {"p99", real_json(j.slack.p99)}, {"max", real_json(j.slack.max)}}},
      {"detectable_fault", {{"p50", real_json(j.detectable_p50)}, {"p99", real_json(j.detectable_p99)}}},
      {"vacuous", j.vacuous},
      {"degenerate", j.degenerate},
      {"digest", digest_text(e.digest)},
      {"replay", verify_command(e.kernel, e.mutant, e.input)}};
  if (!e.roundings.empty()) row["roundings"] = roundings_json(e.roundings);
  if (e.tolerances) row["tolerances"] = {{"allclose", e.tolerances->allclose}, {"rms_ratio", e.tolerances->rms_ratio}};
  if (j.vacuous) row["vacuous_by"] = j.vacuous_by;
  if (!e.text.empty()) row["text"] = e.text;
  return row;
}

std::string mismatch_text(const Evaluation& e) {
  return mismatch_text(e, verify_command(e.kernel, e.mutant, e.input), "");
}

std::string mismatch_text(const Evaluation& e, const std::string& replay, const std::string& found) {
  return mismatch_text(e.input, {.kernel = e.kernel, .replay = replay, .found = found, .text = e.text}, e.judgement);
}

Json law_json(const Law& law, const LawResult& result, std::uint64_t seed) {
  constexpr std::array<std::string_view, 3> verdicts = {"pass", "fail", "skipped"};
  constexpr std::array<std::string_view, 3> proofs = {"exactly", "by_evaluation", "tested"};
  Json row = {{"name", law.name},
              {"kind", "identity"},
              {"verdict", verdicts[static_cast<std::size_t>(result.verdict)]},
              {"proof", proofs[static_cast<std::size_t>(law.proof)]},
              {"trials", result.trials},
              {"false_accept", nullptr},
              {"seconds", result.seconds},
              {"statement", law.statement},
              {"replay", fmt::format("assay verify --law '{}' --cases 0 --seed {}", law.name, seed)}};
  if (law.proof == Proof::exactly) row["false_accept"] = "0";
  if (law.proof == Proof::by_evaluation) row["false_accept"] = fmt::format("2^-{:.0f}", -result.log2_false_accept);
  if (!law.source.empty()) row["source"] = law.source;
  if (!result.text.empty()) row["text"] = result.text;
  return row;
}

}  // namespace assay
