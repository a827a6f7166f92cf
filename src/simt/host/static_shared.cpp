#include "simt/host/static_shared.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string_view>

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "simt/host/executable.hpp"
#include "simt/kernel_name.hpp"
#include "simt/options.hpp"

namespace assay::simt::runtime {
namespace {

/// The running program's file, mapped.
std::span<const std::byte> executable_file() {
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat about = {};
  if (file < 0 || fstat(file, &about) != 0) throw Error("simt: cannot read the running program's file");
  const auto bytes = static_cast<std::size_t>(about.st_size);
  void* map = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (map == MAP_FAILED) throw Error("simt: cannot map the running program's file");
  return {static_cast<const std::byte*>(map), bytes};
}

struct Symbol {
  std::string_view name;
  std::uintptr_t value;
  std::size_t bytes;
};

struct SymbolTable {
  std::vector<Symbol> functions;
  std::vector<Symbol> arrays;  // thread-local variables inside functions
};

SymbolTable read_symbol_table() {
  const std::byte* file = executable_file().data();
  const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(file);
  const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(file + header->e_shoff);
  SymbolTable table;
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const auto* names = reinterpret_cast<const char*>(file + sections[sections[i].sh_link].sh_offset);
    const std::span symbols(reinterpret_cast<const ElfW(Sym)*>(file + sections[i].sh_offset),
                            sections[i].sh_size / sizeof(ElfW(Sym)));
    for (const auto& s : symbols) {
      const Symbol symbol = {names + s.st_name, static_cast<std::uintptr_t>(s.st_value), s.st_size};
      const int type = s.st_info & 0xf;
      if (type == STT_FUNC && s.st_value != 0) table.functions.push_back(symbol);
      if (type == STT_TLS && symbol.name.starts_with("_ZZ")) table.arrays.push_back(symbol);
    }
  }
  if (table.functions.empty())
    throw Error("simt: the program was stripped of its symbols, so __shared__ arrays cannot be found");
  std::sort(table.functions.begin(), table.functions.end(), [](auto& a, auto& b) { return a.value < b.value; });
  std::sort(table.arrays.begin(), table.arrays.end(), [](auto& a, auto& b) { return a.value < b.value; });
  return table;
}

const SymbolTable& symbol_table() {
  static const SymbolTable table = read_symbol_table();
  return table;
}

/// "_ZZN4host4gemmEvE2As" -> "As"
std::string local_name(std::string_view symbol) {
  const std::string text = demangled(std::string(symbol));
  return text.substr(text.rfind("::") == std::string::npos ? 0 : text.rfind("::") + 2);
}

KernelSymbols look_up(const void* kernel) {
  const auto& [functions, arrays] = symbol_table();
  const std::uintptr_t value = reinterpret_cast<std::uintptr_t>(kernel) - load_address();
  const auto found =
      std::lower_bound(functions.begin(), functions.end(), value, [](auto& f, auto v) { return f.value < v; });
  if (found == functions.end() || found->value != value)
    throw Error("simt: a launched kernel is not a function of the program itself");
  const std::string mangled(found->name);
  KernelSymbols kernel_found = {kernel_name(mangled), {}, 0};
  const std::string prefix = "_ZZ" + mangled.substr(std::min<std::size_t>(2, mangled.size())) + "E";
  for (const Symbol& array : arrays) {
    if (!array.name.starts_with(prefix)) continue;
    kernel_found.arrays.push_back({local_name(array.name), array.value, array.bytes});
    kernel_found.shared_bytes += array.bytes;
  }
  return kernel_found;
}

}  // namespace

const KernelSymbols& kernel_symbols(const void* kernel) {
  static std::mutex guard;
  static std::map<const void*, KernelSymbols> known;
  const std::lock_guard lock(guard);
  const auto found = known.find(kernel);
  return found != known.end() ? found->second : known.emplace(kernel, look_up(kernel)).first->second;
}

SharedArray shared_array_at(std::size_t offset) {
  for (const Symbol& array : symbol_table().arrays)
    if (offset >= array.value && offset < array.value + array.bytes)
      return {demangled(std::string(array.name)), array.value, array.bytes};
  return {};
}

}  // namespace assay::simt::runtime
