#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "problem/case.hpp"

namespace assay {

/// Cases for somebody else's kernel: sizes that are met in practice, values that are due.
struct Export {
  const Operator* op = nullptr;
  std::string family = "*";
  Format element = Format::f32;
  std::uint64_t cases = 50, seed = 1;
  std::int64_t tokens = 512, heads = 2, width = 128;  ///< at most so many; widths are powers of two from 16
  std::int64_t group = 2;                             ///< most query heads that share keys
  bool ragged = false;                                ///< one case in four has packed sequences
  bool from_zero = false;                             ///< no case has an initial state
};

/// Whether the export has any family.
bool has_families(const Export& order);

/// Case number i. Families take turns; everything follows from the order's seed and i.
Case exported_case(const Export& order, std::uint64_t i);

/// Writes every case to a folder of its own in `folder`: "0001-unit_keys". Throws ExchangeError.
void export_cases(const Export& order, const std::filesystem::path& folder);

}  // namespace assay
