#include "kernels/runner.hpp"

#include <fmt/format.h>

#include "simt/device/device_lost.hpp"
#include "simt/options.hpp"

namespace assay {
namespace {

using Bytes = simt::Buffer<std::byte>;

/// The arrays of one call, inputs copied in and outputs poisoned.
struct Arrays {
  std::map<std::string, Bytes, std::less<>> buffers;
  std::map<std::string, Call::Array, std::less<>> pointers;
  std::map<std::string, std::string> holders;  ///< whose buffer a name shares

  void add(simt::Machine machine, const std::string& name, const Tensor& tensor, bool written) {
    auto [it, added] = buffers.try_emplace(name, machine, name, tensor.bytes().size());
    if (written) it->second.set(tensor.bytes());
    pointers[name] = {it->second.data(), tensor.format()};
  }

  /// One array under two names.
  void share(const std::string& name, const std::string& holder) {
    pointers[name] = pointers.at(holder);
    holders[name] = holder;
  }

  std::vector<std::byte> bytes_of(const std::string& name) const {
    const auto shared = holders.find(name);
    return buffers.at(shared == holders.end() ? name : shared->second).values();
  }
};

Entry entry_for(const Build& build, Format element) {
  const Entry entry = element == Format::gf61   ? build.over_gf61
                      : element == Format::gf31 ? build.over_gf31
                                                : build.entry;
  if (entry == nullptr) throw KernelError(fmt::format("{}: not built for {}", build.name, name_of(element)));
  return entry;
}

}  // namespace

Run run_build(const Build& build, simt::Machine machine, const Case& c, const Execution& execution) {
  simt::Session session({.workers = execution.workers,
                         .schedule_seed = execution.schedule,
                         .poison = execution.poison,
                         .check = execution.machine == Execution::Machine::checked});
  Run run;
  try {
    Arrays arrays;
    for (const auto& [name, tensor] : c.inputs) arrays.add(machine, name, tensor, true);
    for (const TensorSpec& spec : c.op->tensors) {
      if (!build.limits.returns(spec, execution.sums)) continue;
      Tensor& out = run.outputs[std::string(spec.name)];
      out = Tensor(c.format_of(spec, build.contract.output), spec.shape(c.sizes));
      const TensorSpec* const initial = execution.in_place ? c.op->initial_of(spec) : nullptr;
      if (initial != nullptr && c.has(initial->name))
        arrays.share(std::string(spec.name), std::string(initial->name));
      else
        arrays.add(machine, std::string(spec.name), out, false);
    }
    entry_for(build, c.element)(Call(c, arrays.pointers));
    for (auto& [name, out] : run.outputs) std::ranges::copy(arrays.bytes_of(name), out.bytes().begin());
  } catch (const simt::DeviceLost& error) {
    throw KernelLost(error.what());
  } catch (const simt::Error& error) {
    throw KernelError(error.what());
  }
  return run;
}

}  // namespace assay
