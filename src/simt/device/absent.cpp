#include "simt/device/description.hpp"
#include "simt/device/device_memory.hpp"
#include "simt/device/recorded_launches.hpp"
#include "simt/options.hpp"

namespace assay::simt {
namespace {

[[noreturn]] void fail() {
  throw Error("simt: this program was built without a device machine: configure with -DASSAY_CUDA=ON");
}

}  // namespace

DeviceDescription describe_device() { fail(); }

namespace runtime {

class Recording {};

std::unique_ptr<Memory> device_memory(std::string, Rows) { fail(); }

}  // namespace runtime

RecordedLaunches::RecordedLaunches() { fail(); }
RecordedLaunches::~RecordedLaunches() = default;
std::size_t RecordedLaunches::size() const { fail(); }
void RecordedLaunches::replay() const { fail(); }
LaunchTimes RecordedLaunches::times() const { fail(); }

}  // namespace assay::simt
