#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/record.hpp"

namespace assay {

inline constexpr int baseline_version = 1;

/// What a cell's cases have in common.
struct CellName {
  std::string kernel, family, size;

  std::string text() const { return kernel + ", " + family + ", " + size; }
  friend auto operator<=>(const CellName&, const CellName&) = default;
};

/// The cases of one kernel, family and size class, and what they gave when the baseline was made. The case of a seed is
/// `assay verify --kernel KERNEL --family FAMILY --cases 1 --seed SEED`.
struct Cell {
  CellName name;
  std::vector<std::uint64_t> seeds;
  std::uint64_t inputs = 0;            ///< digest of all inputs: generators that changed give other cases
  double slack = 0;                    ///< the largest
  std::vector<std::uint64_t> digests;  ///< of the outputs of each case
  /// error_level of each case, by output; to three decimals.
  std::map<std::string, std::vector<std::optional<double>>> levels;
};

/// One time that --update was allowed to let go of something.
struct Loosening {
  std::string reason, issue;
  std::vector<std::string> cells;  ///< "KERNEL, FAMILY, SIZE: worse"
};

struct Baseline {
  std::vector<Loosening> history;
  std::vector<Cell> cells;
};

/// Throws RecordError with one line: the file, the place in it and the rule that it breaks.
Baseline read_baseline(const std::filesystem::path& path);

/// One line of text a cell, so that a difference shows which cells changed. Throws RecordError.
void write_baseline(const Baseline& baseline, const std::filesystem::path& path);

/// The file's text, and back.
std::string baseline_text(const Baseline& baseline);
Baseline parse_baseline(const std::string& text, const std::string& file);

}  // namespace assay
