#include "simt/device/absent.hpp"

#include "simt/device/description.hpp"
#include "simt/device/device_memory.hpp"
#include "simt/device/recorded_launches.hpp"
#include "simt/options.hpp"

namespace assay::simt {

void no_device_machine() {
  throw Error("simt: this program was built without a device machine: configure with -DASSAY_CUDA=ON");
}

DeviceDescription describe_device() { no_device_machine(); }
void start_device() { no_device_machine(); }

namespace runtime {

class Recording {};

std::unique_ptr<Memory> device_memory(std::string, Rows) { no_device_machine(); }

}  // namespace runtime

RecordedLaunches::RecordedLaunches() { no_device_machine(); }
RecordedLaunches::~RecordedLaunches() = default;
std::size_t RecordedLaunches::size() const { no_device_machine(); }
void RecordedLaunches::replay() const { no_device_machine(); }
LaunchTimes RecordedLaunches::times() const { no_device_machine(); }

}  // namespace assay::simt
