#include "simt/host/source_line.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "simt/host/executable.hpp"

namespace assay::simt::runtime {
namespace {

/// The first line that a command prints; empty if it cannot be run.
std::string first_line_of(const std::string& command) {
  const std::unique_ptr<FILE, decltype(&pclose)> output(popen(command.c_str(), "r"), &pclose);
  std::array<char, 512> line = {};
  if (!output || std::fgets(line.data(), line.size(), output.get()) == nullptr) return "";
  std::string text = line.data();
  return text.substr(0, text.find_first_of(" \n"));  // " (discriminator 2)" may follow
}

}  // namespace

std::string source_line(const void* code) {
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(code) - load_address();
  const std::uintptr_t call = offset - 1;  // inside the instruction before the return address
  const std::string line =
      first_line_of(fmt::format("addr2line --basenames --exe=/proc/{}/exe {:#x} 2>/dev/null", getpid(), call));
  return line.empty() || line.find('?') != std::string::npos ? fmt::format("program address {:#x}", call) : line;
}

}  // namespace assay::simt::runtime
