#include "record/record.hpp"

#include <charconv>
#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "record/environment.hpp"
#include "record/whole_file.hpp"

namespace assay {

Json make_record(const std::string& command, double seconds, Json summary) {
  return {{"schema", schema_version},
          {"command", command},
          {"environment", environment_json()},
          {"seconds", seconds},
          {"summary", std::move(summary)}};
}

Json real_json(double x) {
  if (std::isfinite(x)) return x;
  if (std::isnan(x)) return "nan";
  return x > 0 ? "inf" : "-inf";
}

std::string digest_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

std::uint64_t parse_digest(const std::string& text) {
  std::uint64_t digest = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), digest, 16);
  if (error != std::errc() || end != text.data() + text.size())
    throw RecordError(fmt::format("digest '{}': needs hexadecimal digits", text));
  return digest;
}

void write_record(const Json& record, const std::filesystem::path& path) {
  const std::string text = record.dump(1) + "\n";
  if (path == "-") {
    std::cout << text << std::flush;
    if (!std::cout) throw RecordError("standard output: the record could not be written");
    return;
  }
  write_whole_file(text, path);
}

Json parse_json(const std::string& text, const std::string& file) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw RecordError(fmt::format("{}: not a whole JSON text (at byte {})", file, error.byte));
  }
}

Json read_record(const std::filesystem::path& path) {
  Json record = parse_json(read_whole_file(path), path);
  if (!record.is_object() || !record.contains("schema"))
    throw RecordError(fmt::format("{}: not a record: no key 'schema'", path.string()));
  if (record["schema"] != schema_version)
    throw RecordError(
        fmt::format("{}: schema {}, this program reads {}", path.string(), record["schema"].dump(), schema_version));
  return record;
}

}  // namespace assay
