#include "cli/command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "record/whole_file.hpp"
#include "run/glob.hpp"

namespace assay::cli {

std::string writable(const std::string& path) {
  if (path != "-") require_writable(path);
  return "";
}

void Output::add_to(CLI::App& app) {
  app.add_option("--json", json, "write the record to FILE, or to standard output for -")
      ->type_name("FILE|-")
      ->check(writable);
  app.add_flag("--quiet", quiet, "no progress, no tables: mismatches and the last line only");
}

void Output::write(const Json& record) const {
  if (!json.empty()) write_record(record, json);
}

ProgressLine::ProgressLine(std::string what, bool quiet)
    : what_(std::move(what)), enabled_(!quiet && ::isatty(2) == 1) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(std::size_t done, std::size_t total) {
  if (!enabled_) return;
  fmt::print(stderr, "\r{} {}/{}\x1b[K", what_, done, total);
  shown_ = true;
}

void ProgressLine::clear() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
  shown_ = false;
}

void nothing_matches(std::string_view what, std::string_view pattern, const std::vector<std::string_view>& names) {
  const std::string_view close = nearest(pattern, names);
  throw Stop(exit_usage, fmt::format("no {} matches '{}'{}", what, pattern,
                                     close.empty() ? std::string() : fmt::format(": did you mean {}?", close)));
}

}  // namespace assay::cli
