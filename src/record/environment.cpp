#include "record/environment.hpp"

#include <fstream>
#include <string>

#include <sys/utsname.h>

#include "assay_version.hpp"

namespace assay {
namespace {

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  return "unknown processor";
}

std::string host() {
  utsname system{};
  ::uname(&system);
  return processor() + ", " + system.sysname + " " + system.release + " " + system.machine;
}

nlohmann::ordered_json& device_fields() {
  static nlohmann::ordered_json fields = {{"device", nullptr}, {"driver", nullptr}};
  return fields;
}

}  // namespace

void name_device(const std::string& device, const std::string& driver) {
  device_fields() = {{"device", device}, {"driver", driver}};
}

bool names_device() { return !device_fields()["device"].is_null(); }

nlohmann::ordered_json environment_json() {
  return {{"version", version::number},
          {"commit", version::commit},
          {"dirty", version::dirty},
          {"compiler", version::compiler},
          {"flags", version::flags},
          {"host", host()},
          {"device", device_fields()["device"]},
          {"driver", device_fields()["driver"]}};
}

}  // namespace assay
