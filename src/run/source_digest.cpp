#include "run/source_digest.hpp"

#include <fstream>
#include <set>
#include <string>

#include "problem/fnv.hpp"
#include "problem/operator.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

/// The files of a closure and the digest of those that were met.
class Closure {
 public:
  explicit Closure(fs::path tree) : tree_(std::move(tree)) {}

  void add(const fs::path& file) {
    if (!met_.insert(file.string()).second) return;
    std::ifstream in(tree_ / file);
    for (std::string line; std::getline(in, line);) {
      hash_.add(line);
      hash_.add("\n");
      add_included(line);
    }
  }

  std::uint64_t digest() const { return hash_.value(); }

 private:
  void add_included(const std::string& line) {
    const std::string include = "#include \"";
    if (!line.starts_with(include)) return;
    const std::string name = line.substr(include.size(), line.find('"', include.size()) - include.size());
    if (name.starts_with("simt/"))
      add("src/" + name);
    else if (name.starts_with("kernels/"))
      add(name);
  }

  fs::path tree_;
  std::set<std::string> met_;
  Fnv hash_;
};

}  // namespace

fs::path source_file(const Kernel& kernel) {
  const std::size_t slash = kernel.name.find('/');
  const std::string algorithm = kernel.name.substr(slash + 1, kernel.name.find('.', slash) - slash - 1);
  return fs::path("kernels") / kernel.op->paper / (algorithm + ".cuh");
}

std::uint64_t source_digest(const fs::path& tree, const fs::path& file) {
  if (!fs::exists(tree / file)) return 0;
  Closure closure(tree);
  closure.add(file);
  return closure.digest();
}

}  // namespace assay
