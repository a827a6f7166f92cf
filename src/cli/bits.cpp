#include "cli/command.hpp"

namespace assay::cli {

void add_bits(CLI::App& app, const Context& context) {
  CLI::App* command = app.add_subcommand("bits", "host and device: the same bits?");
  command->require_subcommand(1);
  add_bits_machine(*command, context);
}

}  // namespace assay::cli
