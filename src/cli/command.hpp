#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

#include <CLI/CLI.hpp>

#include "record/record.hpp"
#include "run/tables.hpp"

namespace assay::cli {

/// Exit codes: DESIGN of the command line. A script may rely on them.
enum Exit : int {
  exit_pass = 0,
  exit_fail = 1,         ///< any fail; suspect under --strict; gate worse or broken; a verdict that was not expected
  exit_usage = 2,        ///< wrong usage, unreadable input, a glob that matches nothing
  exit_environment = 3,  ///< something that the command needs is not here
  exit_undecided = 4,    ///< more indeterminate or vacuous cases than an acceptance run allows
};

/// Ends the command with one line on standard error.
struct Stop : std::runtime_error {
  Stop(Exit code, const std::string& line) : std::runtime_error(line), exit(code) {}
  Exit exit;
};

/// What every command gets.
struct Context {
  const Tables& tables;
  std::string command_line;  ///< "assay verify --cases 50"
};

/// Where a command's record goes and what is told on the way.
struct Output {
  std::string json;  ///< --json FILE|-
  bool quiet = false;

  /// Adds --json and --quiet.
  void add_to(CLI::App& app);

  /// The stream for people: standard error when the record goes to standard output.
  std::FILE* people() const { return json == "-" ? stderr : stdout; }

  /// Writes the record if one was asked for.
  void write(const Json& record) const;
};

/// A line that counts up on a terminal; silent elsewhere.
class ProgressLine {
 public:
  ProgressLine(std::string what, bool quiet);
  ~ProgressLine();
  void show(std::size_t done, std::size_t total);
  void clear();

 private:
  std::string what_;
  bool enabled_;
  bool shown_ = false;
};

/// Names of a table's rows.
template <class Table>
std::vector<std::string_view> names_of(const Table& table) {
  std::vector<std::string_view> names;
  for (const auto& row : table) names.push_back(row.name);
  return names;
}

/// Adds an option that takes a whole number in [least, most].
CLI::Option* add_count(CLI::App& app, const std::string& name, std::uint64_t& value, const std::string& description,
                       std::uint64_t least, std::uint64_t most);

/// A JSON number holds a seed exactly.
inline constexpr std::uint64_t largest_seed = (std::uint64_t{1} << 53) - 1;
inline constexpr std::uint64_t most_cases = 1'000'000'000;

/// Adds --seed.
void add_seed(CLI::App& app, std::uint64_t& seed);

/// Adds --paper, which must match the paper of some operator or law.
void add_paper(CLI::App& app, std::string& paper, const Tables& tables);

/// Adds an option for a file that the command writes at its end; that it can be written is known before.
CLI::Option* add_written_file(CLI::App& app, const std::string& name, std::string& path,
                              const std::string& description);

/// Makes a folder for what a command writes, before it starts. Throws Stop(exit_usage) with the path and the reason.
void make_folder(const std::filesystem::path& folder);

/// Throws Stop(exit_usage): "no kernel matches 'scn.f32': did you mean sanatan.attention/scan.f32?"
[[noreturn]] void nothing_matches(std::string_view what, std::string_view pattern,
                                  const std::vector<std::string_view>& names);

/// Each adds its subcommand; `run` is called after parsing if it was chosen.
void add_list(CLI::App& app, const Context& context);
void add_verify(CLI::App& app, const Context& context);
void add_audit(CLI::App& app, const Context& context);
void add_mutants(CLI::App& app, const Context& context);
void add_gate(CLI::App& app, const Context& context);
void add_replay(CLI::App& app, const Context& context);
void add_export(CLI::App& app, const Context& context);
void add_judge(CLI::App& app, const Context& context);
void add_drift(CLI::App& app, const Context& context);
void add_bench(CLI::App& app, const Context& context);
void add_bits(CLI::App& app, const Context& context);

/// Adds to `bits` what asks the machine itself: mma and functions.
void add_bits_machine(CLI::App& bits, const Context& context);

}  // namespace assay::cli
