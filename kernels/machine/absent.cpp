#include "simt/device/absent.hpp"

#include "kernels/machine/machine.hpp"

namespace assay::kernels {
inline namespace device {
namespace machine {
std::vector<MachineResults> mma_results() { simt::no_device_machine(); }
std::vector<MachineResults> wgmma_results() { simt::no_device_machine(); }
std::vector<MachineResults> function_results() { simt::no_device_machine(); }
std::vector<MachineResults> approximation_results() { simt::no_device_machine(); }
std::vector<MachineResults> table_results() { simt::no_device_machine(); }

}  // namespace machine
}  // namespace device
}  // namespace assay::kernels
