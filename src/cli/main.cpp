#include <cstdlib>
#include <string>

#include <fmt/format.h>

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
