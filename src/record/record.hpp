#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

namespace assay {

using Json = nlohmann::ordered_json;

inline constexpr int schema_version = 1;

/// A record could not be read or written.
struct RecordError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The keys that every record has; `command` is the command line, "assay verify --cases 50".
Json make_record(const std::string& command, double seconds, Json summary);

/// x, or "nan", "inf", "-inf": JSON has no other way to write them.
Json real_json(double x);

/// 16 hexadecimal digits.
std::string digest_text(std::uint64_t digest);
std::uint64_t parse_digest(const std::string& text);  ///< throws RecordError

/// The JSON value of a text; `file` names it where it is none. Throws RecordError.
Json parse_json(const std::string& text, const std::string& file);

/// write_whole_file; "-" writes to standard output. Throws RecordError.
void write_record(const Json& record, const std::filesystem::path& path);

/// Reads a record and demands its schema version. Throws RecordError.
Json read_record(const std::filesystem::path& path);

}  // namespace assay
