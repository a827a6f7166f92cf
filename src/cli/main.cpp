#include <algorithm>
#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <malloc.h>

#include "cli/command.hpp"
#include "cli/tables.hpp"

namespace {

using namespace assay;

std::string command_line(int argc, char** argv) {
  std::string line = "assay";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain = word.find_first_of(" '\"*?[$\\") == std::string::npos;
    line += plain ? " " + word : fmt::format(" '{}'", word);
  }
  return line;
}

void require_known_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::ranges::find(names, argv[1]) == names.end())
    cli::nothing_matches("command", argv[1], {names.begin(), names.end()});
}

int run(int argc, char** argv) {
  CLI::App app("Numerical verification of attention kernels.", "assay");
  app.require_subcommand(1);
  const cli::Context context{cli::tables(), command_line(argc, argv)};
  cli::add_list(app, context);
  cli::add_verify(app, context);
  cli::add_audit(app, context);
  cli::add_mutants(app, context);
  cli::add_gate(app, context);
  cli::add_replay(app, context);
  cli::add_export(app, context);
  cli::add_judge(app, context);
  cli::add_drift(app, context);
  cli::add_bench(app, context);
  cli::add_bits(app, context);
  require_known_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    fmt::print(stderr, "assay: {} (assay --help lists the commands)\n", error.what());
    return cli::exit_usage;
  }
  return cli::exit_pass;
}

}  // namespace

int main(int argc, char** argv) {
  // Every case asks for the same large arrays again: their pages stay with the process.
  constexpr int large = 32 << 20;
  ::mallopt(M_MMAP_THRESHOLD, large);
  ::mallopt(M_TRIM_THRESHOLD, 8 * large);
  try {
    return run(argc, argv);
  } catch (const cli::Stop& stop) {
    if (*stop.what() != '\0') fmt::print(stderr, "assay: {}\n", stop.what());
    return stop.exit;
  } catch (const RecordError& error) {
    fmt::print(stderr, "assay: {}\n", error.what());
    return cli::exit_usage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "assay: internal error: {}\n", error.what());
    return cli::exit_fail;
  }
}
