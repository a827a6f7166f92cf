#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "problem/families.hpp"
#include "problem/sized_case.hpp"
#include "record/record.hpp"
#include "run/tables.hpp"

namespace assay {

/// Tokens of a window: whole chunks of every kernel, and whole blocks of the oracle.
inline constexpr std::int64_t window_tokens = 1024;

/// One kernel on one family: what is followed from token to token.
struct Series {
  const Kernel* kernel = nullptr;
  const Family* family = nullptr;
  std::int64_t chunk = 0;             ///< C; 0: the kernel takes no chunks
  std::vector<std::int64_t> lengths;  ///< rising: where errors are measured
  std::uint64_t seed = 1;
  CaseSize size;  ///< `tokens` is not used

  Parameters parameters() const;
};

/// How far a series has come: between two windows, everything that the next one needs, whatever lies behind it.
struct SeriesProgress {
  std::int64_t tokens = 0;
  Tensors states;                       ///< the kernel's
  std::vector<double> truth;            ///< the oracle's state
  std::vector<double> errors;           ///< what the kernel's states may be wrong by
  std::map<std::int64_t, Json> points;  ///< drift_errors, by length
};

/// Windows up to token `until` or the last length, whichever comes first; each starts from the states that the kernel
/// and the oracle left. A length inside a window is measured on a run of the window's beginning.
SeriesProgress advance(const Series& series, SeriesProgress progress, std::int64_t until, const Tables& tables);

Json json_of(const SeriesProgress& progress);
/// Throws RecordError.
SeriesProgress parse_progress(const Series& series, const Json& json);

/// Where a study keeps the progress of a series. The file names everything that its numbers follow from, the program
/// included.
std::filesystem::path progress_file(const std::filesystem::path& folder, const Series& series);
void write_progress(const Series& series, const SeriesProgress& progress, const std::filesystem::path& file);
/// At its beginning if there is no file. Throws RecordError with one line where the file is of another series or has
/// passed a length without measuring it.
SeriesProgress read_progress(const Series& series, const std::filesystem::path& file);

}  // namespace assay
