#include "kernels/machine/machine.hpp"
#include "simt/options.hpp"

namespace assay::kernels {
inline namespace device {
namespace machine {
namespace {

[[noreturn]] std::vector<MachineResults> absent() {
  throw simt::Error("simt: this program was built without a device machine: configure with -DASSAY_CUDA=ON");
}

}  // namespace

std::vector<MachineResults> mma_results() { absent(); }
std::vector<MachineResults> wgmma_results() { absent(); }
std::vector<MachineResults> function_results() { absent(); }
std::vector<MachineResults> approximation_results() { absent(); }
std::vector<MachineResults> table_results() { absent(); }

}  // namespace machine
}  // namespace device
}  // namespace assay::kernels
