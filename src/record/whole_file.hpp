#pragma once

#include <filesystem>
#include <string>

namespace assay {

/// Writes to a temporary file beside `path`, then renames. Throws RecordError with the path and the reason; the old
/// file is then untouched.
void write_whole_file(const std::string& text, const std::filesystem::path& path);

/// Throws RecordError, as write_whole_file would at this moment: a long command asks before it starts.
void require_writable(const std::filesystem::path& path);

/// Throws RecordError with the path and the reason.
std::string read_whole_file(const std::filesystem::path& path);

}  // namespace assay
