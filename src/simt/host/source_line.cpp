#include "simt/host/source_line.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "simt/host/executable.hpp"

namespace assay::simt::runtime {
namespace {

/// The lines that a command prints, each up to its first space; none if it cannot be run.
std::vector<std::string> lines_of(const std::string& command) {
  const std::unique_ptr<FILE, decltype(&pclose)> output(popen(command.c_str(), "r"), &pclose);
  std::array<char, 1024> line = {};
  std::vector<std::string> lines;
  while (output && std::fgets(line.data(), line.size(), output.get()) != nullptr) {
    const std::string text = line.data();
    lines.push_back(text.substr(0, text.find_first_of(" \n")));
  }
  return lines;
}

}  // namespace

std::string source_line(const void* code) {
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(code) - load_address();
  const std::uintptr_t call = offset - 1;  // inside the instruction before the return address
  // From the innermost inlined function outwards: the first line that is not the machine's own.
  for (const std::string& line :
       lines_of(fmt::format("addr2line --inlines --exe=/proc/{}/exe {:#x} 2>/dev/null", getpid(), call)))
    if (line.find("/simt/host/") == std::string::npos && line.find('?') == std::string::npos)
      return line.substr(line.rfind('/') + 1);
  return fmt::format("program address {:#x}", call);
}

}  // namespace assay::simt::runtime
