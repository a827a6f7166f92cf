#include "cli/command.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <unistd.h>

#include "record/whole_file.hpp"
#include "run/glob.hpp"

namespace assay::cli {

void Output::add_to(CLI::App& app) {
  add_written_file(app, "--json", json, "write the record to FILE, or to standard output for -")->type_name("FILE|-");
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

CLI::Option* add_count(CLI::App& app, const std::string& name, std::uint64_t& value, const std::string& description,
                       std::uint64_t least, std::uint64_t most) {
  const auto take = [=, &value](const std::string& text) {
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed == std::errc() && end == text.data() + text.size() && least <= value && value <= most) return;
    throw Stop(exit_usage, fmt::format("{} {}: needs a whole number from {} to {}", name, text, least, most));
  };
  return app.add_option_function<std::string>(name, take, description)
      ->type_name("N")
      ->default_str(std::to_string(value));
}

void add_seed(CLI::App& app, std::uint64_t& seed) {
  add_count(app, "--seed", seed, "everything drawn follows from it", 0, largest_seed);
}

void add_paper(CLI::App& app, std::string& paper, const Tables& tables) {
  const auto take = [&paper, &tables](const std::string& pattern) {
    std::vector<std::string_view> papers;
    for (const Kernel& kernel : tables.kernels) papers.push_back(kernel.op->paper);
    if (std::ranges::none_of(papers, [&](std::string_view name) { return matches(pattern, name); }))
      nothing_matches("paper", pattern, papers);
    paper = pattern;
  };
  app.add_option_function<std::string>("--paper", take, "only this paper")->type_name("P");
}

CLI::Option* add_written_file(CLI::App& app, const std::string& name, std::string& path,
                              const std::string& description) {
  const auto take = [&path](const std::string& text) {
    if (text != "-") require_writable(text);
    path = text;
  };
  return app.add_option_function<std::string>(name, take, description)->type_name("FILE");
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw Stop(exit_usage, fmt::format("{}: {}", folder.string(), failed.message()));
}

void nothing_matches(std::string_view what, std::string_view pattern, const std::vector<std::string_view>& names) {
  const std::string_view close = nearest(pattern, names);
  throw Stop(exit_usage, fmt::format("no {} matches '{}'{}", what, pattern,
                                     close.empty() ? std::string() : fmt::format(": did you mean {}?", close)));
}

}  // namespace assay::cli
