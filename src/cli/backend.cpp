#include "cli/backend.hpp"

#include "kernels/table.hpp"
#include "record/environment.hpp"
#include "run/isolated.hpp"
#include "simt/device/description.hpp"

namespace assay::cli {
namespace {

/// Name and driver, each on a line.
std::string description(std::size_t) {
  const simt::DeviceDescription device = simt::describe_device();
  return device.name + "\n" + device.driver;
}

}  // namespace

void require_device(const std::string& asked_by) {
  run_isolated(1, {.processes = 1, .seconds_per_job = 60}, description, [&](std::size_t, const JobAnswer& answer) {
    if (answer.crashed) throw Stop(exit_environment, asked_by + ": " + answer.text);
    const std::size_t end = answer.text.find('\n');
    name_device(answer.text.substr(0, end), answer.text.substr(end + 1));
    return true;
  });
}

void Backend::add_to(CLI::App& app) {
  app.add_option("--backend", name_, "where kernels run: the machine on the CPU, or a GPU")
      ->check(CLI::IsMember({"host", "cuda"}))
      ->capture_default_str();
}

Context Backend::context(const Context& context) {
  if (name_ == "host") return context;
  require_device("--backend cuda");
  tables_ = context.tables;
  tables_.kernels = device_kernel_table();
  tables_.mutants = device_mutant_table();
  return {tables_, context.command_line};
}

}  // namespace assay::cli
