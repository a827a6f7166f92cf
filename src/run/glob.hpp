#pragma once

#include <string_view>

namespace assay {

/// Whether `name` matches the shell pattern; * and ? also match '/'. A pattern without wildcards also matches the end
/// of a name after '/' or '.': "scan.f32" finds "sanatan.attention/scan.f32".
bool matches(std::string_view pattern, std::string_view name);

/// The name nearest to `wanted` by edit distance; empty if there is none.
template <class Names>
std::string_view nearest(std::string_view wanted, const Names& names);

/// Levenshtein distance.
std::size_t edit_distance(std::string_view a, std::string_view b);

template <class Names>
std::string_view nearest(std::string_view wanted, const Names& names) {
  std::string_view best;
  std::size_t least = ~std::size_t{0};
  for (const std::string_view name : names)
    if (const std::size_t distance = edit_distance(wanted, name); distance < least) {
      least = distance;
      best = name;
    }
  return best;
}

}  // namespace assay
