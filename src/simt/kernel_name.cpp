#include "simt/kernel_name.hpp"

#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace assay::simt::runtime {
namespace {

/// "void assay::host::gemm<16>(float const*)" -> "void assay::host::gemm<16>"
void drop_parameters(std::string& name) {
  if (!name.ends_with(')')) return;
  int depth = 0;
  std::size_t i = name.size();
  do {
    --i;
    depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
  } while (depth > 0 && i > 0);
  name.resize(i);
}

}  // namespace

std::string demangled(const std::string& mangled) {
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, nullptr), &std::free);
  return text ? text.get() : mangled;
}

std::string kernel_name(const std::string& mangled) {
  std::string name = demangled(mangled);
  drop_parameters(name);
  if (name.starts_with("void ")) name.erase(0, 5);
  const std::size_t qualifier = name.rfind("::", name.find('<'));
  return qualifier == std::string::npos ? name : name.substr(qualifier + 2);
}

}  // namespace assay::simt::runtime
