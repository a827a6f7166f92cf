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

}  // namespace

nlohmann::ordered_json environment_json() {
  return {{"version", version::number}, {"commit", version::commit},
          {"dirty", version::dirty},    {"compiler", version::compiler},
          {"flags", version::flags},    {"host", host()},
          {"device", nullptr},          {"driver", nullptr}};
}

}  // namespace assay
