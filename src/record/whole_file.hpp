#pragma once

#include <filesystem>
#include <string>

namespace assay {

/// Writes to a temporary file beside `path`, then renames. Throws RecordError with the path and the reason; the old
/// file is then untouched.
void write_whole_file(const std::string& text, const std::filesystem::path& path);

/// Throws RecordError if no file can be written beside `path`.
void require_writable(const std::filesystem::path& path);

/// Throws RecordError with the path and the reason.
std::string read_whole_file(const std::filesystem::path& path);

}  // namespace assay
