#include "cli/verdicts.hpp"

#include <fmt/format.h>

#include "run/pooled_roundings.hpp"
#include "run/shares.hpp"

namespace assay::cli {
namespace {

Exit exit_of(const Json& record, bool strict) {
  const Json& summary = record["summary"];
  for (const Json& law : record["laws"])
    if (law["verdict"] == "fail") return exit_fail;
  if (!failed_roundings_text(record["roundings"]).empty()) return exit_fail;
  if (summary["fail"] != 0 || (strict && summary["suspect"] != 0)) return exit_fail;
  return strict && !undecided_beyond_limits(record["shares"]).empty() ? exit_undecided : exit_pass;
}

}  // namespace

void conclude(const Json& body, const Judged& judged, const Output& output, const Context& context) {
  Json record = make_record(context.command_line, judged.seconds, body["summary"]);
  for (const char* key : {"counts", "laws", "results", "shares", "roundings", "detectable_fault", "cost"})
    record[key] = body[key];
  if (body.contains("stored_outputs")) record["stored_outputs"] = body["stored_outputs"];
  output.write(record);
  const Exit exit = exit_of(record, judged.strict);
  fmt::print(output.people(), "{}", failed_roundings_text(record["roundings"]));
  const Json& s = record["summary"];
  fmt::print(output.people(),
             "{}: {}: {} pass, {} suspect, {} fail, {} indeterminate; {} vacuous, {} degenerate ({:.1f} s, {})\n",
             exit == exit_pass   ? "pass"
             : exit == exit_fail ? "FAIL"
                                 : "undecided",
             judged.what, s["pass"].dump(), s["suspect"].dump(), s["fail"].dump(), s["indeterminate"].dump(),
             s["vacuous"].dump(), s["degenerate"].dump(), judged.seconds, judged.where);
  if (const Json& fault = record["detectable_fault"]; !fault["p50"].is_null())
    fmt::print(output.people(), "smallest detectable fault: {:.2g} of |o| in half of the cases, {:.2g} in 99 %\n",
               fault["p50"].get<double>(), fault["p99"].get<double>());
  if (exit == exit_undecided) fmt::print(output.people(), "undecided: {}\n", undecided_beyond_limits(record["shares"]));
  if (exit != exit_pass) throw Stop(exit, "");
}

}  // namespace assay::cli
