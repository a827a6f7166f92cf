#pragma once

#include <memory>
#include <string>

#include "cli/command.hpp"

namespace assay::cli {

/// Names the GPU in records. Throws Stop(exit_environment), with what asked for it, where there is none. This process
/// itself never talks to the GPU: its workers, which are forked from it, do.
void require_device(const std::string& asked_by);

/// The machine that a command's kernels run on: --backend host|cuda.
class Backend {
 public:
  void add_to(CLI::App& app);

  /// The context of the command: on a GPU its kernels and mutants are the device builds, and records name the device.
  /// Throws Stop(exit_environment) where there is no GPU or the program has no device builds.
  Context context(const Context& context);

  bool on_device() const { return name_ == "cuda"; }

 private:
  std::string name_ = "host";
  Tables tables_;
};

}  // namespace assay::cli
