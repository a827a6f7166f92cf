#include "run/baseline.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

Baseline good_baseline() {
  const Cell cell{.name = {"a.b/c", "bell", "T ≤ 64"},
                  .seeds = {3, 9},
                  .inputs = 0xfedcba9876543210,
                  .slack = 0.3125,
                  .digests = {0x0123456789abcdef, 7},
                  .levels = {{"S", {std::nullopt, -20.5}}, {"o", {-23.125, -24}}}};
  return {.history = {{"the sum is blocked now", "#12", {"a.b/c, bell, T ≤ 64: worse"}}}, .cells = {cell}};
}

/// The line of the RecordError, or nothing.
std::string refusal_of(const std::string& text) {
  try {
    parse_baseline(text, "host.json");
  } catch (const RecordError& error) {
    return error.what();
  }
  return "";
}

/// Refused with one line that begins with the file and holds `part`.
Outcome refused_with(const std::string& text, const std::string& part) {
  const std::string line = refusal_of(text);
  return holds_if(
      line.starts_with("host.json: ") && line.find(part) != std::string::npos && line.find('\n') == std::string::npos,
      fmt::format("'{}' lacks '{}'", line, part));
}

/// The good file with one piece replaced.
std::string with(const std::string& old_piece, const std::string& new_piece) {
  std::string text = baseline_text(good_baseline());
  const std::size_t at = text.find(old_piece);
  if (at == std::string::npos) throw std::logic_error("the file has no piece " + old_piece);
  return text.replace(at, old_piece.size(), new_piece);
}

Outcome comes_back() {
  const std::string text = baseline_text(good_baseline());
  const Baseline back = parse_baseline(text, "host.json");
  const Cell cell = good_baseline().cells.front(), &read = back.cells.at(0);
  return all_of({same<std::string>("text", baseline_text(back), text),
                 same<std::string>("name", read.name.text(), cell.name.text()), same("seeds", read.seeds, cell.seeds),
                 same("inputs", read.inputs, cell.inputs), same("digests", read.digests, cell.digests),
                 holds_if(read.levels == cell.levels, "levels differ"), same("slack", read.slack, cell.slack),
                 same<std::string>("reason", back.history.at(0).reason, "the sum is blocked now")});
}

Outcome truncated() {
  const std::string text = baseline_text(good_baseline());
  FirstFailure found;
  // Without the newline at its end the text is still whole.
  for (std::size_t bytes = 0; bytes + 1 < text.size(); ++bytes)
    found.note(refused_with(text.substr(0, bytes), "not a whole JSON text"));
  return found.outcome();
}

Outcome broken_rules() {
  return all_of({refused_with("{}", "no key 'baseline'"), refused_with("[1]", "not a baseline"),
                 refused_with(with("\"baseline\": 1", "\"baseline\": 2"), "baseline 2, this program reads 1"),
                 refused_with(with("\"baseline\": 1", "\"baseline\": \"1\""), "this program reads 1"),
                 refused_with(with("\"cells\": [", "\"rows\": ["), "cells: needs to be a list"),
                 refused_with(with("\"kernel\"", "\"colonel\""), "cells[0]: key 'kernel' not found"),
                 refused_with(with("[3,9]", "[3]"), "cells[0]: 2 digests for 1 cases"),
                 refused_with(with("[3,9]", "[]"), "cells[0]"),
                 refused_with(with("[-23.125,-24.0]", "[-24.0]"), "cells[0]: 1 levels for 2 cases"),
                 refused_with(with("0123456789abcdef", "0123 56789abcdef"), "needs hexadecimal digits"),
                 refused_with(with("0.3125", "\"small\""), "cells[0]"),
                 refused_with(with("\"issue\"", "\"tissue\""), "history[0]: key 'issue' not found")});
}

/// The line with which a file is refused.
std::string read_refusal(const std::filesystem::path& path) {
  try {
    read_baseline(path);
  } catch (const RecordError& error) {
    return error.what();
  }
  return "it was read";
}

Outcome unreadable() {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string absent = folder / "assay_no_such_baseline.json";
  return all_of({same<std::string>("absent", read_refusal(absent), absent + ": No such file or directory"),
                 same<std::string>("folder", read_refusal(folder), folder.string() + ": is a folder")});
}

}  // namespace

std::vector<Law> run_baseline_laws() {
  const auto law = [](std::string_view name, std::string_view statement, auto run) {
    return enumerated(name, statement, "", "texts", run);
  };
  return {
      law("run.a_baseline_comes_back_as_it_was_written", "every field, and the same text again", comes_back),
      law("run.a_baseline_cut_anywhere_is_refused", "in one line with the file's name", truncated),
      law("run.a_baseline_that_breaks_a_rule_is_refused_with_the_place", "key, length, version, digest", broken_rules),
      law("run.a_baseline_that_cannot_be_read_is_refused_with_the_reason", "absent, a folder", unreadable)};
}

}  // namespace assay
