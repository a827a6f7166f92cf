#include "run/bits.hpp"

#include "properties/kernels/laws.hpp"
#include "properties/source_tree.hpp"

namespace assay {
namespace {

constexpr std::size_t cases_of_a_kernel = 8;

bool has_repeating_bits(const Kernel& kernel) {
  return kernel.mutant.empty() && kernel.contract.repeats != Repeats::never;
}

Outcome as_recorded(const KernelTrial& trial) {
  const DeviceRecords records{device_records_folder(), source_tree()};
  const RecordedBits bits = recompute_bits(trial.kernel, records, cases_of_a_kernel);
  return bits.wrong.empty() ? Outcome::holds() : Outcome::fails(bits.wrong);
}

}  // namespace

std::vector<KernelLaw> kernels_bits_laws() {
  return {{.name = "bits.are_those_that_a_gpu_returned",
           .statement = "8 cases of the device's record, or all if the kernel's source is not what it was",
           .covers = has_repeating_bits,
           .check = as_recorded,
           .of_contract = true}};
}

}  // namespace assay
