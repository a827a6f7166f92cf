#include "run/glob.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <fnmatch.h>

namespace assay {

bool matches(std::string_view pattern, std::string_view name) {
  const std::string p(pattern), n(name);
  if (::fnmatch(p.c_str(), n.c_str(), 0) == 0) return true;
  if (pattern.find_first_of("*?[") != std::string_view::npos || name.size() <= pattern.size()) return false;
  const char before = name[name.size() - pattern.size() - 1];
  return name.ends_with(pattern) && (before == '/' || before == '.');
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace assay
