#include "record/record.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

#include "record/environment.hpp"

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

void write_record(const Json& record, const std::filesystem::path& path) {
  const std::string text = record.dump(1) + "\n";
  if (path == "-") {
    std::cout << text << std::flush;
    if (!std::cout) throw RecordError("standard output: the record could not be written");
    return;
  }
  const std::filesystem::path temporary = path.string() + fmt::format(".{}.part", ::getpid());
  std::ofstream out(temporary, std::ios::binary);
  out << text;
  out.close();
  std::error_code failed;
  if (out) std::filesystem::rename(temporary, path, failed);
  if (out && !failed) return;
  const std::string why = failed ? failed.message() : std::strerror(errno);
  std::filesystem::remove(temporary, failed);
  throw RecordError(fmt::format("{}: the record could not be written: {}", path.string(), why));
}

Json read_record(const std::filesystem::path& path) {
  std::ifstream in(path);
  if (!in) throw RecordError(fmt::format("{}: {}", path.string(), std::strerror(errno)));
  Json record;
  try {
    record = Json::parse(in);
  } catch (const Json::parse_error& error) {
    throw RecordError(fmt::format("{}: not a whole JSON text (at byte {})", path.string(), error.byte));
  }
  if (!record.is_object() || !record.contains("schema"))
    throw RecordError(fmt::format("{}: not a record: no key 'schema'", path.string()));
  if (record["schema"] != schema_version)
    throw RecordError(
        fmt::format("{}: schema {}, this program reads {}", path.string(), record["schema"].dump(), schema_version));
  return record;
}

}  // namespace assay
